// A host's price list: what is read of the JSON, what is wrong with it, in words, and the answers that it gives.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { readLocales } from '../../web/locale_files.mjs';
import { catalogSourcesHtml } from '../../web/page/catalog_sources.mjs';
import { maxProviderLength, maxRows, readPriceList } from '../../web/price_list.mjs';
import { createText, explain } from '../../web/text/explain.mjs';
import { languages } from '../../web/text/messages.mjs';
import { priceProblem, pricesFrom } from '../../web/text/price_list.mjs';
import { assets, randomPriceList, randomShare, randomSource, root, shippedCalculator } from './support.mjs';

const vramfit = await shippedCalculator();
const catalog = vramfit.catalog();
const documentation = readFileSync(join(root, 'web', 'PRICES.md'), 'utf8');
const head = { schema: 'vramfit-prices/1', currency: 'USD', provider: 'Acme Cloud', date: '2026-11-30' };
const read = (json) => readPriceList(json, catalog);
const list = (...prices) => ({ ...head, prices });
const row = (gpu, usd_per_gpu_hour, kind) => ({ gpu, usd_per_gpu_hour, ...(kind && { kind }) });
const text = (lang) => createText(readLocales(lang, ['prices']), lang, { strict: true });

// --- reading --------------------------------------------------------------------------------------------------------------

test('the documented example is read whole', () => {
  const { prices, problems } = read(JSON.parse(documentation.match(/```json\n([\s\S]*?)```/)[1]));
  assert.deepEqual(problems, []);
  assert.equal(prices.provider, 'Acme Cloud');
  assert.deepEqual(prices.rows[0], { gpu: 'h200', usd_per_gpu_hour: 3.2, kind: 'on-demand' });
  assert.ok(prices.rows.some(({ kind }) => kind === 'publisher'), 'and shows a row without a kind');
});

test('ids in any case, with or without dashes; figures to six decimals; a kind that is not said', () => {
  const { prices, problems } = read(list(row('H200', 0), row('h100sxm', 1e6, 'spot'), row('RTX4090', 0.12345678)));
  assert.deepEqual(problems, []);
  assert.deepEqual(prices.rows, [row('h200', 0, 'publisher'), row('h100-sxm', 1e6, 'spot'), row('rtx-4090', 0.123457, 'publisher')]);
});

test('every bad row is reported and left out, the others stay', () => {
  const deep = JSON.parse(`${'['.repeat(5000)}1${']'.repeat(5000)}`);
  const wrong = [
    [row('h2oo', 1), ['unknown-gpu', 'gpu', 'h2oo']],
    [row('', 1), ['unknown-gpu', 'gpu', '']],
    [row('__proto__', 1), ['unknown-gpu', 'gpu', '__proto__']],
    [row(['h200'], 1), ['unknown-gpu', 'gpu', '[…]']],
    [{ usd_per_gpu_hour: 1 }, ['missing', 'gpu', '']],
    [{ gpu: 'b200' }, ['missing', 'usd_per_gpu_hour', '']],
    [row('b200', '3.2'), ['not-a-number', 'usd_per_gpu_hour', '3.2']],
    [row('b200', null), ['not-a-number', 'usd_per_gpu_hour', 'null']],
    [row('b200', [3]), ['not-a-number', 'usd_per_gpu_hour', '[…]']],
    [row('b200', deep), ['not-a-number', 'usd_per_gpu_hour', '[…]']],
    [row('b200', -0.01), ['out-of-range', 'usd_per_gpu_hour', '-0.01']],
    [row('b200', 1000000.01), ['out-of-range', 'usd_per_gpu_hour', '1000000.01']],
    [JSON.parse('{"gpu":"b200","usd_per_gpu_hour":1e999}'), ['out-of-range', 'usd_per_gpu_hour', 'Infinity']],
    [row('h200', 4), ['duplicate', 'gpu', 'h200']],
    [row('b200', 1, 'own'), ['unknown-kind', 'kind', 'own']],
    [{ ...row('b200', 1), kind: null }, ['unknown-kind', 'kind', 'null']],
    [{ ...row('b200', 1), kind: ['spot'] }, ['unknown-kind', 'kind', '[…]']],
    [{ ...row('b200', 1), currency: 'EUR' }, ['unknown-key', 'currency', 'EUR']],
    [JSON.parse('{"gpu":"b200","usd_per_gpu_hour":1,"__proto__":{"kind":"spot"}}'), ['unknown-key', '__proto__', '{…}']],
    [JSON.parse('{"gpu":"b200","usd_per_gpu_hour":1,"constructor":1}'), ['unknown-key', 'constructor', '1']],
    [null, ['not-an-object', '', 'null']],
    ['h200', ['not-an-object', '', 'h200']],
    [[row('b200', 1)], ['not-an-object', '', '[…]']],
  ];
  const { prices, problems } = read(list(row('h200', 3), ...wrong.map(([entry]) => entry), row('b200', 5)));
  assert.deepEqual(prices.rows, [row('h200', 3, 'publisher'), row('b200', 5, 'publisher')]);
  assert.deepEqual(problems, wrong.map(([, [id, field, value]], i) => ({ row: i + 2, id, field, value })));
});

