// A malformed row must fail the build and name its file and line.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { root } from './support.mjs';

const work = mkdtempSync(join(tmpdir(), 'vramfit-catalog-'));
after(() => rmSync(work, { recursive: true }));

// Runs the generator on a copy in which `edit` has changed one file's lines.
function generateWith(file, edit) {
  const copy = join(work, 'assets', 'catalog');
  cpSync(join(root, 'assets', 'catalog'), copy, { recursive: true });
  const lines = readFileSync(join(copy, file), 'utf8').split('\n');
  writeFileSync(join(copy, file), edit(lines).join('\n'));
  return spawnSync(process.execPath, [join(copy, 'generate.mjs'), join(work, 'out')], { encoding: 'utf8' });
}

const replaceLine = (n, change) => (lines) => lines.map((line, i) => (i === n - 1 ? change(line) : line));
const edited = (n, change) => replaceLine(n, (line) => { const row = JSON.parse(line); change(row); return JSON.stringify(row); });

test('good rows pass', () => assert.equal(generateWith('models.jsonl', (l) => l).status, 0));

for (const [what, file, edit, message] of [
  ['broken JSON', 'models.jsonl', replaceLine(3, (l) => l.slice(0, -2)), /models\.jsonl:3: not JSON/],
  ['a missing key', 'gpus.jsonl', edited(2, (r) => delete r.usable_mib), /gpus\.jsonl:2: "usable_mib" is missing/],
  ['an unknown key', 'models.jsonl', edited(5, (r) => { r.colour = 'red'; }), /models\.jsonl:5: unknown key "colour"/],
  ['a wrong type', 'prices.jsonl', edited(1, (r) => { r.usd_per_gpu_hour = '5'; }), /prices\.jsonl:1: "usd_per_gpu_hour" is "5"/],
  ['a row without source', 'gpus.jsonl', edited(4, (r) => { r.source = []; }), /gpus\.jsonl:4: "source"/],
  ['a row without date', 'models.jsonl', edited(6, (r) => delete r.date), /models\.jsonl:6: "date" is missing/],
  ['a price of no GPU', 'prices.jsonl', edited(2, (r) => { r.gpu = 'rtx-9999'; }), /prices\.jsonl:2: "gpu" is "rtx-9999"/],
  ['a repeated id', 'models.jsonl', edited(7, (r) => { r.id = 'llama-2-7b'; }), /models\.jsonl:7: "llama-2-7b" stands already in line 1/],
]) {
  test(`${what} is refused with its line`, () => {
    const { status, stderr } = generateWith(file, edit);
    assert.equal(status, 1);
    assert.match(stderr, message);
  });
}

test('a malformed shape fails the compiler with the row\'s line', () => {
  const { status } = generateWith('models.jsonl', edited(9, (r) => { r.shape = r.shape.replace('hidden', 'hiden'); }));
  assert.equal(status, 0);  // the generator leaves shapes to the compiler
  const compiled = spawnSync('c++', ['-std=c++20', '-fsyntax-only', `-I${join(root, 'core', 'include')}`, join(work, 'out', 'catalog_check.cpp')], { encoding: 'utf8' });
  assert.notEqual(compiled.status, 0);
  assert.match(compiled.stderr, /assets\/catalog\/models\.jsonl:9/);
});
