// What the Node tests share: where things are, the shipped module, and the native answers.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { writable } from '../../web/text/format.mjs';
import { loadVramfit } from '../../web/vramfit.mjs';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
export const dist = join(root, 'dist');
export const assets = join(dist, 'assets');
export const golden = JSON.parse(readFileSync(join(root, 'tests', 'golden', 'golden.json'), 'utf8'));

// A module as it ships, the very file that the page loads, with its answers as text: the full one, or vramfit-core.wasm.
export async function shippedModule(name = 'vramfit-full.wasm') {
  const { default: factory } = await import(pathToFileURL(join(assets, 'vramfit-core.mjs')));
  const core = await factory({ wasmBinary: readFileSync(join(assets, name)) });
  const utf8 = new TextDecoder();
  const typed = (share) => new TextEncoder().encode(share);
  return {
    estimate: (share, prices = '') => utf8.decode(core.estimate(typed(share), prices)),
    whatIf: (share, prices = '') => utf8.decode(core.what_if(typed(share), prices)),
    catalog: () => utf8.decode(core.catalog()),
  };
}

// The calculator as pages and programs use it: plain objects.
export async function shippedCalculator() {
  const { default: moduleFactory } = await import(pathToFileURL(join(assets, 'vramfit-core.mjs')));
  return loadVramfit({ wasmBinary: readFileSync(join(assets, 'vramfit-full.wasm')), moduleFactory });
}

// JSON texts of the native build for many share strings at once: { estimate, whatIf } each. `prices`: the text of a price list.
export function nativeAnswers(shares, prices = '') {
  const { stdout, status, error } = spawnSync(join(root, 'build', 'dev', 'tests', 'answer'), [prices], {
    input: shares.map((s) => `${s}\n`).join(''),
    maxBuffer: 1 << 30,
    encoding: 'utf8',
  });
  if (error || status !== 0) throw error ?? new Error(`answer: exit ${status}`);
  const lines = stdout.split('\n').slice(0, -1);
  return Array.from({ length: lines.length / 2 }, (_, i) => ({ estimate: lines[2 * i], whatIf: lines[2 * i + 1] }));
}

// The tags of our languages' regions whose figures we write, as this Intl knows them.
export const regions = (() => {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const codes = ['001', '150', '419', ...letters.flatMap((first) => letters.map((second) => first + second))];
  const known = (tag) => new Intl.NumberFormat(tag).resolvedOptions().locale === tag;
  return ['en', 'es', 'pt'].flatMap((base) => codes.map((code) => `${base}-${code}`)).filter((tag) => known(tag) && writable(tag));
})();

// A small deterministic generator, so that a failure can be repeated.
export function randomSource(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  return { next, below: (n) => Math.floor(next() * n), pick: (list) => list[Math.floor(next() * list.length)] };
}

// A share string of random valid inputs, driven by the field table.
export function randomShare(catalog, random) {
  const parts = [];
  for (const field of catalog.fields) {
    if (random.next() < 0.6) continue;
    let value;
    if (field.key === 'model') value = random.pick(catalog.models).id;
    else if (field.key === 'gpu') value = random.pick(catalog.gpus).id;
    else if (field.choices) value = field.choices.length ? random.pick(field.choices) : '';
    else value = Math.max(1, Math.round(Math.exp(Math.log(field.maximum) * random.next())));
    parts.push(`${field.key}=${value}`);
  }
  return parts.join('&');
}

// A price list of some GPUs, as a publisher writes it.
export function randomPriceList(catalog, random) {
  const kinds = [undefined, 'on-demand', 'marketplace', 'spot', 'reference', 'publisher'];
  return {
    schema: 'vramfit-prices/1',
    currency: 'USD',
    provider: random.pick(['Acme Cloud', 'Nube Ñandú', 'A "quoted" \\ name']),
    date: `20${10 + random.below(90)}-0${1 + random.below(9)}-${10 + random.below(19)}`,
    prices: catalog.gpus.filter(() => random.next() < 0.6).map(({ id }) => ({ gpu: id, usd_per_gpu_hour: Math.round(random.next() ** 3 * 1e8) / 10 ** random.below(8), kind: random.pick(kinds) })),
  };
}
