// The package's reader of model files in browsers: fetches its module from beside this script.
import moduleFactory from './vramfit-core.mjs';
import { importModel as read } from '../import/import_model.mjs';

export { fileFrom, fileFromText } from '../import/import_model.mjs';

export const importModel = (files, { wasmUrl, wasmBinary, ...options } = {}) =>
  read(files, { ...options, moduleFactory, ...(wasmBinary ? { wasmBinary } : { wasmUrl: wasmUrl ?? new URL('./vramfit-import.wasm', import.meta.url) }) });
