// `vramfit`: the calculator, its module in a file of its own.
import type { Vramfit } from './calculator.js';

export * from './all.js';

export interface LoadOptions {
  /** Where vramfit-full.wasm is, when not beside the script. Relative to the page; in Node, to the working directory. */
  wasmUrl?: string | URL;
  /** The module's bytes, in place of its address. */
  wasmBinary?: ArrayBuffer | Uint8Array;
}

export function loadVramfit(options?: LoadOptions): Promise<Vramfit>;
