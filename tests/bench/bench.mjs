// Sizes and times of the shipped module. Times are medians of one run on this machine (of imports the shortest): compare them with each
// other, not across machines.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';

import { importTimes } from './import.mjs';

const { values } = parseArgs({ options: { dist: { type: 'string' }, json: { type: 'boolean', default: false } } });
if (!values.dist) {
  console.error('usage: bench.mjs --dist DIST [--json]');
  process.exit(64);
}
const assets = join(values.dist, 'assets');
const gzipped = (...names) => names.reduce((sum, name) => sum + gzipSync(readFileSync(join(assets, name)), { level: 9 }).length, 0);

const { default: moduleFactory } = await import(pathToFileURL(resolve(assets, 'vramfit-core.mjs')));
const { loadVramfit } = await import(pathToFileURL(resolve(assets, 'vramfit.mjs')));
const wasmBinary = readFileSync(join(assets, 'vramfit-core.wasm'));
const core = await moduleFactory({ wasmBinary });
const utf8 = new TextDecoder();
const text = (share) => () => utf8.decode(core.estimate(share, ''));

const start = performance.now();
const vramfit = await loadVramfit({ wasmBinary, moduleFactory });
const object = (share) => () => vramfit.estimate(share);
object('')();
const firstAnswer = (performance.now() - start) * 1000;

// Median microseconds of one call, over batches long enough for the clock.
function medianMicroseconds(call) {
  for (let i = 0; i < 2000; ++i) call();
  const batch = 50;
  const times = [];
  for (let i = 0; i < 200; ++i) {
    const start = performance.now();
    for (let j = 0; j < batch; ++j) call();
    times.push(((performance.now() - start) * 1000) / batch);
  }
  return times.sort((a, b) => a - b)[times.length >> 1];
}

// Milliseconds that building one frame of the full view takes in a browser, its drawing aside: medians over a still view, and over
// one with an edit before each frame (which is the estimate, the what-if and all words anew).
async function canvasMilliseconds() {
  if (!process.env.VRAMFIT_CHROMIUM) return null;
  const { chromium } = await import('playwright-core');
  const { serve } = await import('../../web/cli/serve.mjs');
  const site = await serve(values.dist, 0);
  const browser = await chromium.launch({
    executablePath: process.env.VRAMFIT_CHROMIUM,
    args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-background-networking', '--no-first-run'],
  });
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
  await page.goto(`${site.origin}/canvas.html?method=worksheet&gpus=all`);
  await page.waitForSelector('vramfit-canvas[data-state="ready"]');
  const measured = await page.evaluate(() => {
    const canvas = document.querySelector('vramfit-canvas');
    const median = (times) => times.sort((a, b) => a - b)[times.length >> 1];
    const still = () => canvas.frameMilliseconds(50);
    const edited = (i) => {
      const start = performance.now();
      canvas.share = `method=worksheet&gpus=all&context=${4096 + i}`;
      canvas.frameMilliseconds(1);
      return performance.now() - start;
    };
    return { still: median(Array.from({ length: 41 }, still)), edited: median(Array.from({ length: 101 }, (_, i) => edited(i))) };
  });
  await browser.close();
  await site.close();
  return measured;
}
const canvas = await canvasMilliseconds();

// Lighthouse's performance score of the main page, the median of three runs each on its phone and its desktop.
async function performanceScores() {
  if (!process.env.VRAMFIT_CHROMIUM) return [];
  const [{ audit, presets }, { serve }] = await Promise.all([import('./lighthouse.mjs'), import('../../web/cli/serve.mjs')]);
  const site = await serve(values.dist, 0);
  const scores = [];
  for (const preset of Object.keys(presets)) {
    const runs = [];
    for (let i = 0; i < 3; i += 1) runs.push((await audit(`${site.origin}/`, { preset, categories: ['performance'] })).scores.performance);
    scores.push([preset, runs.sort((a, b) => a - b)[1]]);
  }
  await site.close();
  return scores;
}
const scores = await performanceScores();

const imports = await importTimes(assets);

const least = new Set(['of 100', 'times as fast']); // the more the better
const rows = [
  ['<vram-fit> in an article: script and module', gzipped('vram-fit.js', 'vramfit-core.wasm'), 'bytes gzipped', 75000],
  ['core module and glue', gzipped('vramfit-core.wasm', 'vramfit-core.mjs'), 'bytes gzipped', 60000],
  ['full module and glue, on demand', gzipped('vramfit-full.wasm', 'vramfit-core.mjs'), 'bytes gzipped', 110000],
  ['page script, style and one locale', gzipped('app.js', 'boot.js', 'style.css', 'locales/en.json'), 'bytes gzipped', 30000],
  ['canvas module, glue and font', gzipped('vramfit-canvas.wasm', 'vramfit-canvas.mjs', 'canvas-element.mjs'), 'bytes gzipped', 200000],
  ['importing module, on demand', gzipped('vramfit-import.wasm'), 'bytes gzipped', null],
  ['start to first answer', firstAnswer, 'µs', null],
  ["estimate with the article's fit table, as text", medianMicroseconds(text('')), 'µs', 100],
  ['the same, as an object', medianMicroseconds(object('')), 'µs', 100],
  ['estimate with the fit table of all GPUs, as text', medianMicroseconds(text('gpus=all&method=worksheet')), 'µs', 100],
  ['the same, as an object', medianMicroseconds(object('gpus=all&method=worksheet')), 'µs', null],
  ['a hybrid mixture in Q4_K_M, all GPUs, as text', medianMicroseconds(text('model=qwen3-next-80b-a3b&weights=q4_k_m&gpus=all')), 'µs', null],
  ['what-if of the default, as an object', medianMicroseconds(() => vramfit.whatIf('')), 'µs', null],
  ['what-if by the worksheet, all GPUs, as an object', medianMicroseconds(() => vramfit.whatIf('gpus=all&method=worksheet')), 'µs', null],
  ['JSON.parse of a safetensors index of 9 MB', imports.index_json_parse_ms, 'ms', null],
  ['its import', imports.index_import_ms, 'ms', null],
  ['the import against JSON.parse', imports.index_import_ms / imports.index_json_parse_ms, 'times as long', 1.5],
  ['@huggingface/gguf on a header with 150,000 tokens', imports.gguf_huggingface_ms, 'ms', null],
  ['its import', imports.gguf_import_ms, 'ms', null],
  ['the import against @huggingface/gguf', imports.gguf_huggingface_ms / imports.gguf_import_ms, 'times as fast', 10],
  ...(canvas ? [
    ['one frame of the canvas, all GPUs', canvas.still * 1000, 'µs', 1000],
    ['the same after an edit', canvas.edited * 1000, 'µs', null],
  ] : []),
  ...scores.map(([preset, score]) => [`Lighthouse performance, ${preset}`, score, 'of 100', 95]),
].map(([what, value, unit, bar]) => ({ what, value: value < 10 ? Math.round(value * 100) / 100 : Math.round(value * 10) / 10, unit, bar }));

if (values.json) console.log(JSON.stringify(rows, null, 2));
else {
  for (const { what, value, unit, bar } of rows) console.log(`${what.padEnd(54)} ${String(value).padStart(9)} ${unit}${bar ? `  (${least.has(unit) ? 'at least' : 'at most'} ${bar})` : ''}`);
  if (!canvas) console.log('canvas: no Chromium to measure it in');
}
