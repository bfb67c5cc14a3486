// The product of a built site, as the accuracy program asks it.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadVramfit } from '../../vramfit.mjs';

// -> {core, hub_ids}. Throws what the file system says; `dist` is the built site. Its sources.json has hub ids, which help to match names.
export async function load_product(dist) {
  const at = (name) => join(resolve(dist, 'assets'), name);
  const wasmBinary = readFileSync(at('vramfit-full.wasm'));
  readFileSync(at('vramfit-core.mjs'));
  const { default: moduleFactory } = await import(pathToFileURL(at('vramfit-core.mjs')).href);
  const core = await loadVramfit({ wasmBinary, moduleFactory });
  const sources = existsSync(at('sources.json')) ? JSON.parse(readFileSync(at('sources.json'), 'utf8')) : {};
  const hub_ids = Object.fromEntries(Object.entries(sources.models ?? {}).map(([id, m]) => [id, m?.hf_id]));
  return { core, hub_ids };
}
