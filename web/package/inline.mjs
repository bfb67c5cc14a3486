// The package's inline entry: the module travels inside the script, compressed. The builder puts both files in.
import moduleFactory from './vramfit-core.mjs';
import compressed from './vramfit-full.wasm';
import { loadVramfit as load } from '../vramfit.mjs';

const decompress = (bytes) => new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();

let wasmBinary;
export const loadVramfit = async () => load({ moduleFactory, wasmBinary: await (wasmBinary ??= decompress(compressed)) });
