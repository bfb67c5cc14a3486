// The accuracy command on a few real rows of each kind (fixtures/), and on broken ones.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { dist, root } from './support.mjs';

const script = join(root, 'web', 'cli', 'accuracy.mjs');
const fixture = (kind) => join(root, 'tests', 'web', 'fixtures', `${kind}.jsonl`);
const kinds = ['serving', 'gguf', 'training', 'fit', 'speed'];
const all = kinds.map(fixture);

function accuracy(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, '--dist', dist, ...args], { encoding: 'utf8', maxBuffer: 1 << 26 });
  return { status, stdout, stderr };
}
function report(...args) {
  const { status, stdout, stderr } = accuracy('--json', ...args);
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

const work = mkdtempSync(join(tmpdir(), 'vramfit-accuracy-'));
after(() => rmSync(work, { recursive: true }));
function file(name, lines) {
  const path = join(work, name);
  writeFileSync(path, lines.join('\n'));
  return path;
}

const rows = new Map(all.flatMap((path) => readFileSync(path, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line))).map((row) => [row.id, row]));
const whole = report(...all);
const compared = (id, compartment, method) => {
  const found = whole.comparisons.filter((c) => c.id === id && c.compartment === compartment && c.method === method);
  assert.equal(found.length, 1, `${id} ${compartment} ${method}`);
  return found[0];
};

test('the fixtures are a dozen rows of each kind, each with its source', () => {
  for (const kind of kinds) assert.ok(whole.files.find((f) => f.file === fixture(kind)).rows >= 12, kind);
  for (const row of rows.values()) {
    assert.ok(row.source.length > 10, row.id);
    assert.doesNotMatch(JSON.stringify(row), /index id/, row.id);
  }
});

test('kinds are told by the keys, whatever the file is called', () => {
  const mixed = file('mixed.txt', kinds.flatMap((kind) => readFileSync(fixture(kind), 'utf8').split('\n').slice(0, 2)));
  const { comparisons, verdicts, skipped } = report(mixed);
  const of = new Map([...comparisons, ...verdicts, ...skipped].map((r) => [r.id, r.kind]));
  for (const kind of kinds) for (const line of readFileSync(fixture(kind), 'utf8').split('\n').slice(0, 2)) assert.equal(of.get(JSON.parse(line).id), kind);
});

test('every row is either used or skipped with its reason, none lost', () => {
  for (const f of whole.files) assert.equal(f.rows, f.used + f.skipped, f.file);
  const used = new Set([...whole.comparisons, ...whole.verdicts].map((r) => r.id));
  const skipped = new Set(whole.skipped.map((s) => s.id));
  for (const id of rows.keys()) assert.ok(used.has(id) !== skipped.has(id), id);
  for (const s of [...whole.skipped, ...whole.left_out]) {
    assert.ok(s.reason.length > 8, s.id);
    assert.doesNotMatch(s.reason, /this program failed|undefined|null/, s.id);
    assert.ok(s.line > 0 && s.file && s.kind, s.id);
  }
});

for (const [id, reason] of [
  ['dsv2-16xa100-40', /^more GPUs than the product counts: 16$/],
  ['llama70b-ollama-p40-2k', /^model inferred from the measured figures$/],
  ['ollama-gemma3-12b-pr12000', /^only an estimate that the tool printed before loading$/],
  ['bt-l31-8b-mig', /^GPU not in the catalogue: H100 MIG 40GB$/],
  ['vr-l4scout-fp8-1h100', /^low confidence/],
  ['is-dsr1-kt-200', /^how much is left on the host is not stated/],
  ['tr-verl-qwen2.5-0.5b-lora-1h100', /^training method not modelled: GRPO$/],
  ['axolotl-jamba-3', /^GPU count not stated$/],
]) {
  test(`skipped: ${id}`, () => assert.match(whole.skipped.find((s) => s.id === id)?.reason ?? 'not skipped', reason));
}

test('what a row may not be used for is left out of it, the rest is used', () => {
  const left = (id) => whole.left_out.filter((s) => s.id === id).map((s) => s.reason);
  assert.ok(left('gemma3-4b-q4km-metal').includes('KV cache: context inferred from the cache'));
  compared('gemma3-4b-q4km-metal', 'weights', 'worksheet');
  assert.ok(left('torchtune-lora-4').includes('worksheet: sequence length not stated'));
  compared('torchtune-lora-4', 'peak_lora', 'rule');
});

// --- figures worked out by hand -----------------------------------------------------------------------------------------

