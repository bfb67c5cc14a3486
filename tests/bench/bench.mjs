// Sizes and times of the shipped module. Times are medians of one run on this machine: compare them with each other, not across
// machines.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';

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
const text = (share) => () => utf8.decode(core.estimate(share));

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

const rows = [
  ['core module and glue', gzipped('vramfit-core.wasm', 'vramfit-core.mjs'), 'bytes gzipped', 60000],
  ['page script, style and one locale', gzipped('app.js', 'boot.js', 'style.css', 'locales/en.json'), 'bytes gzipped', 30000],
  ['start to first answer', firstAnswer, 'µs', null],
  ["estimate with the article's fit table, as text", medianMicroseconds(text('')), 'µs', 100],
  ['the same, as an object', medianMicroseconds(object('')), 'µs', 100],
  ['estimate with the fit table of all GPUs, as text', medianMicroseconds(text('gpus=all&method=worksheet')), 'µs', 100],
  ['the same, as an object', medianMicroseconds(object('gpus=all&method=worksheet')), 'µs', null],
  ['a hybrid mixture in Q4_K_M, all GPUs, as text', medianMicroseconds(text('model=qwen3-next-80b-a3b&weights=q4_k_m&gpus=all')), 'µs', null],
  ['what-if of the default, as an object', medianMicroseconds(() => vramfit.whatIf('')), 'µs', null],
  ['what-if by the worksheet, all GPUs, as an object', medianMicroseconds(() => vramfit.whatIf('gpus=all&method=worksheet')), 'µs', null],
].map(([what, value, unit, bar]) => ({ what, value: Math.round(value * 10) / 10, unit, bar }));

if (values.json) console.log(JSON.stringify(rows, null, 2));
else for (const { what, value, unit, bar } of rows) console.log(`${what.padEnd(54)} ${String(value).padStart(9)} ${unit}${bar ? `  (at most ${bar})` : ''}`);
