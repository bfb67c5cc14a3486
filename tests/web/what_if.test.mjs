// What the what-if section says, of answers made up to hold every case.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readLocale } from '../../web/locale_files.mjs';
import { whatIfHtml } from '../../web/page/what_if.mjs';
import { createText, explain } from '../../web/text/explain.mjs';
import { languages } from '../../web/text/messages.mjs';
import { explainWhatIf } from '../../web/text/what_if.mjs';
import { shippedCalculator } from './support.mjs';

const calculator = await shippedCalculator();
const catalog = calculator.catalog();
const textIn = (lang) => createText(readLocale(lang), lang, { strict: true });
const english = textIn('en');
const most = catalog.fields.find((f) => f.key === 'context').maximum;

const card = (gpu, gb) => ({ gpu, name: gpu, count: 1, capacity_bytes: gb * 1e9 });
const line = (kv, chosen, ...limits) => ({ kv, chosen, need_bytes: [70e9, 72e9, 74e9, 78e9, 90e9], limits: limits.map(([fits, runs]) => ({ fits, runs })) });
const axis = (lines, more) => ({ field: 'context', value: 4096, values: [1000, 1500, 2000, 3000, 4000], lines, ...more });
const answer = (axes, more) => ({ refused: false, count: 1, missing: [], cards: [card('h200', 141), card('l40s', 48)], axes, ...more });
function explained(found, share = '', text = english) {
  const result = calculator.estimate(share);
  return explainWhatIf(found, result, explain(result, catalog, text), catalog, text);
}
const said = (cell) => cell.map((e) => e.text ?? `${e.words} ${e.value}`);

test('limits in words: comfortable, tight, none and no end', () => {
  const [{ rows, title, note, none, corner }] = explained(answer([axis([
    line('bf16', true, [195159, 216674], [0, 0]),
    line('fp8', false, [390319, 390319], [0, 5000]),
    line('int4', false, [most, most], [7, most]),
  ])])).axes;
  assert.deepEqual([title, corner, none], ['Context: now 4,096 tokens', 'KV cache', null]);
  assert.deepEqual(rows.map((row) => [row.label, row.used, row.cells.map(said)]), [
    ['BF16', true, [['fits 195,159', 'tight 216,674'], []]],
    ['FP8', false, [['fits 390,319'], ['tight 5,000']]],
    ['INT4, scale per token and head', false, [['fits at any value'], ['fits 7', 'tight at any value']]],
  ]);
  assert.match(note, /131,072/, 'more than the model was made for');
});

test('what pressing sets: the field, and what else the cell says', () => {
  const [{ rows }] = explained(answer([axis([line('bf16', true, [4096, 5000], [9, 9]), line('fp8', false, [8000, 9000], [16, 16])])])).axes;
  assert.deepEqual(rows.flatMap((row) => row.cells.flat().map((e) => e.set)), [
    { context: 4096 }, { context: 5000, gpu: 'h200', count: 1 }, { context: 9, gpu: 'l40s', count: 1 },
    { context: 8000, kv: 'fp8' }, { context: 9000, kv: 'fp8', gpu: 'h200', count: 1 }, { context: 16, kv: 'fp8', gpu: 'l40s', count: 1 },
  ]);
  assert.deepEqual(rows.flatMap((row) => row.cells.flat().map((e) => e.used)), [true, false, false, false, false, false]);
  assert.equal(rows[1].cells[1][0].label, 'Context 16, KV cache FP8, 1x L40S: fits');
  const keys = rows.flatMap((row) => row.cells.flat().map((e) => e.key));
  assert.equal(new Set(keys).size, keys.length);
});

test('needs are listed by octaves', () => {
  const [{ rows, values }] = explained(answer([axis([line('bf16', true, [1, 1], [1, 1])])])).axes;
  assert.deepEqual(values, ['1,000', '2,000', '4,000']);
  assert.deepEqual(rows[0].need.map(String), ['70 GB', '74 GB', '90 GB']);
});

test('nothing holds it: one sentence in place of a table', () => {
  const view = explained(answer([axis([line('bf16', true, [0, 0], [0, 0])])]));
  assert.equal(view.axes[0].none, 'Not even the smallest value fits on 1x H200 or 1x L40S.');
  const markup = String(whatIfHtml(view, english));
  assert.ok(!markup.includes('class="limits'));
  assert.ok(markup.includes('class="needs"'));
});

test('a count that cannot share the model says why', () => {
  const view = explained({ ...answer([axis([line('bf16', true, [0, 0], [0, 0])])]), count: 3, cards: [{ ...card('h200', 141), count: 3 }, { ...card('l40s', 48), count: 3 }] }, 'gpu=h200&count=3');
  assert.equal(view.axes[0].none, '3x H200: not usable, 64 attention heads do not divide by 3; 3x L40S: not usable, 64 attention heads do not divide by 3');
});

test('training, and what a method does not count', () => {
  const flat = { ...line('', true, [4096, 4096], [0, 0]), need_bytes: [5e9, 5e9, 5e9, 5e9, 5e9] };
  const view = explained(answer([axis([flat]), axis([line('', true, [3, 4], [0, 0])], { field: 'micro_batch', value: 1 })]), 'task=full');
  assert.deepEqual(view.axes.map((a) => [a.title, a.corner, a.rows[0].label, a.note]), [
    ['Context: now 4,096 tokens', 'Task', 'Full fine-tuning', 'This method does not count it, so it sets no limit.'],
    ['Micro-batch: now 1', 'Task', 'Full fine-tuning', null],
  ]);
  assert.deepEqual(view.axes[1].rows[0].cells[0].map((e) => e.label), ['Micro-batch 3, 1x H200: fits', 'Micro-batch 4, 1x H200: tight']);
});

test('a lower bound says so, and how to mend it', () => {
  const view = explained(answer([axis([line('', true, [most, most], [0, 0])])], { missing: ['kv_cache'] }), 'model=&params=70b');
  assert.match(view.incomplete, /^A lower bound: .*KV cache/);
  assert.equal(view.axes[0].note, null);
});

for (const { lang } of languages) {
  test(`${lang}: real answers have all their words`, () => {
    for (const share of ['', 'method=worksheet&gpus=all', 'weights=q4_k_m', 'task=full', 'task=lora&method=worksheet', 'model=&params=70b&method=worksheet', 'model=kimi-k3&weights=bf16', 'kv=int8&context=9', 'gpus=h200', 'gpu=h200&count=3']) {
      const text = textIn(lang);
      const found = calculator.whatIf(share);
      const view = explained(found, share, text);
      assert.equal(view.cards.length, found.cards.length, share);
      assert.doesNotMatch(String(whatIfHtml(view, text)), /undefined|NaN|\[object|null/, share);
    }
  });
}