const gib = 2 ** 30;
for (const [id, compartment, method, predicted, measured] of [
  // 2 (keys, values) x 32 layers x 32 heads x 128 x 2 bytes; 61.66 GiB for 126,256 tokens
  ['lldp-codellama-codellama-7b-h-tp1pp1dp1--8192', 'kv_per_token', 'worksheet', 524288, (61.66 * gib) / 126256],
  // LLaMA-2 7B's 6,738,415,616 parameters x 2 bytes
  ['lldp-codellama-codellama-7b-h-tp1pp1dp1--8192', 'weights', 'worksheet', 13476831232, 12.56 * gib],
  // 2 x 80 layers x 8 heads x 128 x 2 bytes over four GPUs
  ['lldp-fp8dyn-llama-3-3-70b-tp4pp1dp1--8192', 'kv_per_token', 'rule', 81920, null],
  // 27 layers x (512 + 64) x 2 bytes
  ['lldp-deepseek-ai-deepseek-v2--tp1pp1dp1--8192', 'kv_per_token', 'worksheet', 31104, null],
  // 65,536 tokens x 36 layers x 2 x 4 heads x 128 x 2 bytes = 4608 MiB
  ['smollm3-3b-q4km-metal', 'kv_cache', 'worksheet', 4608 * 2 ** 20, 4608 * 2 ** 20],
  // 27 billion x 4 bits; the file has 14.49 GiB
  ['qwen35-27b-q4ks-4070-131k', 'weights_file', 'rule', 13.5e9, 14.49 * gib],
  // 13 billion x 2 bytes + 20 %
  ['litgpt-lora-15', 'peak_lora', 'rule', 31.2e9, 38.12e9],
  ['torchtune-lora-4', 'peak_lora', 'rule', 16.8e9, 17.04e9],
  // 0.6 billion x 2 bytes + 20 %, against 1394 MiB
  ['hf-qwen3-0.6b-bf16-in1', 'total_allocated', 'rule', 1.44e9, 1394 * 2 ** 20],
  // 70 billion x half a byte + 20 %
  ['li-l270-nf4dq', 'total_allocated', 'rule', 42e9, 37.21e9],
]) {
  test(`by hand: ${id} ${compartment}, ${method}`, () => {
    const c = compared(id, compartment, method);
    const row = rows.get(id);
    const truth = measured ?? (row.kv_cache_gib_per_gpu * gib) / row.kv_tokens;
    assert.equal(c.predicted.likely, predicted);
    assert.ok(Math.abs(c.measured - truth) <= 1e-9 * truth, `${c.measured} against ${truth}`);
    assert.ok(Math.abs(c.error - Math.abs(predicted - truth) / truth) < 1e-9);
    assert.ok(Math.abs(c.bias - (predicted - truth) / truth) < 1e-9);
  });
}

test('covered allows for the rounding of the printed figure, no more', () => {
  assert.equal(compared('smollm3-3b-q4km-metal', 'kv_cache', 'worksheet').covered, true);
  assert.equal(compared('lldp-codellama-codellama-7b-h-tp1pp1dp1--8192', 'kv_per_token', 'worksheet').covered, true);
  assert.equal(compared('litgpt-lora-15', 'peak_lora', 'rule').covered, false);
});

test('verdicts: right, wrong, and a margin that is neither', () => {
  const outcome = (id, method) => whole.verdicts.find((v) => v.id === id && v.method === method)?.outcome;
  assert.equal(outcome('rh-granite-3.1-8b-instruct-1xa100-40', 'rule'), 'right');
  assert.equal(outcome('vr-qwen25vl-72b-bf16-1a100', 'worksheet'), 'right');  // 144 GB of weights on 80 GB
  assert.equal(outcome('peft-readme-bloomz-7b1-full', 'rule'), 'right');
  assert.equal(outcome('li-l270-nf4dq', 'rule'), 'wrong');  // 42 GB by the rule, ran on 40 GB
  for (const v of whole.verdicts) {
    assert.ok(['right', 'wrong', 'margin'].includes(v.outcome));
    const said = ['fits', 'tight'].includes(v.got) ? 'fits' : 'does-not-fit';
    assert.equal(v.outcome === 'right', said === v.expected, v.id);
    if (v.outcome === 'margin') assert.ok(v.firmness !== 'tested' && v.expected === 'does-not-fit', v.id);
  }
});

// --- the two forms of the report ----------------------------------------------------------------------------------------

