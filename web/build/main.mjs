// Writes the static site: one page per language with the default answer already in it, and the assets they share.
//
//   node web/build/main.mjs --core DIR --canvas DIR --licenses FILE --sources FILE --out DIST [--minifier none|esbuild]
//
// The folders hold vramfit-core.mjs and .wasm, vramfit-canvas.mjs and .wasm; the files are the licences of what the canvas carries and
// sources.json of the catalogue. The answer in the pages is computed by that
// same module, so it cannot differ from what the page computes later.
import { readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

import { loadVramfit } from '../vramfit.mjs';
import { writeAssets } from './assets.mjs';
import { writePages } from './pages.mjs';

const { values: options } = parseArgs({
  options: { core: { type: 'string' }, canvas: { type: 'string' }, licenses: { type: 'string' }, sources: { type: 'string' }, out: { type: 'string' }, minifier: { type: 'string', default: 'esbuild' } },
});
if (!options.core || !options.canvas || !options.licenses || !options.sources || !options.out || !['none', 'esbuild'].includes(options.minifier)) {
  console.error('usage: node web/build/main.mjs --core DIR --canvas DIR --licenses FILE --sources FILE --out DIST [--minifier none|esbuild]');
  process.exit(64);
}
const out = resolve(options.out);
const assets = join(out, 'assets');

const { default: moduleFactory } = await import(pathToFileURL(resolve(options.core, 'vramfit-core.mjs')));
const vramfit = await loadVramfit({ wasmBinary: readFileSync(join(options.core, 'vramfit-core.wasm')), moduleFactory });

rmSync(assets, { recursive: true, force: true });
await writeAssets(assets, options, vramfit.catalog());
writePages(out, vramfit, options);
