// Which model of the hub is meant: ORG/NAME, the address of one of its pages or files, or hf.co/ORG/NAME:QUANTIZATION as GGUF programs
// write it.
import { hub } from './hub_address.mjs';

const name = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,95}$/;
const isModel = (parts) => (parts.length === 1 || parts.length === 2) && parts.every((part) => name.test(part) && !part.includes('..'));
const hubs = new Set([new URL(hub).host, 'hf.co', 'www.huggingface.co']);
const decoded = (text) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

// What Git takes for a branch's name, as far as an address can hold it.
export const isBranch = (text) => /^[^\s~^:?*[\\\x00-\x1f\x7f]{1,255}$/.test(text) && !/\.\.|\/\/|@\{|^[/.-]|[/.]$/.test(text);

// {model, branch, path, tag}, each but the first null where it is not said; or {error}: 'empty', 'not_a_model', 'other_host'.
export function readReference(typed) {
  const text = typed.trim().replace(/^hf:\/\//, '');
  if (text === '') return { error: 'empty' };
  const address = text.match(/^(?:https?:\/\/)?((?:[\w-]+\.)+[a-z]{2,})(?::\d+)?\/(.*)$/i);
  const onHub = address && hubs.has(address[1].toLowerCase());
  if (/^https?:/i.test(text) && !onHub) return { error: 'other_host' };
  const behind = onHub ? address[2] : text;
  const [whole, tag = null] = /^https?:/i.test(text) ? [behind] : behind.split(/:(.*)/s);
  const parts = whole.split(/[?#]/)[0].split('/').filter(Boolean).map(decoded);
  if (onHub && parts[0] === 'models') parts.shift();
  if (['datasets', 'spaces', 'collections', 'papers', 'docs'].includes(parts[0]) && (onHub || parts.length > 2)) return { error: 'not_a_model' };
  const at = parts.findIndex((part, i) => i > 0 && i < 3 && ['tree', 'blob', 'resolve', 'raw'].includes(part));
  const model = at > 0 ? parts.slice(0, at) : parts.slice(0, 2);
  if (!isModel(model) || (tag !== null && !/^[\w.-]{1,96}$/.test(tag))) return { error: 'not_a_model' };
  if (at < 0) return parts.length > 2 && !onHub ? { error: 'not_a_model' } : { model: model.join('/'), branch: null, path: null, tag };
  const branch = parts[at + 1] ?? null;
  if (branch !== null && !isBranch(branch)) return { error: 'not_a_model' };
  return { model: model.join('/'), branch, path: parts.slice(at + 2).join('/') || null, tag };
}