test('--json: its shape', () => {
  assert.deepEqual(Object.keys(whole), ['version', 'catalog_date', 'files', 'comparisons', 'verdicts', 'skipped', 'left_out', 'bars', 'groups', 'engine_verdicts', 'engine_reasons', 'verdict_groups']);
  for (const c of whole.comparisons) {
    for (const key of ['file', 'line', 'id', 'kind', 'engine', 'compartment', 'method', 'basis', 'unit', 'measured', 'predicted', 'error', 'bias', 'covered', 'width', 'assumed', 'share']) assert.ok(key in c, key);
    assert.ok(c.predicted.low <= c.predicted.likely && c.predicted.likely <= c.predicted.high, c.id);
  }
  assert.equal(whole.groups.reduce((sum, g) => sum + g.count, 0), whole.comparisons.length);
  assert.equal(whole.verdict_groups.reduce((sum, g) => sum + g.count, 0), whole.verdicts.length);
  const scored = whole.verdicts.filter((v) => v.method === 'engine' && v.firmness === 'tested');
  assert.ok(scored.length > 10);
  assert.equal(whole.engine_verdicts.reduce((sum, g) => sum + g.count, 0), scored.length);
  for (const key of ['not_impossible', 'not_silent', 'same_class']) {
    const of = scored.filter((v) => v[key] !== null);
    assert.equal(whole.engine_verdicts.reduce((sum, g) => sum + g[key][1], 0), of.length, key);
    assert.equal(whole.engine_verdicts.reduce((sum, g) => sum + g[key][0], 0), of.filter((v) => v[key]).length, key);
  }
  for (const g of whole.groups) {
    const errors = whole.comparisons.filter((c) => ['kind', 'engine', 'compartment', 'method', 'basis'].every((k) => c[k] === g[k])).map((c) => c.error).sort((a, b) => a - b);
    const middle = (errors[(errors.length - 1) >> 1] + errors[errors.length >> 1]) / 2;
    assert.ok(Math.abs(g.median_error - middle) < 1e-12);
  }
});

test('web/ACCURACY.md has every key of --json', () => {
  const documented = readFileSync(join(root, 'web', 'ACCURACY.md'), 'utf8');
  const objects = [whole, ...['files', 'comparisons', 'verdicts', 'skipped', 'bars', 'groups', 'engine_verdicts', 'engine_reasons', 'verdict_groups'].flatMap((list) => whole[list])];
  for (const key of new Set(objects.flatMap(Object.keys))) assert.match(documented, new RegExp(`[\`{ ]${key}[\`, }]`), key);
});

test('marks are what the comparisons say', () => {
  const bar = (id, figure) => whole.bars.find((b) => b.id === id && b.figure === figure);
  const pools = whole.comparisons.filter((c) => c.method === 'engine' && c.basis === 'catalogue' && c.engine === 'vllm' && c.compartment === 'pool').map((c) => Math.abs(c.predicted.likely - c.measured)).sort((a, b) => a - b);
  assert.ok(pools.length > 4);
  const half = (pools.length - 1) / 2;
  assert.ok(Math.abs(bar('vllm_pool', 'median_difference').reached - (pools[Math.floor(half)] + pools[Math.ceil(half)]) / 2) < 1);
  assert.equal(bar('vllm_pool', 'median_difference').count, pools.length);
  for (const { reached, most, least, met, count } of whole.bars) {
    assert.equal(met, count === 0 ? null : (most === null || reached <= most) && (least === null || reached >= least));
    assert.equal(reached === null, count === 0);
  }
  // Without the engine method's answers there is nothing to hold it to.
  const { stdout } = accuracy(fixture('training'));
  assert.doesNotMatch(stdout, /MARKS/);
  assert.match(accuracy(...all).stdout, /^MARKS that the engine method[^]*^vLLM: pool +median +\d+ +[\d.]+ GiB +at most 0\.15 GiB +(met|MISSED)$/m);
});

test('the text says the same, in at most 100 columns', () => {
  const { stdout, status } = accuracy('--worst', '2', ...all);
  assert.equal(status, 0);
  assert.match(stdout, new RegExp(`^${whole.comparisons.length} figures compared, ${whole.verdicts.length} verdicts, ${whole.skipped.length} rows skipped`, 'm'));
  // Places of skipped rows carry the path as given, and share strings are whole.
  assert.deepEqual(stdout.split('\n').filter((line) => line.length > 100 && !line.includes('.jsonl:') && !line.startsWith('      gpus=')), []);
  assert.doesNotMatch(stdout, /undefined|NaN/);
});

test('the same rows give the same report', () => assert.deepEqual(report(...all), whole));

// --- broken input -------------------------------------------------------------------------------------------------------

