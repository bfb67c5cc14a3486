// Canvas and page must say the same: what shell/text makes of a result is compared with web/text, word for word, and its numbers with
// Intl.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

import { marksOf } from '../../shell/canvas/marks.mjs';
import { readLocales } from '../../web/locale_files.mjs';
import { fieldText, searchedText, valueOf } from '../../web/page/form.mjs';
import { readNumber } from '../../web/page/numbers.mjs';
import { readPriceList } from '../../web/price_list.mjs';
import { createText, explain } from '../../web/text/explain.mjs';
import { reasonText } from '../../web/text/reasons.mjs';
import { createFormat } from '../../web/text/format.mjs';
import { languages, resolveLanguage } from '../../web/text/messages.mjs';
import { modelName, weightsGroup } from '../../web/text/names.mjs';
import { nearest } from '../../web/text/nearest.mjs';
import { toTable } from '../../web/text/table.mjs';
import { golden, randomPriceList, randomShare, randomSource, regions, root, shippedCalculator } from './support.mjs';

const vramfit = await shippedCalculator();
const catalog = vramfit.catalog();
const langs = languages.map(({ lang }) => lang);
// One of each way in which regions write figures otherwise than their language does at home.
const elsewhere = [...new Map(regions.map((tag) => [tag.slice(0, 2) + marksOf(tag), tag])).values()].filter((tag) => marksOf(tag) !== marksOf(resolveLanguage(tag).lang));
const locales = Object.fromEntries(langs.map((lang) => [lang, readLocales(lang, ['engine'])]));

// `tags`: those that speak in `lines` with the texts that the element gives the canvas; without, the program's own speak.
function canvasAnswers(lines, { tags = [], prices = null } = {}) {
  const tables = tags.map((tag) => `table ${tag} ${(toTable(locales[resolveLanguage(tag).lang]) + marksOf(tag)).replaceAll('\n', '\x1f')}`);
  const { stdout, status, error } = spawnSync(join(root, 'build', 'dev', 'tests', 'words'), prices ? [prices.table] : [], { input: [...tables, ...lines].map((l) => `${l}\n`).join(''), maxBuffer: 1 << 30, encoding: 'utf8' });
  if (error || status !== 0) throw error ?? new Error(`words: exit ${status}`);
  return stdout.split('\n').slice(0, -1).map((line) => JSON.parse(line)).slice(tables.length);
}

// --- results --------------------------------------------------------------------------------------------------------------

const said = (value) => (value === null || value === undefined || String(value) === '' ? null : String(value));

function pageInputs(result, text) {
  const quiet = ['params', 'layers', 'sequences', 'gpus'];
  return Object.fromEntries(catalog.fields.map((field) => {
    const value = valueOf(field, result.inputs);
    const choice = (id) => (text.has(`choice.${field.key}.${id}`) ? text.t(`choice.${field.key}.${id}`) : id);
    const searched = ['model', 'gpu', 'draft_model'].includes(field.key);
    const entry = {
      label: text.t(`field.${field.key}`),
      help: text.has(`help_field.${field.key}`) ? text.t(`help_field.${field.key}`) : null,
      unit: field.unit && !quiet.includes(field.unit) && text.has(`unit.${field.unit}`) ? text.t(`unit.${field.unit}`) : null,
      group: text.t(`group.${field.group}`),
      shown: searched ? searchedText(field.key, value, catalog, text) : field.choices ? choice(value) : fieldText(field, value, text.formats),
    };
    if (field.choices?.length) entry.choices = field.choices.map(choice);
    return [field.key, entry];
  }));
}

