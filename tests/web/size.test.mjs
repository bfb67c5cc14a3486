// What a reader downloads, compressed.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { readLocale } from '../../web/locale_files.mjs';
import { languages } from '../../web/text/messages.mjs';
import { assets } from './support.mjs';

// By the program that hosts compress with; Node's own zlib is tuned for speed.
const compressed = (name) => spawnSync('gzip', ['-9c', join(assets, name)], { maxBuffer: 1 << 26 }).stdout.length;
const gzipped = (...names) => names.reduce((sum, name) => sum + compressed(name), 0);
const atMost = (limit, ...names) => {
  const size = gzipped(...names);
  assert.ok(size > 1000 && size <= limit, `${names.join(' + ')}: ${size} bytes, at most ${limit}`);
};

test('module and glue: at most 60,000 bytes', () => atMost(60000, 'vramfit-core.wasm', 'vramfit-core.mjs'));

test('full module, loaded on demand, and glue: at most 110,000 bytes', () => atMost(110000, 'vramfit-full.wasm', 'vramfit-core.mjs'));

test('<vram-fit> in an article: script and module, at most 75,000 bytes', () => atMost(75000, 'vram-fit.js', 'vramfit-core.wasm'));

test('canvas: module with its font, glue and element: at most 200,000 bytes', () => atMost(200000, 'vramfit-canvas.wasm', 'vramfit-canvas.mjs', 'canvas-element.mjs'));

for (const { lang } of languages) {
  test(`page in ${lang}: at most 30,000 bytes`, () => atMost(30000, 'app.js', 'boot.js', 'style.css', `locales/${lang}.json`));
}

test('the page\'s locale files leave out the texts of terminal and canvas', () => {
  for (const { lang } of languages) {
    const locale = JSON.parse(readFileSync(join(assets, 'locales', `${lang}.json`), 'utf8'));
    for (const namespace of ['cli', 'canvas']) assert.ok(!(namespace in locale), lang);
    const late = JSON.parse(readFileSync(join(assets, 'locales', `late.${lang}.json`), 'utf8'));
    const fixed = JSON.parse(readFileSync(join(assets, 'locales', `fixed.${lang}.json`), 'utf8'));
    const gone = Object.keys(readLocale(lang).page).filter((id) => !(id in locale.page) && !(id in late.page) && !(id in fixed.page));
    assert.deepEqual(gone.sort(), ['canvas.description', 'canvas.noscript', 'canvas.tables', 'canvas.title', 'description', 'noscript'], lang);
  }
});