test('malformed lines are named by file and line; the others count', () => {
  const good = readFileSync(fixture('serving'), 'utf8').split('\n')[0];
  const path = file('broken.jsonl', ['{"id": "cut', good, '[1, 2]', '', 'null', '"text"', '{"id": "odd", "colour": "red"}']);
  const { skipped, files, comparisons } = report(path);
  assert.deepEqual(skipped.filter((s) => /^malformed line/.test(s.reason)).map((s) => [s.file, s.line]), [[path, 1], [path, 3], [path, 5], [path, 6]]);
  assert.equal(skipped.find((s) => s.id === 'odd').reason, 'kind of row not recognised');
  assert.equal(files[0].malformed, 4);
  assert.ok(comparisons.length > 0);
  const { stdout } = accuracy(path);
  for (const line of [1, 3, 5, 6]) assert.ok(stdout.includes(`${path}:${line}`), `names line ${line}`);
});

test('rows with every value null, missing or of a wrong type do not stop it', () => {
  const bent = [];
  for (const row of rows.values()) {
    bent.push(Object.fromEntries(Object.keys(row).map((key) => [key, null])));
    for (const wrong of ['text', -1, {}, [], true, 1e300]) bent.push(Object.fromEntries(Object.entries(row).map(([key, value], i) => [key, i % 3 === bent.length % 3 && key !== 'id' ? wrong : value])));
  }
  const { skipped } = report(file('bent.jsonl', bent.map((row) => JSON.stringify(row))));
  assert.deepEqual(skipped.filter((s) => /this program failed/.test(s.reason)).map((s) => s.reason), []);
});

test('a byte order mark and Windows line ends are read', () => {
  const good = readFileSync(fixture('serving'), 'utf8').split('\n').slice(0, 2);
  const { files } = report(file('windows.jsonl', [`\uFEFF${good.join('\r\n')}\r`]));
  assert.deepEqual([files[0].rows, files[0].malformed], [2, 0]);
});

test('exit 64 for a wrong command', () => {
  for (const args of [[], ['--frob', all[0]], ['--worst', 'x', all[0]], ['--worst=-1', all[0]]]) {
    const { status, stderr } = accuracy(...args);
    assert.equal(status, 64, args.join(' '));
    assert.match(stderr, /^usage: accuracy\.mjs|usage: accuracy\.mjs/m);
  }
  assert.equal(spawnSync(process.execPath, [script, all[0]]).status, 64, 'no --dist');
});

test('exit 66 for what cannot be read', () => {
  const { status, stderr } = accuracy(join(work, 'nothing.jsonl'));
  assert.equal(status, 66);
  assert.match(stderr, /cannot read .*nothing\.jsonl: ENOENT/);
  const nowhere = spawnSync(process.execPath, [script, '--dist', work, all[0]], { encoding: 'utf8' });
  assert.equal(nowhere.status, 66);
});

test('what is published is the report, by quantity and engine, with the files it is of', () => {
  const out = join(work, 'measured.json');
  const { status, stderr } = accuracy('--publish', out, ...all);
  assert.equal(status, 0, stderr);
  const text = readFileSync(out, 'utf8');
  const published = JSON.parse(text);
  assert.equal(published.schema, 'vramfit-accuracy/2');
  assert.deepEqual([published.version, published.catalog_date], [whole.version, whole.catalog_date]);
  assert.match(published.date, /^\d{4}-\d\d-\d\d$/);
  assert.deepEqual(published.files.map((f) => [f.name, f.rows, f.used]), whole.files.map((f) => [f.file.split('/').at(-1), f.rows, f.used]));
  for (const f of published.files) assert.match(f.sha256, /^[0-9a-f]{64}$/);
  for (const list of [published.quantities, published.engines]) assert.equal(list.reduce((sum, row) => sum + row.count, 0), whole.comparisons.length);
  assert.equal(published.verdicts.reduce((sum, row) => sum + row.count, 0), whole.verdicts.length);
  for (const row of published.engines) {
    const cases = whole.comparisons.filter((c) => ['method', 'basis', 'engine', 'compartment'].every((key) => c[key] === row[key]));
    assert.equal(cases.length, row.count);
    assert.ok(Math.abs(cases.filter((c) => c.covered).length / cases.length - row.coverage) < 1e-3);
  }
  assert.ok(text.split('\n').length > published.quantities.length + published.engines.length, 'a row a line');
  assert.doesNotMatch(text, /\/fixtures\//, 'no path of the machine');
  assert.equal(accuracy('--publish', join(work, 'no', 'where.json'), fixture('gguf')).status, 73);
  assert.equal(accuracy('--publish=', fixture('gguf')).status, 64);
});