function pageWords(share, text, prices) {
  const result = vramfit.estimate(share, { prices });
  const view = explain(result, catalog, text);
  const out = {
    state: view.state,
    sentence: view.sentence,
    inputs: pageInputs(result, text),
    notices: view.notices.map((n) => ({ severity: text.t(`severity.${n.severity}`), field: n.field, text: n.text })),
  };
  if (result.refused) return out;
  const { layouts } = result.methods[result.method];
  const c = view.compartments;
  return {
    ...out,
    model: modelName(result, text),
    group: weightsGroup(result.weights),
    incomplete: said(view.incomplete),
    compartments: {
      count: c.count,
      sum: c.sum,
      capacity: c.capacity,
      need: said(c.need),
      needAll: said(c.needAll),
      title: c.title,
      split: said(c.split),
      free: c.free && { bytes: c.free.bytes, figure: said(c.free.figure), share: c.free.share },
      rows: c.rows.map((row) => ({
        ...row, perGpu: said(row.perGpu), all: said(row.all), terms: row.terms.map((term) => ({ ...term, bytes: said(term.bytes) })),
      })),
    },
    fit: view.fit.map((row) => ({
      ...row,
      price: row.price && { perGpu: said(row.price.perGpu), note: row.price.note },
      counts: row.counts.map(({ cause, ...cell }) => ({
        ...cell,
        why: !cell.reason ? cause
          : cell.reason === 'node-limit' ? row.limit
          : reasonText(cell.reason, result.fit.find((f) => f.gpu === row.id).cause_numbers?.[cell.count - 1] ?? layouts[cell.count - 1].reason_number, [cell.count], text),
      })),
      smallest: row.smallest && { ...row.smallest, room: said(row.smallest.room), cost: said(row.smallest.cost), usd: row.smallest.usd === Infinity ? null : row.smallest.usd },
    })),
    layoutNotes: view.layoutNotes,
    cheapest: view.cheapest && text.t('page.fit.cheapest', view.cheapest),
  };
}

function compareWords(shares, tags, unitsUsed, { builtIn = false, prices = null } = {}) {
  for (const tag of tags) {
    for (const units of unitsUsed) {
      const { lang, formats } = resolveLanguage(tag);
      const text = createText(locales[lang], lang, { units, formats });
      const canvas = canvasAnswers(shares.map((share) => `words ${tag} ${units} ${share}`), { tags: builtIn ? [] : [tag], prices });
      assert.equal(canvas.length, shares.length);
      shares.forEach((share, i) => assert.deepEqual(canvas[i], JSON.parse(JSON.stringify(pageWords(share, text, prices))), `${tag} ${units} ${share}`));
    }
  }
}

const allUnits = ['auto', 'GB', 'GiB'];

test('golden shares, in every language and unit', () => compareWords(golden.flatMap((c) => c.share), langs, allUnits));

test('random shares, in every language and unit', () => {
  const random = randomSource(41);
  const shares = (length) => Array.from({ length }, () => randomShare(catalog, random));
  compareWords(shares(40), langs, allUnits);
  for (const lang of langs) for (const units of allUnits) compareWords(shares(60), [lang], [units]);
});

test('random shares, in regions and by the built-in texts', () => {
  assert.ok(regions.length > 100 && elsewhere.length > 30);
  const random = randomSource(45);
  const shares = (length) => Array.from({ length }, () => randomShare(catalog, random));
  compareWords(shares(60), ['es-MX', 'es-US', 'es-AR', 'es-CR', 'pt-PT', 'en-GB', 'en-ZA'], ['auto']);
  compareWords(shares(20), [...langs, 'es-MX', 'pt-PT'], ['auto'], { builtIn: true });
});

test('random shares on all GPUs', () => {
  const random = randomSource(43);
  const shares = Array.from({ length: 60 }, () => `gpus=all&${randomShare(catalog, random).replace(/(^|&)gpus=[^&]*/, '')}`);
  compareWords(shares, ['es'], ['auto']);
});

test('by a host\'s price list, in every language', () => {
  const random = randomSource(47);
  for (let i = 0; i < 4; i += 1) {
    const { prices } = readPriceList(randomPriceList(catalog, random), catalog);
    const shares = Array.from({ length: 15 }, () => `gpus=all&${randomShare(catalog, random)}`);
    compareWords([...shares, 'gpus=h200:3,b200,l40s&prices=aws'], langs, ['auto'], { prices });
    assert.ok(explain(vramfit.estimate('gpus=all', { prices }), catalog, createText(locales.en, 'en')).fit.some((row) => row.price?.note.startsWith(prices.provider)));
  }
});

