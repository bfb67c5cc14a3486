// web/RESULT.md against the objects: what it lists is there, and what is there it lists.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { readLocales } from '../../web/locale_files.mjs';
import { golden, root, shippedCalculator } from './support.mjs';

const vramfit = await shippedCalculator();
const catalog = vramfit.catalog();
// Of the engine method, every compartment and split.
const engineShares = ['', 'count=8&gpu=h200&pipeline_parallel=2', 'max_loras=2', 'speculative=draft&draft_model=llama-3.1-8b&gpu=b200', 'weights=q4_k_m&gpu=rtx-4090&count=2', 'gpus=all', 'gpu=h100-sxm&weights=bf16&count=1', 'model=gemma-3-27b&weights=q4_k_m&mmproj=yes', 'model=qwen3-next-80b-a3b&gpu=h200&count=2',
  ...['sglang', 'tensorrt-llm', 'transformers'].map((engine) => `engine=${engine}`)].map((share) => `method=engine&${share}`);
const shares = ['', 'model=deepseek-v3&method=worksheet&count=8', 'weights=bf16&gpu=h100-sxm&count=3', 'task=full&method=worksheet', 'task=qlora', 'params=70b&model=&method=worksheet', 'gpus=all&prices=runpod-pods', 'gpus=h200,l40s:0.5', 'context=-5&foo=1&theme=dark', 'model=kimi-k3&weights=bf16', ...engineShares, ...golden.flatMap((c) => c.share)];
const results = shares.map((share) => vramfit.estimate(share)).filter((r) => !r.refused);
const refused = ['model=nope', 'v=2', 'params=abc'].map((share) => vramfit.estimate(share));

