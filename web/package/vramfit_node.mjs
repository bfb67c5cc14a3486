// The package's main entry in Node: reads the module from beside this script.
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

import moduleFactory from './vramfit-core.mjs';
import { loadVramfit as load } from '../vramfit.mjs';

async function bytesAt(url) {
  if (url.protocol === 'file:') return readFile(url);
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${response.status}: ${url}`);
  return new Uint8Array(await response.arrayBuffer());
}

export async function loadVramfit({ wasmUrl, wasmBinary } = {}) {
  const url = wasmUrl ? new URL(wasmUrl, pathToFileURL('./')) : new URL('./vramfit-full.wasm', import.meta.url);
  return load({ moduleFactory, wasmBinary: wasmBinary ?? (await bytesAt(url)) });
}
