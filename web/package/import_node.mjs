// The same in Node: reads the module from beside this script, once.
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

import moduleFactory from './vramfit-core.mjs';
import { importModel as read } from '../import/import_model.mjs';

export { fileFrom, fileFromText } from '../import/import_model.mjs';
export { fileFromPath } from '../import/node_file.mjs';

let own = null;

export async function importModel(files, { wasmUrl, wasmBinary, ...options } = {}) {
  if (wasmUrl) return read(files, { ...options, moduleFactory, wasmBinary: await readFile(new URL(wasmUrl, pathToFileURL('./'))) });
  own ??= await readFile(new URL('./vramfit-import.wasm', import.meta.url));
  return read(files, { ...options, moduleFactory, wasmBinary: wasmBinary ?? own });
}