test('every model by every method', () => {
  const shares = catalog.models.map((m, i) => `model=${m.id}&method=${['rule', 'worksheet', 'engine'][i % 3]}&context=${1 << (10 + (i % 8))}&sequences=${1 + (i % 5)}`);
  shares.forEach((_, i) => compareWords([shares[i]], [langs[i % 3]], [allUnits[i % 2]]));
});

test('what is typed wrong, and what is not in the catalogue', () => compareWords([
  '', 'model=lama-3-70b', 'gpu=h2000', 'gpus=h200,b2oo,l40s:0.97', 'gpus=nothing', 'weights=fp7', 'params=70b', 'params=70b&num_layers=80&num_heads=64',
  'params=7b&num_layers=32&num_kv_heads=8&head_dim=128&method=worksheet', 'context=many', 'context=5e9', 'sequences=1.5', 'what=ever', 'constructor=1', 'gpu=a100', 'gpus=h100:cheap',
  'gpus=h100:2.5&gpu=h100-sxm&count=3', 'model=&params=1234567', 'count=3', 'count=7&gpus=consumer', 'gpu=rtx-4090&count=8&weights=bf16', 'v=2', 'context=1&context=2',
  'model=deepseek-v3&gpus=consumer', 'task=full&model=deepseek-v3', 'headroom=12.345&method=worksheet', '%zz=%zz',
  'context=268435456&sequences=65536&method=worksheet',
], langs, ['auto', 'constructor']));

// --- numbers --------------------------------------------------------------------------------------------------------------

function compareFiguresIn(tags, kind, values, ofPage) {
  const answers = canvasAnswers(tags.map((tag) => `number ${tag} ${kind} ${values.join(' ')}`), { tags });
  tags.forEach((tag, i) => {
    const format = createFormat(resolveLanguage(tag).lang, 'auto', tag);
    values.forEach((value, j) => assert.equal(answers[i][j], String(ofPage(format, value, tag)), `${tag} ${kind} ${value}`));
  });
}

// All of it in our languages, a part of it in every region.
function compareFigures(kind, values, ofPage) {
  compareFiguresIn(langs, kind, values, ofPage);
  compareFiguresIn(elsewhere, kind, values.filter((_, i) => i < 50 || i % 29 === 0), ofPage);
}

// Spread over magnitudes, with ties and near-ties of every rounding among them.
function sweep(seed, count, most) {
  const random = randomSource(seed);
  const values = [0, 1, 9.5, 10, 99.5, 99.95, 99.949999, 100, 999.5, 1000, 9999, 9999.5, 10000, 999999.5, 1e6];
  while (values.length < count) {
    const value = Math.exp(Math.log(most) * (random.next() * 1.2 - 0.2));
    const places = random.below(7);
    const tie = (Math.floor(value * 10 ** places) + 0.5) / 10 ** places;
    values.push(value, Math.round(value), Number(value.toFixed(places)), tie, tie * (1 - 2 ** -52), tie * (1 + 2 ** -52));
  }
  return values.filter((v) => v < 2 ** 53);
}

for (let digits = 0; digits <= 6; digits += 1) {
  test(`numbers of ${digits} decimals`, () => {
    const values = sweep(50 + digits, 4000, 1e9);
    compareFigures(`number${digits}`, [...values, -1.5, -1234.5, -0.04], (format, value) => format.number(value, digits));
    compareFigures(`plain${digits}`, values, (format, value, lang) => new Intl.NumberFormat(lang, { useGrouping: false, maximumFractionDigits: digits }).format(value));
  });
}

