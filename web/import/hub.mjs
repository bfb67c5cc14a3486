// Reads models of the hub: the list of a repository's files, and of each file no more than is asked for.
//
//   const { list, fileOf } = createHub();
//   const files = await list({ model: 'org/name', branch: 'main' }, { signal });        // [{path, size}]
//   const file = fileOf({ model, branch }, files[0], { signal, onBytes });              // {name, size, read(start, end)}
//
// Fetched plainly: the hub's own package reads answers whole, drops the headers that say why one was refused, and weighs more than all
// this. No sign-in and no cookies are sent, and no address of this page. What goes wrong is a HubFailure, with an id under `hub.error`.
import { baseOf } from './choices.mjs';
import { hub } from './hub_address.mjs';

// Longer lists and beginnings than any model has are not read.
const longestPage = 16 * 2 ** 20;
const mostPages = 100;
export const longestHead = 256 * 2 ** 20;

export class HubFailure extends Error {
  constructor(id, values = {}, cause = undefined) {
    super(id, { cause });
    Object.assign(this, { id, values });
  }
}

const escaped = (path) => path.split('/').map(encodeURIComponent).join('/');

// A beginning is asked for in pieces of this: the first is the header of most safetensors files.
export const pieceBytes = 2 ** 17;
// Whole, because it is text: configurations and indexes.
export const isText = (path) => /\.json$/i.test(path);

// Seconds until another attempt, where the answer says so: Retry-After, as seconds or as a date, or the hub's own RateLimit.
export function waitOf(headers, now = Date.now()) {
  const after = headers.get('retry-after');
  if (after && /^\d+$/.test(after)) return Number(after);
  const date = Date.parse(after ?? '');
  if (date > now) return Math.ceil((date - now) / 1000);
  const [, reset = null] = headers.get('ratelimit')?.match(/\bt=(\d+)/) ?? [];
  return reset === null ? null : Number(reset);
}

// Why an answer is none. The hub says in X-Error-Code what its status leaves open.
function refusal(response, values) {
  const { status, headers } = response;
  const code = headers.get('x-error-code');
  const host = new URL(response.url).host;
  if (code === 'GatedRepo') return new HubFailure('gated', values);
  if (code === 'RevisionNotFound') return new HubFailure('no_branch', values);
  if (code === 'EntryNotFound') return new HubFailure('no_file', values);
  // Whoever is not signed in is not told which of the two it is.
  if (code === 'RepoNotFound' || status === 401) return new HubFailure('no_model', values);
  if (status === 403) return new HubFailure('refused', { ...values, host });
  if (status === 404) return new HubFailure(values.file ? 'no_file' : 'no_model', values);
  if (status === 429) {
    const seconds = waitOf(headers);
    return new HubFailure(seconds === null ? 'rate_limited' : 'rate_limited.wait', { ...values, host, seconds });
  }
  return new HubFailure(status >= 500 ? 'fault' : 'status', { ...values, host, status });
}

