// Writes the static site: one page per language with the default answer already in it, and the assets they share.
//
//   node web/build/main.mjs --core DIR --canvas DIR --licenses FILE --sources FILE --out DIST [--minifier none|esbuild]
//     [--site-url URL]
//
// The folders hold vramfit-core.mjs and .wasm with vramfit-full.wasm, vramfit-canvas.mjs and .wasm; the files are the licences of what the
// canvas carries and sources.json of the catalogue. The answer in the pages is computed by the very module that pages load, so it cannot
// differ from what the page computes later; all else is asked of the full module. The address the site will have, also taken from
// VRAMFIT_SITE_URL, goes into what must name it in full: canonical links, link previews, the sitemap.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

import { loadVramfit } from '../vramfit.mjs';
import { writeAssets } from './assets.mjs';
import { writeDocs } from './docs/site.mjs';
import { writeEmbed } from './embed.mjs';
import { writeExamples } from './examples.mjs';
import { writeImages } from './images.mjs';
import { writeOffline } from './offline.mjs';
import { writePages } from './pages.mjs';
import { writeSingleFile } from './single_file.mjs';
import { siteAddress, writeSitemap } from './sitemap.mjs';
import { writeWebManifests } from './web_manifest.mjs';

const { values: options } = parseArgs({
  options: { core: { type: 'string' }, canvas: { type: 'string' }, licenses: { type: 'string' }, sources: { type: 'string' }, out: { type: 'string' }, minifier: { type: 'string', default: 'esbuild' }, 'site-url': { type: 'string' } },
});
if (!options.core || !options.canvas || !options.licenses || !options.sources || !options.out || !['none', 'esbuild'].includes(options.minifier)) {
  console.error('usage: node web/build/main.mjs --core DIR --canvas DIR --licenses FILE --sources FILE --out DIST [--minifier none|esbuild] [--site-url URL]');
  process.exit(64);
}
let siteUrl;
try {
  siteUrl = siteAddress(options['site-url'] ?? process.env.VRAMFIT_SITE_URL);
} catch (error) {
  console.error(error.message);
  process.exit(64);
}
const out = resolve(options.out);
const assets = join(out, 'assets');

const { default: moduleFactory } = await import(pathToFileURL(resolve(options.core, 'vramfit-core.mjs')));
const calculator = (name) => loadVramfit({ wasmBinary: readFileSync(join(options.core, name)), moduleFactory });
const [pageCalculator, fullCalculator] = await Promise.all(['vramfit-core.wasm', 'vramfit-full.wasm'].map(calculator));

// Nothing of an earlier build stays: what lies there is what is kept offline and released.
if (existsSync(join(assets, 'vramfit-core.wasm'))) rmSync(out, { recursive: true });
await writeAssets(assets, options, pageCalculator.catalog());
const answers = { result: pageCalculator.estimate(''), whatIf: pageCalculator.whatIf(''), catalog: pageCalculator.catalog() };
await writeImages(out, fullCalculator);
writePages(out, answers, { ...options, siteUrl });
writeDocs(out, fullCalculator, { ...options, siteUrl });
await writeEmbed(out, { ...options, siteUrl });
writeExamples(out);
writeSitemap(out, { siteUrl, date: answers.catalog.date });
writeWebManifests(out);
await writeOffline(out);
await writeSingleFile(out, answers, options);
