// What <vram-fit> says in an article against what the page says, with the texts that it carries and no others.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { elementTexts, engineTexts, modulesFrom, remarkTexts } from '../../web/build/element.mjs';
import { readAttributes } from '../../web/element/attributes.mjs';
import { readLocales } from '../../web/locale_files.mjs';
import { answerHtml, noticesHtml } from '../../web/page/answer.mjs';
import { footHtml, labelOf, problemsHtml } from '../../web/element/frame.mjs';
import { bestHtml, memoryHtml } from '../../web/element/compact.mjs';
import { readPriceList } from '../../web/price_list.mjs';
import { bestRows, brief } from '../../web/text/brief.mjs';
import { createText, explain } from '../../web/text/explain.mjs';
import { addMessages, languages } from '../../web/text/messages.mjs';
import { priceProblem } from '../../web/text/price_list.mjs';
import { golden, randomShare, randomSource, root, shippedCalculator } from './support.mjs';

const vramfit = await shippedCalculator();
const catalog = vramfit.catalog();
const random = randomSource(2718);
const choices = (key) => catalog.fields.find((f) => f.key === key).choices;
const shares = [
  ...golden.flatMap(({ share }) => share),
  ...choices('weights').map((id) => `model=qwen3-30b-a3b&weights=${id}&gpus=all&method=worksheet`),
  ...choices('prices').map((id) => `gpus=all&prices=${id}`),
  ...['serve', 'full', 'lora', 'qlora'].map((task) => `model=&params=8b&num_layers=32&num_kv_heads=8&head_dim=128&task=${task}&method=worksheet`),
  ...[1, 3, 5, 6, 7].map((count) => `gpu=h200&count=${count}&model=deepseek-v3&method=worksheet`),
  'v=2', 'model=%zz', 'model=lama', 'gpu=h20', 'params=abc', 'context=0.5', 'context=1.5', 'sequences=-1', 'task=foo', 'gpus=zzz', 'weights=native&model=', 'foo=%E0', 'model=a&model=b',
  'gpus=h200,zz:1,l40s:x', `${'x'.repeat(9000)}&a=1`, 'context=300000', 'task=lora&weights=bf16', 'model=<img src=x onerror=alert(1)>',
  ...Array.from({ length: 500 }, () => randomShare(catalog, random)),
];

const said = (value) => JSON.parse(JSON.stringify(value, (key, v) => (v?.kind === 'figure' || v?.kind === 'name' ? String(v) : v)));