test('a row with several faults is told all of them', () => {
  const { problems } = read(list({ gpu: 'none', usd_per_gpu_hour: 'much', kind: 'cheap', note: 1, more: 2 }));
  assert.deepEqual(problems.map(({ row: at, id }) => [at, id]), [[1, 'unknown-gpu'], [1, 'not-a-number'], [1, 'unknown-kind'], [1, 'unknown-key']]);
});

test('a list with a wrong head is refused', () => {
  const { schema, currency, provider, date } = head;
  for (const [json, ...expected] of [
    [null, ['not-an-object', '', 'null']], [[], ['not-an-object', '', '[…]']], ['x', ['not-an-object', '', 'x']], [undefined, ['not-an-object', '', '']],
    [{ ...list(), schema: 'vramfit-prices/2' }, ['bad-schema', 'schema', 'vramfit-prices/2']],
    [{ ...list(), currency: 'EUR' }, ['bad-currency', 'currency', 'EUR']],
    [{ schema, provider, date, prices: [] }, ['missing', 'currency', '']],
    [{ ...list(), provider: ' ' }, ['bad-provider', 'provider', ' ']],
    [{ ...list(), provider: 5 }, ['bad-provider', 'provider', '5']],
    [{ ...list(), provider: 'a\tb' }, ['bad-provider', 'provider', 'a\uFFFDb']],
    [{ ...list(), provider: 'a\u202Eb' }, ['bad-provider', 'provider', 'a\uFFFDb']],
    [{ ...list(), provider: '\uD800' }, ['bad-provider', 'provider', '\uFFFD']],
    [{ ...list(), provider: 'a'.repeat(81) }, ['too-long', 'provider', `${'a'.repeat(60)}…`]],
    ...['2026-02-30', '2026-1-1', '1999-01-01', '2026-13-01', '30.11.2026', '2026-11-30T00:00:00Z', '+02026-11-30'].map((day) => [{ ...list(), date: day }, ['bad-date', 'date', day]]),
    [{ ...list(), date: 20261130 }, ['bad-date', 'date', '20261130']],
    [{ ...head, prices: { length: 1 } }, ['not-a-list', 'prices', '{…}']],
    [list(...Array(1001).fill(row('h200', 1))), ['too-many-rows', 'prices', '1001']],
    [{ schema, currency, date: 'x', prices: [row('none', 1)] }, ['missing', 'provider', ''], ['bad-date', 'date', 'x']],
  ]) {
    assert.deepEqual(read(json), { prices: null, problems: expected.map(([id, field, value]) => ({ row: null, id, field, value })) });
  }
});

test('a key of the head that is not known is told, and the list is used', () => {
  const { prices, problems } = read({ ...list(row('h200', 3)), region: 'eu', '\u001b[31m': 1 });
  assert.equal(prices.rows.length, 1);
  assert.deepEqual(problems, [{ row: null, id: 'unknown-key', field: 'region', value: 'eu' }]);
});

test('at most: as many rows and characters as documented', () => {
  assert.equal(maxRows, 1000);
  assert.equal(maxProviderLength, 80);
  assert.ok(documentation.includes('1,000 rows') && documentation.includes('80 characters'));
  const { prices, problems } = read({ ...list(...Array(1000).fill(row('h200', 1))), provider: 'ñ'.repeat(80) });
  assert.equal(prices.rows.length, 1);
  assert.equal(problems.length, 999);
});

