// The package's main entry in browsers: fetches the module from beside this script. The address is written so that bundlers see it
// and take the file along; it is made only when needed, since in a classic script there is no import.meta.url.
import moduleFactory from './vramfit-core.mjs';
import { loadVramfit as load } from '../vramfit.mjs';

export const loadVramfit = ({ wasmUrl, wasmBinary } = {}) =>
  load({ moduleFactory, ...(wasmBinary ? { wasmBinary } : { wasmUrl: wasmUrl ?? new URL('./vramfit-full.wasm', import.meta.url) }) });