test('whole numbers of every length', () => compareFigures('number0', sweep(3, 4000, 2 ** 53), (format, value) => format.number(value)));
for (const unit of ['GB', 'GiB']) test(`bytes in ${unit}`, () => compareFigures(unit, sweep(61, 6000, 1e14), (format, value) => format.in(unit, value)));
test('counts of parameters', () => compareFigures('params', sweep(62, 6000, 1e14), (format, value) => format.params(value)));
test('percentages', () => compareFigures('percent', sweep(63, 6000, 2000), (format, value) => format.percent(value)));
test('shares', () => compareFigures('share', [...sweep(64, 6000, 1).map((v) => v / 1000), ...sweep(65, 3000, 20)], (format, value) => format.share(value)));
test('prices', () => compareFigures('usd', sweep(66, 6000, 1e6), (format, value) => format.usdPerHour(value)));

test('every day of five years', () => {
  const days = Array.from({ length: 5 * 366 }, (_, i) => new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10));
  compareFigures('date', days, (format, value) => format.date(value));
});

test('lists', () => {
  const random = randomSource(67);
  const words = ['8', '1', '11', '80', '11 GB', '110', 'a', 'iota', 'Hierro', 'hilo', 'hiato', 'hi', 'oro', 'Horno', 'y', 'Índice', 'KV cache', 'estado', 'optimizador', 'Optimizer'];
  const lists = [...words.map((w) => ['a', w]), ...Array.from({ length: 400 }, () => Array.from({ length: 1 + random.below(5) }, () => random.pick(words)))];
  for (const [kind, type] of [['and', 'conjunction'], ['or', 'disjunction']]) {
    for (const lang of langs) {
      const answers = canvasAnswers(lists.map((list) => `list ${lang} ${kind} ${list.join('\t')}`));
      const format = createFormat(lang);
      lists.forEach((list, i) => assert.equal(answers[i], format.list(list, type), `${lang} ${list}`));
    }
  }
});

// --- what is typed --------------------------------------------------------------------------------------------------------

test('typed numbers are read as the page reads them', () => {
  const random = randomSource(71);
  const typed = ['1.5', '1,5', '1,234.5', '1.234,5', '131,072', '131 072', '131\u00A0072', '131\u202F072', '1\u2019000', "1'000", '1_000', '0,125', '.5', ',5', '.', ',', '1.', '1,,2', '1.2.3', '1.234.567', '12.34.567', '1,234,567.8',
    '32k', '1.5k', '1,5m', '70b', '70 B', '0.5t', '1.234b', '1,234', '01,234', '999,999', '1234,567', 'k', '1e5', '-5', '+5', '12%', '١٢', '1.234k', '1..', '..1', '.5.', '1,2,3', '1.000.', 'h200', '9'.repeat(50)];
  const letters = '0123456789.,,..k b';
  while (typed.length < 2000) typed.push(Array.from({ length: 1 + random.below(9) }, () => letters[random.below(letters.length)]).join('').trim() || '0');
  for (const field of catalog.fields.filter((f) => 'minimum' in f)) {
    const [answers] = canvasAnswers([`typed ${field.key} ${typed.join('\t')}`]);
    typed.forEach((text, i) => {
      const read = readNumber(field.kind, field.whole, text);
      const notices = read === null ? [] : vramfit.estimate(`${field.key}=${read}`).notices;
      const number = read === null || notices.some((n) => n.id === 'not-a-number') ? null : valueOf(field, vramfit.estimate(`model=&${field.key}=${read}`).inputs);
      assert.deepEqual(answers[i], [read, number], `${field.key} ${JSON.stringify(text)}`);
    });
  }
});

test('near ids are those of the page', () => {
  const random = randomSource(73);
  const ids = [...catalog.models, ...catalog.gpus].flatMap(({ id, name }) => [id, name]);
  const typed = Array.from({ length: 500 }, () => {
    const id = random.pick(ids);
    const at = random.below(id.length);
    return id.slice(0, at) + random.pick(['', 'x', '-', '0', 'é']) + id.slice(at + random.below(4));
  }).filter((text) => text.trim() === text && text !== '');
  const answers = canvasAnswers(typed.map((text) => `nearest ${text}`));
  typed.forEach((text, i) => assert.deepEqual(answers[i], [...nearest(text, catalog.models), ...nearest(text, catalog.gpus)], text));
});
