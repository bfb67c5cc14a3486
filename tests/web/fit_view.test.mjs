// Sorting and filtering of the fit table, on small rows and on the whole catalogue.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readLocale } from '../../web/locale_files.mjs';
import { arrange, asMade, isFiltered, offers, sorts } from '../../web/page/fit_view.mjs';
import { createText, explain } from '../../web/text/explain.mjs';
import { shippedCalculator } from './support.mjs';

const row = (id, vendor, kind, gb, verdict = null, share = 0, usd = Infinity) => ({ id, vendor, kind, gb, smallest: verdict && { verdict, share, usd } });
// In order of fit.
const rows = [
  row('a', 'nvidia', 'sxm', 141, 'fits', 0.4, 5.4),
  row('b', 'amd', 'oam', 192, 'fits', 0.6),
  row('c', 'nvidia', 'pcie', 48, 'fits', 0.1, 1.9),
  row('d', 'nvidia', 'pcie', 80, 'tight', 0.02, 1.9),
  row('e', 'amd', 'consumer', 16),
];
const ids = (view) => arrange(rows, { ...asMade, ...view }).map((r) => r.id).join('');
const offered = (view, from = rows) => Object.fromEntries(offers(from, { ...asMade, ...view }).map(({ name, choices }) => [name, choices]));

test('orders: what a row lacks puts it last, equals stay in the order of fit', () => {
  assert.deepEqual(sorts.map((sort) => ids({ sort })), ['abcde', 'bacde', 'cdabe', 'badce']);
});

test('filters, one by one and together', () => {
  assert.equal(ids({ vendor: 'amd' }), 'be');
  assert.equal(ids({ kind: 'pcie' }), 'cd');
  assert.equal(ids({ memory: '80' }), 'abd');
  assert.equal(ids({ verdict: 'fits' }), 'abc');
  assert.equal(ids({ verdict: 'tight' }), 'abcd');
  assert.equal(ids({ vendor: 'nvidia', memory: '80', sort: 'cost' }), 'da');
  assert.equal(ids({ vendor: 'amd', kind: 'pcie' }), '');
});

test('the rows and the view are left as they are', () => {
  const before = structuredClone(rows);
  arrange(Object.freeze(rows), Object.freeze({ ...asMade, sort: 'memory' }));
  assert.deepEqual(rows, before);
});

test('only choices that make a difference are offered, numbers by size', () => {
  assert.deepEqual(offered({}), { vendor: ['amd', 'nvidia'], kind: ['consumer', 'oam', 'pcie', 'sxm'], memory: ['48', '80', '141', '192'], verdict: ['fits', 'tight'] });
  assert.deepEqual(offered({}, rows.slice(0, 3)).verdict, undefined, 'all fit');
  assert.deepEqual(offered({}, rows.slice(2, 4)), { memory: ['80'], verdict: ['fits'] });
  assert.deepEqual(offered({}, rows.slice(0, 1)), {});
});

test('a choice in force stays on offer when the table no longer has it', () => {
  assert.deepEqual(offered({ vendor: 'intel', memory: '100', verdict: 'tight' }, rows.slice(2, 4)), { vendor: ['intel'], memory: ['80', '100'], verdict: ['fits', 'tight'] });
});

test('an order is no filter', () => {
  assert.ok(!isFiltered({ ...asMade, sort: 'cost' }));
  assert.ok(isFiltered({ ...asMade, verdict: 'fits' }));
});

test('every order and choice works on the whole catalogue, and every excluded count says why', async () => {
  const calculator = await shippedCalculator();
  const text = createText(readLocale('en'), 'en', { strict: true });
  const { fit } = explain(calculator.estimate('gpus=all&method=worksheet'), calculator.catalog(), text);
  for (const sort of sorts) assert.deepEqual(arrange(fit, { ...asMade, sort }).map((r) => r.id).sort(), fit.map((r) => r.id).sort());
  const all = offers(fit, asMade);
  assert.deepEqual(all.map(({ name }) => name), ['vendor', 'kind', 'memory', 'verdict']);
  for (const { name, choices } of all) {
    for (const choice of choices) {
      const kept = arrange(fit, { ...asMade, [name]: choice }).length;
      assert.ok(kept > 0 && kept < fit.length, `${name}=${choice}`);
    }
  }
  for (const r of fit) for (const c of r.counts) if (c.verdict === 'unusable') assert.match(c.label, /^\dx .+: not usable, .{8,}/, c.label);
});