for (const { lang } of languages) {
  const own = createText([remarkTexts(lang), engineTexts(lang)].reduce(addMessages, elementTexts(lang)), lang, { strict: true });
  // In its remarks an input is called by its key.
  const { field, ...page } = readLocales(lang);
  const whole = createText(page, lang, { strict: true });

  test(`${lang}: sentence, figures and notices are the page's, with no message missing`, () => {
    for (const share of shares) {
      const result = vramfit.estimate(share);
      const view = brief(result, catalog, own);
      const page = explain(result, catalog, whole);
      const { compartments, ...rest } = said(view);
      const { compartments: all, ...others } = said(page);
      for (const [key, value] of Object.entries(rest)) assert.deepEqual(value, others[key], `${share}: ${key}`);
      if (result.refused) continue;
      const { split, ...figures } = { ...all, rows: all.rows.map(({ terms, ...row }) => row) };
      assert.deepEqual(compartments, figures, share);
      const first = page.fit.filter((row) => row.smallest).slice(0, 3);
      assert.deepEqual(said(bestRows(result, catalog, own)), said(first.map(({ name, price, capacity, smallest }) => ({ name, note: price && price.note, capacity, smallest }))), share);
    }
  });

  test(`${lang}: what is drawn leaves no value out and escapes what was typed`, () => {
    for (const share of shares) {
      const result = vramfit.estimate(share);
      const view = brief(result, catalog, own);
      const drawn = [answerHtml(view), noticesHtml(view, own), footHtml(result, { link: null, prices: null }, own), labelOf(result, own),
        ...(result.refused ? [] : [memoryHtml(view, own), bestHtml(bestRows(result, catalog, own), own)])].join('');
      assert.doesNotMatch(drawn, /undefined|NaN|\[object|\bnull\b|\{\w+\}|<img/, share);
    }
  });

  test(`${lang}: every problem of a price list can be said`, () => {
    const lists = [
      null, {}, { schema: 'x', currency: 'EUR', provider: '', date: '1', prices: 1, more: 1 },
      { schema: 'vramfit-prices/1', currency: 'USD', provider: 'Z', date: '2026-11-01', prices: Array(1001).fill(0) },
      { schema: 'vramfit-prices/1', currency: 'USD', provider: 'Z'.repeat(99), date: '2026-11-01', prices: [] },
      { schema: 'vramfit-prices/1', currency: 'USD', provider: 'Z', date: '2026-11-01', more: 1, prices: [1, { gpu: 'h200', usd_per_gpu_hour: 1 }, { gpu: 'h200', usd_per_gpu_hour: 'x', kind: 'y', more: 1 }, { gpu: 'nope', usd_per_gpu_hour: -1 }] },
    ];
    const problems = lists.flatMap((list) => readPriceList(list, catalog).problems);
    assert.ok(new Set(problems.map(({ id }) => id)).size >= 12);
    assert.doesNotMatch(String(problemsHtml(problems.map((problem) => priceProblem(problem, whole)), own)), /undefined|NaN|\{\w+\}/);
  });

  test(`${lang}: every message of the element is there, and none of what it does not show`, () => {
    assert.deepEqual(Object.keys(elementTexts(lang).element), Object.keys(readLocales(lang).element));
    for (const namespace of ['cli', 'canvas', 'formula', 'cite', 'method', 'help', 'help_field', 'form', 'split']) assert.ok(!(namespace in elementTexts(lang)), namespace);
  });
}

test('the element imports nothing of the full view', () => {
  const modules = [...modulesFrom(join(root, 'web', 'element', 'vram_fit.mjs')).keys()].map((path) => path.slice(root.length + 1));
  assert.ok(modules.includes('web/text/answer.mjs'));
  for (const name of ['explain', 'terms', 'fit', 'split']) assert.ok(!modules.includes(`web/text/${name}.mjs`), name);
});

test('no heading in the compact view: those are the article\'s', () => {
  for (const file of ['compact', 'frame']) assert.doesNotMatch(readFileSync(join(root, 'web', 'element', `${file}.mjs`), 'utf8'), /<h[1-6]/);
});

// --- attributes -----------------------------------------------------------------------------------------------------------

const fields = catalog.fields.map(({ key }) => key);
const asked = (attributes) => readAttributes({ getAttribute: (name) => attributes[name] ?? null, hasAttribute: (name) => name in attributes }, fields);

test('attributes and `share` make one share string, and the attributes win', () => {
  assert.equal(asked({}).share, '');
  assert.equal(asked({ model: 'qwen3-8b', weights: 'bf16' }).share, 'model=qwen3-8b&weights=bf16');
  assert.equal(asked({ share: '?model=qwen3-8b&context=8k&units=GiB', context: '32k' }).share, 'context=32k&model=qwen3-8b&units=GiB');
  assert.equal(asked({ model: '', params: '8b' }).share, 'model=&params=8b');
  assert.equal(asked({ model: 'a&weights=fp8#?%' }).share, 'model=a%26weights%3Dfp8%23%3F%25');
  assert.equal(asked({ model: '\ud800' }).share, 'model=%EF%BF%BD');
});

test('view keys: the attribute, else what the share string says, else the default; anything else is told', () => {
  assert.deepEqual([asked({ share: 'units=GiB&lang=es&theme=dark&view=full' })].map(({ units, lang, theme, view, failures }) => [units, lang, theme, view, failures.length]), [['GiB', 'es', 'dark', 'full', 0]]);
  assert.deepEqual([asked({ share: 'units=GiB&lang=es', units: 'GB', lang: 'pt' })].map(({ units, lang }) => [units, lang]), [['GB', 'pt']]);
  const wrong = asked({ units: 'TB', theme: 'pink', view: 'constructor' });
  assert.deepEqual([wrong.units, wrong.theme, wrong.view], ['auto', 'auto', 'compact']);
  assert.deepEqual(wrong.failures.map(({ id, values }) => [id, values.name]), [['bad-attribute', 'units'], ['bad-attribute', 'theme'], ['bad-attribute', 'view']]);
});

test('`prices` is a price book, or the address of a list', () => {
  for (const book of ['market', 'own', 'runpod-secure-2026-08', '', 'json']) assert.deepEqual([asked({ prices: book })].map(({ share, pricesUrl }) => [share, pricesUrl]), [[`prices=${book}`, null]]);
  for (const url of ['prices.json', 'a/b', '/prices', './p', 'https://host.example/p', 'data:x', 'p.json?v=2', 'P.JSON#x']) assert.deepEqual([asked({ prices: url })].map(({ share, pricesUrl }) => [share, pricesUrl]), [['', url]]);
});