test('nothing that JSON can hold gets further than a problem', () => {
  const random = randomSource(53);
  const scalars = ['h200', 'spot', '<script>alert(1)</script>', '\u0000', '\n\t', 'USD', 'vramfit-prices/1', '2026-11-30', 1e308, -0, 1e-9, 3, null, true, 'x'.repeat(5000)];
  const keys = ['schema', 'currency', 'provider', 'date', 'prices', 'gpu', 'usd_per_gpu_hour', 'kind', '__proto__', 'constructor', 'toString', 'table', ''];
  const any = (depth) => {
    if (depth === 0 || random.next() < 0.4) return JSON.stringify(random.pick(scalars));
    const inner = Array.from({ length: random.below(5) }, () => any(depth - 1));
    return random.next() < 0.5 ? `[${inner}]` : `{${inner.map((value) => `${JSON.stringify(random.pick(keys))}:${value}`)}}`;
  };
  for (let i = 0; i < 4000; i += 1) {
    const rows = Array.from({ length: random.below(4) }, () => any(3));
    const json = JSON.parse(i % 2 ? any(4) : `{"schema":"vramfit-prices/1","currency":"USD","provider":${i % 4 ? '"<b>x</b>"' : any(1)},"date":"2026-11-30","prices":[${rows}]}`);
    const { prices, problems } = read(json);
    if (!prices) assert.ok(problems.length > 0);
    else assert.equal(vramfit.estimate('gpus=all', { prices }).fit.filter((r) => r.price).length, prices.rows.length);
    for (const problem of problems) {
      assert.deepEqual(Object.keys(problem), ['row', 'id', 'field', 'value']);
      assert.ok(problem.value.length <= 61 && problem.field.length <= 61);
      assert.doesNotMatch(problem.value + problem.field, /\p{Cc}/u);
    }
  }
  assert.equal({}.kind, undefined);
});

// --- in words -------------------------------------------------------------------------------------------------------------

// Every problem there is, by reading something that has it.
const faulty = [
  5, { ...head }, { ...list(), schema: 1, currency: 2, provider: 3, date: 4, prices: 5 }, { ...list(), provider: 'a'.repeat(100) }, list(...Array(1001).fill(0)),
  { ...list('x', { gpu: 'none', usd_per_gpu_hour: 'x', kind: 'x' }, row('h200', 1), row('h200', -1)), extra: 1 },
];

for (const { lang } of languages) {
  test(`${lang}: every problem has its sentence`, () => {
    const problems = faulty.flatMap((json) => read(json).problems);
    const source = readFileSync(join(root, 'web', 'price_list.mjs'), 'utf8');
    const messages = Object.keys(readLocales(lang, ['prices']).price_problem);
    assert.deepEqual([...new Set(problems.map(({ id }) => id))].sort(), messages.sort());
    for (const id of messages) assert.ok(source.includes(`'${id}'`) && documentation.includes(`\`${id}\``), id);
    for (const problem of problems) {
      const sentence = priceProblem(problem, text(lang));
      if (problem.row) assert.match(sentence, new RegExp(`\\b${problem.row}\\b`));
      assert.match(sentence, /[^{}]\.$/);
    }
  });
}

test('whose prices are shown, and what a problem says', () => {
  const { prices } = read(list(row('h200', 3.2)));
  assert.deepEqual(languages.map(({ lang }) => pricesFrom(prices, text(lang))), ['Prices: Acme Cloud, Nov 30, 2026', 'Precios: Acme Cloud, 30 nov 2026', 'Preços: Acme Cloud, 30 de nov. de 2026']);
  const said = (json) => read(json).problems.map((problem) => priceProblem(problem, text('en')));
  assert.deepEqual(said(list(row('h2oo', 1))), ['Row 1 of the price list is not used: there is no GPU “h2oo”.']);
  assert.deepEqual(said({ ...list(), currency: 'EUR' }), ['The price list is not used: “currency” must be “USD”, not “EUR”.']);
  assert.deepEqual(said({ ...list(), region: 'eu' }), ['In the price list, “region” is not a known key.']);
  assert.deepEqual(said(list(...Array(1001))), ['The price list is not used: it has 1001 rows; at most 1,000 are read.']);
});

// --- answers --------------------------------------------------------------------------------------------------------------