// `base`: another hub of the same kind; `fetch` and `online` stand for the browser's. `blocked` says, once a request failed, whether it was
// the page's own policy that kept it from going where it was sent on to.
export function createHub({ base = hub, fetch = (...args) => globalThis.fetch(...args), online = () => globalThis.navigator?.onLine !== false, blocked = () => false } = {}) {
  const listAddress = ({ model, branch }) => `${base}/api/models/${escaped(model)}/tree/${encodeURIComponent(branch)}?recursive=true`;
  const fileAddress = ({ model, branch }, path) => `${base}/${escaped(model)}/resolve/${encodeURIComponent(branch)}/${escaped(path)}`;

  async function ask(address, values, { signal, headers } = {}) {
    let response;
    try {
      response = await fetch(address, { signal, headers, credentials: 'omit', referrerPolicy: 'no-referrer' });
    } catch (error) {
      if (signal?.aborted) throw error;
      if (!online()) throw new HubFailure('offline', values, error);
      if (await blocked()) throw new HubFailure('not_allowed', values, error);
      throw new HubFailure('unreachable', { ...values, host: new URL(address).host }, error);
    }
    if (response.ok) return response;
    response.body?.cancel().catch(() => {});
    throw refusal(response, values);
  }

  // Bytes `skip` to `skip + length` of an answer, or as many as there are; what comes after them is not waited for.
  async function take(response, skip, length, values, { signal, onBytes }) {
    const reader = response.body.getReader();
    const bytes = new Uint8Array(length);
    let seen = 0;
    let end = 0;
    try {
      while (end < length) {
        const { done, value } = await reader.read();
        if (done) break;
        onBytes?.(value.length);
        const from = Math.max(0, skip - seen);
        if (from < value.length) {
          const piece = value.subarray(from, Math.min(value.length, from + length - end));
          bytes.set(piece, end);
          end += piece.length;
        }
        seen += value.length;
      }
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new HubFailure(online() ? 'broken_off' : 'offline', { ...values, host: new URL(response.url).host }, error);
    } finally {
      reader.cancel().catch(() => {});
    }
    return bytes.subarray(0, end);
  }

  // One page of the list.
  async function pageOf(address, values, options) {
    const response = await ask(address, values, { ...options, headers: { Accept: 'application/json' } });
    const bytes = await take(response, 0, longestPage + 1, values, options);
    if (bytes.length > longestPage) throw new HubFailure('too_large', { ...values, bytes: longestPage });
    let items;
    try {
      items = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    } catch (error) {
      throw new HubFailure('wrong_list', { ...values, type: response.headers.get('content-type') ?? '' }, error);
    }
    const fits = (item) => typeof item?.path === 'string' && (item.type !== 'file' || (Number.isSafeInteger(item.size) && item.size >= 0));
    if (!Array.isArray(items) || !items.every(fits)) throw new HubFailure('wrong_list', { ...values, type: response.headers.get('content-type') ?? '' });
    const [, next = null] = response.headers.get('link')?.match(/<([^>]*)>\s*;\s*rel="?next"?/) ?? [];
    return { items, next: next && new URL(next, address).href };
  }

  async function list(reference, options = {}) {
    const values = { model: reference.model, branch: reference.branch };
    const files = [];
    let address = listAddress(reference);
    for (let count = 0; address; count += 1) {
      // More pages than any model has, or a list that leads elsewhere.
      if (count === mostPages) throw new HubFailure('too_many', { ...values, files: files.length });
      if (!address.startsWith(`${base}/`)) throw new HubFailure('wrong_list', { ...values, type: address });
      const { items, next } = await pageOf(address, values, options);
      for (const { type, path, size } of items) if (type === 'file') files.push({ path, size });
      address = next;
    }
    return files;
  }

  async function bytesOf(reference, { path, size }, start, end, options) {
    const values = { model: reference.model, branch: reference.branch, file: path };
    const whole = start === 0 && end === size;
    // Browsers ask other servers for a range of this form without asking first whether they may.
    const response = await ask(fileAddress(reference, path), values, { ...options, headers: whole ? {} : { Range: `bytes=${start}-${end - 1}` } });
    if (/^text\/html\b/i.test(response.headers.get('content-type') ?? '')) {
      response.body?.cancel().catch(() => {});
      throw new HubFailure('wrong_content', { ...values, type: 'text/html' });
    }
    // What takes no notice of the range sends the file from its beginning.
    const skip = response.status === 206 ? 0 : start;
    const [, from = null] = response.status === 206 ? response.headers.get('content-range')?.match(/^bytes (\d+)-/) ?? [] : [];
    const bytes = from !== null && Number(from) !== start ? null : await take(response, skip, end - start, values, options);
    if (bytes?.length !== end - start) {
      response.body?.cancel().catch(() => {});
      throw new HubFailure('wrong_range', { ...values, wanted: end - start, got: bytes?.length ?? 0 });
    }
    return bytes;
  }

  // A file as importers read it. What was read once is kept: they ask for a beginning, and then for a longer one.
  function fileOf(reference, { path, size }, options = {}) {
    let head = new Uint8Array(0);
    let reading = Promise.resolve();
    async function grow(end) {
      if (end <= head.length) return;
      if (end > longestHead) throw new HubFailure('too_large', { model: reference.model, branch: reference.branch, file: path, bytes: longestHead });
      const piece = isText(path) ? size : pieceBytes;
      const until = Math.min(size, Math.max(end, Math.ceil(end / piece) * piece), longestHead);
      const more = await bytesOf(reference, { path, size }, head.length, until, options);
      const grown = new Uint8Array(until);
      grown.set(head);
      grown.set(more, head.length);
      head = grown;
    }
    return {
      name: baseOf(path),
      path,
      size,
      // One request after the other, the later longer by what the earlier brought.
      async read(start, end) {
        const until = Math.min(end, size);
        const before = reading;
        reading = before.catch(() => {}).then(() => grow(until));
        await reading;
        return head.slice(start, until);
      },
    };
  }

  return { list, listAddress, fileAddress, fileOf };
}
