// The product on the cases that the project keeps (tests/accuracy/cases): no figure may be worse than recorded, no usable row skipped,
// and what the site publishes must be what the product says now.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { read_fitted } from '../../web/cli/accuracy/fitted.mjs';
import { published } from '../../web/cli/accuracy/publish.mjs';
import { readLocales } from '../../web/locale_files.mjs';
import { caseFiles, measuredFile, recordCommand, recordedFile, recordOf, runCases, worse } from '../accuracy/recording.mjs';
import { dist } from './support.mjs';

const recorded = JSON.parse(readFileSync(recordedFile, 'utf8'));
const measured = JSON.parse(readFileSync(measuredFile, 'utf8'));
const result = await runCases(dist);
const now = JSON.parse(JSON.stringify(recordOf(result)));
const cases = caseFiles.flatMap((file) => readFileSync(file, 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line)));
const later = `If that is meant, record it: ${recordCommand}`;

test('every case has a name of its own and a source', () => {
  assert.ok(cases.length > 1400);
  assert.equal(new Set(cases.map((row) => row.id)).size, cases.length);
  for (const row of cases) assert.ok(row.source.length > 8, row.id);
});

test('every case is used or skipped with a reason; none stops the program', () => {
  for (const f of result.files) assert.deepEqual([f.malformed, f.rows], [0, f.used + f.skipped], f.file);
  for (const s of [...result.skipped, ...result.left_out]) assert.doesNotMatch(s.reason, /this program failed|undefined|no measured figure that the product answers/, s.id);
});

test('no figure is worse than recorded, and no usable row is skipped', () => {
  const messages = worse(recorded, now, result);
  assert.equal(messages.length, 0, `\n${messages.join('\n')}\n${later}`);
});

test('record and site are of this product', () => {
  const stale = 'figures have changed, none for the worse';
  assert.deepEqual(now, recorded, `recorded.json: ${stale}. Record them: ${recordCommand}`);
  const fresh = JSON.parse(JSON.stringify(published(result, measured.date, read_fitted())));
  assert.deepEqual(fresh, measured, `measured.json, which the accuracy page is made from: ${stale}. Record them: ${recordCommand}`);
});

test('what constants were fitted on is named with sources that the product cites', () => {
  const { cite } = readLocales('en');
  for (const f of read_fitted()) {
    assert.ok(cases.some((row) => row.source.startsWith(f.source)), f.source);
    for (const id of f.constants) assert.ok(cite[id], `${id} has no text`);
    for (const compartment of f.compartments) assert.ok(result.comparisons.some((c) => c.method === 'engine' && c.engine === f.engine && c.compartment === compartment), `${f.engine} ${compartment}`);
  }
});

// --- the comparison itself ----------------------------------------------------------------------------------------------

const changed = (change) => {
  const copy = structuredClone(result);
  change(copy);
  return worse(recordOf(result), recordOf(copy), copy);
};
const pool = (c) => c.engine === 'vllm' && c.compartment === 'pool' && c.method === 'engine';

test('the same findings are not worse', () => assert.deepEqual(changed(() => {}), []));

test('a figure that moves away is named, with its group and rows', () => {
  const messages = changed((r) => r.comparisons.filter(pool).slice(0, 30).forEach((c) => {
    c.bias -= 0.2;
    c.error = Math.abs(c.bias);
    c.covered = false;
  }));
  const group = messages.find((m) => m.startsWith('serving, vllm, pool, engine, catalogue: '));
  assert.match(group, /median_error [\d.]+% -> \d+/);
  assert.match(group, /coverage \d/);
  assert.match(group, /\n {4}serving\.jsonl \S+: off by \S+ -> -\S+%, now out of range/);
});

test('a wider range, a wrong verdict and a lost mark are each named', () => {
  assert.ok(changed((r) => r.comparisons.filter(pool).forEach((c) => { c.width += 0.1; })).some((m) => /vllm, pool, engine.*median_width/.test(m)));
  const verdict = result.verdicts.find((v) => v.method === 'engine' && v.outcome === 'right' && v.expected === 'fits' && v.firmness === 'tested');
  const wrong = changed((r) => { r.verdicts.find((v) => v.id === verdict.id && v.method === 'engine').outcome = 'wrong'; });
  assert.match(wrong.find((m) => m.startsWith('verdicts of ')), new RegExp(`fits_right \\d+ -> \\d+, .*wrong \\d+ -> \\d+ of the same rows\\n {4}\\S+ ${verdict.id}: right -> wrong`));
  assert.ok(changed((r) => r.comparisons.filter(pool).forEach((c) => { c.predicted.likely += 2 ** 30; })).some((m) => /^mark vllm_pool, median_difference: [\d.]+ GiB -> 1\.\d+ GiB/.test(m)));
});

test('a row that is not used any more is named with the reason', () => {
  const row = result.comparisons.find(pool);
  const of = (list) => list.filter((x) => x.id !== row.id);
  const messages = changed((r) => {
    Object.assign(r, { comparisons: of(r.comparisons), verdicts: of(r.verdicts) });
    r.skipped.push({ file: row.file, line: row.line, id: row.id, kind: row.kind, reason: 'quantization not modelled: x' });
  });
  assert.match(messages[0], new RegExp(`usable rows are skipped \\(1\\):\\n {4}serving\\.jsonl ${row.id}: quantization not modelled: x`));
  assert.ok(messages.some((m) => m.includes('pool, engine, catalogue: count') && m.includes('now not compared: quantization not modelled: x')));
});

test('better figures pass', () => {
  assert.deepEqual(changed((r) => r.comparisons.forEach((c) => Object.assign(c, { bias: c.bias / 2, error: c.error / 2, covered: true, exact: true, predicted: { ...c.predicted, likely: (c.predicted.likely + c.measured) / 2 } }))).filter((m) => !/^mark \w*range\w*, coverage/.test(m)), []);
});