test('prices are the list\'s alone, whatever the inputs', () => {
  const random = randomSource(59);
  for (let i = 0; i < 150; i += 1) {
    const { prices } = read(randomPriceList(catalog, random));
    const share = `gpus=all&${randomShare(catalog, random)}`;
    const [with_, without] = [vramfit.estimate(share, { prices }), vramfit.estimate(share)];
    assert.deepEqual(with_.refused, without.refused, share);
    if (with_.refused) continue;
    const listed = new Map(prices.rows.map((r) => [r.gpu, r]));
    for (const { gpu, price } of with_.fit) {
      const r = listed.get(gpu);
      assert.deepEqual(price, r ? { usd_per_gpu_hour: r.usd_per_gpu_hour, book: 'host', provider: prices.provider, kind: r.kind, date: prices.date } : null, `${share} ${gpu}`);
    }
    // What is no matter of price stays as it is.
    assert.deepEqual(with_.methods.rule.total_bytes, without.methods.rule.total_bytes);
    assert.deepEqual(with_.fit.map(({ gpu, verdicts }) => [gpu, verdicts]), without.fit.map(({ gpu, verdicts }) => [gpu, verdicts]));
    // The cheapest, counted anew.
    const offers = with_.fit.flatMap((r) => r.verdicts.flatMap((v, n) => (v === 'fits' && r.price ? [(n + 1) * r.price.usd_per_gpu_hour] : [])));
    if (offers.length) assert.ok(Math.abs(with_.cheapest.usd_per_hour - Math.min(...offers)) < 1e-6, share);
    else assert.equal(with_.cheapest, null);
    for (const { pick } of with_.precision) {
      const each = pick && listed.get(pick.gpu)?.usd_per_gpu_hour;
      if (pick) assert.ok(each === undefined ? pick.usd_per_hour === null : Math.abs(pick.usd_per_hour - pick.count * each) < 1e-6, share);
    }
    assert.equal(vramfit.whatIf(share, { prices }).cards[0].gpu, with_.chosen?.gpu ?? vramfit.whatIf(share, { prices }).cards[0].gpu);
  }
});

test('a price typed with the GPU wins; without a list all is as ever', () => {
  const { prices } = read(list(row('h200', 9), row('b200', 2)));
  const priceOf = (share, gpu) => vramfit.estimate(share, { prices }).fit.find((r) => r.gpu === gpu).price;
  assert.equal(priceOf('gpus=h200:3.2,b200,l40s', 'h200').book, 'own');
  assert.equal(priceOf('gpus=h200:3.2,b200,l40s', 'b200').book, 'host');
  assert.equal(priceOf('gpus=h200:3.2,b200,l40s', 'l40s'), null);
  const before = JSON.stringify([vramfit.estimate('gpus=all'), vramfit.whatIf('gpus=all')]);
  vramfit.estimate('gpus=all', { prices });
  for (const options of [undefined, {}, { prices: null }]) assert.equal(JSON.stringify([vramfit.estimate('gpus=all', options), vramfit.whatIf('gpus=all', options)]), before);
  assert.throws(() => vramfit.estimate('', { prices: list(row('h200', 9)) }), 'what was not read is no list');
});

test('the share string does not carry the list, and the choice of a book is no part of it', () => {
  const { prices } = read(list(row('h200', 9)));
  const result = vramfit.estimate('prices=aws&gpus=all', { prices });
  assert.equal(result.share, vramfit.estimate('prices=aws&gpus=all').share);
  assert.ok(!result.applies.includes('prices') && vramfit.estimate('').applies.includes('prices'));
  assert.ok(result.notices.some(({ id, field }) => id === 'field-not-used' && field === 'prices'));
});

test('the fit table and the sources say whose prices they are, and claim no others', () => {
  const hostile = '<img src=x onerror=alert(1)> & Co';
  const { prices } = read({ ...list(row('h200', 3.2), row('b200', 5, 'spot')), provider: hostile });
  const sources = JSON.parse(readFileSync(join(assets, 'sources.json'), 'utf8'));
  const say = text('en');
  const of = (options) => {
    const result = vramfit.estimate('gpus=article', options);
    const view = explain(result, catalog, say);
    return { view, html: String(catalogSourcesHtml(sources, result, view, say)) };
  };
  const { view, html } = of({ prices });
  const note = (id) => view.fit.find((r) => r.id === id).price?.note;
  assert.equal(note('h200'), `${hostile}, Nov 30, 2026`);
  assert.equal(note('b200'), `${hostile}, spot, Nov 30, 2026`);
  assert.equal(note('l40s'), undefined);
  const escaped = '&lt;img src=x onerror=alert(1)&gt; &amp; Co';
  assert.ok(!html.includes('<img'));
  assert.ok(html.replace(/<[^>]*>/g, '').includes(`PricesH200 SXM: $3.20/h, ${escaped}, Nov 30, 2026`));
  const market = sources.prices.filter((p) => html.includes(p.source));
  assert.deepEqual(market, []);
  assert.ok(sources.prices.some((p) => of().html.includes(p.source)), 'which it does where they are shown');
});