// Sections by heading, without code blocks.
const sections = new Map();
let heading = '';
for (const line of readFileSync(join(root, 'web', 'RESULT.md'), 'utf8').split('\n')) {
  if (/^#+ /.test(line)) heading = line.replace(/^#+ /, '').replaceAll('`', '');
  else sections.set(heading, [...(sections.get(heading) ?? []), line]);
}
const section = (name) => sections.get(name) ?? assert.fail(`RESULT.md has no section "${name}"`);
const names = (text) => [...text.matchAll(/`(\w+)`/g)].map((m) => m[1]);
// First column of the section's table.
const table = (name) => section(name).map((line) => line.match(/^\| `(\w+)` \|/)?.[1]).filter(Boolean);
// The names in the braces that follow `before`.
function braces(name, before) {
  const text = section(name).join('\n');
  const at = text.indexOf(before);
  assert.ok(at >= 0, `"${before}" in ${name}`);
  return text.slice(at).match(/\{ ([^}]*) \}/)[1].split(',').map((key) => key.replace(/["\s]/g, ''));
}
// The names a sentence lists; what stands in parentheses explains them.
const listed = (name, start, end) => names(section(name).find((line) => line.startsWith(start))?.split(end)[0].replace(/\([^)]*\)/g, '') ?? assert.fail(`"${start}" in ${name}`));

// Every key of these objects, and only keys that one of them has.
function same(documented, objects, what) {
  assert.ok(objects.length > 0, what);
  assert.deepEqual([...documented].sort(), [...new Set(objects.flatMap((o) => Object.keys(o)))].sort(), what);
}

const methods = results.flatMap((r) => Object.values(r.methods));
const compartments = methods.flatMap((m) => m.compartments);
const methodSection = 'methods.rule, methods.worksheet, methods.engine';

test('the whole object', () => {
  const always = table('Always present');
  same(always, refused, 'refused');
  same([...always, ...table('Present unless refused')], results, 'answered');
  for (const r of [...results, ...refused]) for (const key of always) assert.ok(key in r, key);
  for (const r of results) for (const key of table('Present unless refused')) assert.ok(key in r, key);
  same(table('engine'), results.map((r) => r.engine).filter(Boolean), 'engine');
});

test('notices', () => {
  const documented = braces('Always present', '`notices`');
  const all = [...results, ...refused].flatMap((r) => r.notices);
  for (const notice of all) assert.deepEqual(Object.keys(notice), documented);
  assert.deepEqual([...new Set(all.map((n) => n.severity))].sort(), names(section('notices[]').join(' ')).filter((w) => ['error', 'warning', 'info'].includes(w)).sort());
});

test('view', () => {
  const documented = names(section('Always present').find((line) => line.startsWith('| `view`'))).slice(1);
  assert.deepEqual(Object.keys(vramfit.estimate(documented.map((key) => `${key}=x`).join('&')).view), documented);
  assert.deepEqual(vramfit.estimate('weights=bf16').view, {});
});

test('inputs are the fields of the catalogue', () => {
  const keys = catalog.fields.map((f) => f.key);
  for (const r of results) {
    const told = keys.filter((key) => catalog.fields.find((f) => f.key === key).group !== 'engine' || key in r.inputs);
    assert.deepEqual(Object.keys(r.inputs), told);
    if (r.method === 'engine') for (const key of r.applies) assert.ok(key in r.inputs, key);
    assert.deepEqual(r.applies.filter((key) => !keys.includes(key)), []);
  }
});

test('model', () => same(names(section('model').join(' ')), [...results, ...refused].map((r) => r.model), 'model'));

test('picks', () => {
  const documented = braces('Present unless refused', 'A *pick* is');
  for (const r of results) {
    for (const pick of [r.best, r.cheapest, r.chosen, ...r.precision.map((p) => p.pick)]) if (pick) assert.deepEqual(Object.keys(pick), documented);
    for (const step of r.precision) assert.deepEqual(Object.keys(step), braces('Present unless refused', '`precision`'));
  }
  assert.ok(results.some((r) => r.best === null), 'nothing fits somewhere');
});

test('methods', () => {
  for (const m of methods) assert.deepEqual([...Object.keys(m)].sort(), table(methodSection).sort());
  for (const { rank_bytes, place, ...c } of compartments) assert.deepEqual(Object.keys(c), braces(methodSection, '`compartments`'));
  same(listed(methodSection, '`terms[]`', /\. /), compartments.flatMap((c) => c.terms), 'terms');
  same(listed(methodSection, '`layouts[]`', 'Reasons:'), methods.flatMap((m) => m.layouts), 'layouts');
  const ids = names(section(methodSection).find((line) => line.startsWith('Compartment ids:')));
  assert.deepEqual([...new Set(compartments.map((c) => c.id))].sort(), ids.sort());
  const splits = names(section(methodSection).find((line) => line.startsWith('| `split`'))).slice(1);
  assert.deepEqual([...new Set([...methods, ...['weights=q4_k_m&method=worksheet'].flatMap((s) => Object.values(vramfit.estimate(s).methods))].map((m) => m.split))].sort(), splits.sort());
});

test('ranks, where they differ', () => {
  assert.ok(names(section(methodSection).find((line) => line.startsWith('| `compartments`'))).includes('rank_bytes'));
  const { compartments: parts } = vramfit.estimate('weights=q4_k_m&method=worksheet&gpu=h200&count=3').methods.worksheet;
  assert.deepEqual(parts.filter((c) => c.rank_bytes).map((c) => c.id), ['weights', 'kv_cache', 'headroom']);
  for (const c of parts.filter((part) => part.rank_bytes)) {
    assert.equal(c.rank_bytes.length, 3);
    assert.equal(c.rank_bytes[0], c.per_gpu_bytes.likely);
    assert.equal(c.rank_bytes.reduce((sum, bytes) => sum + bytes), c.total_bytes.likely);
    assert.deepEqual([...c.rank_bytes].sort((a, b) => b - a), c.rank_bytes);
  }
  assert.ok(vramfit.estimate('method=worksheet&count=8').methods.worksheet.compartments.every((c) => !c.rank_bytes));
});

test('reasons are those of the locale files', () => {
  const documented = [...section(methodSection).find((line) => line.startsWith('`layouts[]`')).split('Reasons:')[1].matchAll(/`([\w-]+)`/g)].map((m) => m[1]);
  const en = readLocales('en', ['engine']);
  assert.deepEqual([...documented, 'node-limit', 'other'].sort(), Object.keys(en.reason).sort());
});

test('ranges', () => {
  const documented = braces('The result object', 'A *range* is');
  for (const m of methods) {
    for (const range of [m.total_bytes, ...m.compartments.flatMap((c) => [c.per_gpu_bytes, c.total_bytes, ...c.terms.map((t) => t.bytes)]), ...m.layouts.map((l) => l.need_bytes)]) {
      assert.deepEqual(Object.keys(range), documented);
      assert.ok(range.low <= range.likely && range.likely <= range.high, JSON.stringify(range));
      assert.ok(Number.isInteger(range.likely) && Number.isInteger(range.high));
    }
  }
});

test('the fit table', () => {
  const rows = results.flatMap((r) => r.fit);
  const ofEngine = ['causes', 'cause_numbers', 'need_bytes'];
  for (const { method, fit } of results) for (const row of fit) assert.deepEqual(Object.keys(row).sort(), table('fit[]').filter((key) => method === 'engine' || !ofEngine.includes(key)).sort());
  const caused = results.filter((r) => r.method === 'engine').flatMap((r) => r.fit);
  for (const row of caused) row.verdicts.forEach((verdict, i) => assert.equal(row.causes[i] === '', verdict === 'fits' || verdict === 'node-limit', `${row.gpu} ${i + 1}: ${verdict} ${row.causes[i]}`));
  const documented = section('fit[]').find((line) => line.startsWith('| `causes`'));
  for (const cause of new Set(caused.flatMap((row) => row.causes.filter((_, i) => ['tight', 'does-not-fit'].includes(row.verdicts[i]))))) assert.ok(documented.includes(`\`${cause}\``), cause);
  for (const row of rows) {
    assert.equal(row.verdicts.length, 8);
    if (row.price) assert.deepEqual(Object.keys(row.price), braces('fit[]', '`price`'));
  }
  assert.ok(rows.some((row) => row.price === null) && rows.some((row) => row.price?.book === 'own'));
});

test('what if', () => {
  const title = 'What if';
  const answers = [...shares, 'model=nope'].map((share) => vramfit.whatIf(share));
  const tables = table(title);
  const whole = tables.slice(0, tables.indexOf('kv'));
  for (const w of answers) {
    assert.deepEqual(Object.keys(w), whole);
    assert.equal(w.cards.length > 0, !w.refused);
    for (const card of w.cards) assert.deepEqual(Object.keys(card), braces(title, '`cards`'));
    for (const axis of w.axes) {
      assert.deepEqual(Object.keys(axis), braces(title, '`axes`'));
      assert.equal(axis.lines.filter((line) => line.chosen).length, 1);
      for (const line of axis.lines) {
        for (const key of ['need_bytes', 'low_bytes', 'high_bytes']) if (line[key]) assert.equal(line[key].length, axis.values.length);
        assert.equal(line.limits.length, w.cards.length);
        for (const limit of line.limits) assert.deepEqual(Object.keys(limit), braces(title, '`limits`'));
      }
    }
  }
  same(tables.slice(whole.length), answers.flatMap((w) => w.axes.flatMap((axis) => axis.lines)), 'lines');
  assert.deepEqual(answers.at(-1), { refused: true, count: 1, missing: [], cards: [], axes: [] });
  assert.ok(answers.some((w) => w.missing.length > 0));
});

test('what if agrees with the estimate', () => {
  for (const share of ['', 'method=worksheet&weights=q4_k_m', 'task=lora&method=worksheet']) {
    const w = vramfit.whatIf(share);
    const { chosen, method } = vramfit.estimate(share);
    assert.deepEqual([w.cards[0].gpu, w.count], [chosen.gpu, chosen.count]);
    for (const axis of w.axes) {
      for (const line of axis.lines) {
        const at = (value) => vramfit.estimate(`gpu=${chosen.gpu}&count=${chosen.count}&${axis.field}=${value}&${line.kv && `kv=${line.kv}&`}${share}`);
        assert.equal(at(axis.values[5]).methods[method].layouts[chosen.count - 1].need_bytes.likely, line.need_bytes[5]);
        const [{ fits, runs }] = line.limits;
        assert.deepEqual([fits, fits + 1, runs, runs + 1].map((value) => at(value).chosen.verdict), ['fits', 'tight', 'tight', 'does-not-fit'], `${share} ${axis.field} ${line.kv}`);
      }
    }
  }
});

test('the catalogue', () => {
  const title = 'The catalogue';
  assert.deepEqual(Object.keys(catalog), names(section(title).find((line) => line.startsWith('`vramfit.catalog()`'))));
  same(listed(title, '- `fields[]`', /\.$/), catalog.fields, 'fields');
  same(listed(title, '- `models[]`', /\.$/), catalog.models, 'models');
  same(listed(title, '- `gpus[]`', /\.$/), catalog.gpus, 'gpus');
  const kinds = [...section(title).find((line) => line.startsWith('- `fields[]`')).matchAll(/\(([^)]*)\)/g)][0][1].match(/[\w-]+/g);
  assert.deepEqual([...new Set(catalog.fields.map((f) => f.kind))].sort(), kinds.sort());
});

test('keys say their unit', () => {
  const unitless = new Set(['number', 'low', 'likely', 'high']);
  const walk = (value, key) => {
    if (Array.isArray(value)) return value.forEach((v) => walk(v, key));
    if (value && typeof value === 'object') return Object.entries(value).forEach(([k, v]) => walk(v, unitless.has(k) ? key : k));
    // A figure beyond any count is bytes.
    if (typeof value === 'number' && value > 1e9) assert.match(key, /bytes|params|capacity|^used$|tokens/);
    return undefined;
  };
  for (const share of shares) walk(vramfit.whatIf(share), '');
  for (const r of results) walk({ ...r, inputs: {}, methods: Object.values(r.methods).map((m) => ({ ...m, compartments: m.compartments.map(({ terms, ...c }) => c) })) }, '');
});
