// Native and wasm must give the same bits: the shipped module's text is compared with the native build's, whole.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

import { readPriceList } from '../../web/price_list.mjs';
import { golden, nativeAnswers, randomPriceList, randomShare, randomSource, root, shippedModule } from './support.mjs';

const module = await shippedModule();
const catalog = JSON.parse(module.catalog());

function compare(shares, prices) {
  const native = nativeAnswers(shares, prices);
  assert.equal(native.length, shares.length);
  shares.forEach((share, i) => {
    assert.equal(module.estimate(share, prices), native[i].estimate, share);
    assert.equal(module.whatIf(share, prices), native[i].whatIf, share);
  });
}

test('golden file: the shipped module equals the native build', () => {
  const shares = golden.flatMap((c) => c.share);
  assert.ok(shares.length >= 41);
  compare(shares);
});

test('every model in every weight format', () => {
  const weights = catalog.fields.find((f) => f.key === 'weights').choices;
  compare(catalog.models.flatMap((m, i) => weights.filter((_, j) => (i + j) % 5 === 0)
    .map((w) => `model=${m.id}&weights=${w}&context=32768&sequences=3&method=worksheet`)));
});

test('random inputs over the whole field table', () => {
  const random = randomSource(29);
  compare(Array.from({ length: 1500 }, () => randomShare(catalog, random)));
});

test('by a host\'s price list', () => {
  const random = randomSource(31);
  for (let i = 0; i < 12; i += 1) {
    const { prices, problems } = readPriceList(randomPriceList(catalog, random), catalog);
    assert.deepEqual(problems.filter(({ id }) => id !== 'out-of-range'), []);
    assert.ok(prices.rows.length > 40);
    const shares = Array.from({ length: 40 }, () => `gpus=all&${randomShare(catalog, random)}`);
    compare(shares, prices.table);
    assert.ok(shares.some((share) => module.estimate(share, prices.table) !== module.estimate(share)));
  }
});

test('malformed price lists', () => {
  for (const prices of ['\t', 'x', '\n\n\t\n', 'a\tb\nh200', 'a\tb\nh200\t1\tspotty\nh200\t2\tspot\nh200\t3\tspot', 'a\tb\nnone\t1\tspot\nh200\t-1\tspot\nh200\t1e9\tspot\nh200\t2000000\tspot', 'h'.repeat(100000)]) {
    compare(['', 'gpus=all', 'gpus=h200:2&model=nope'], prices);
  }
});

test('hostile strings', () => {
  compare(['model=%zz', 'count=0', 'context=-5', '&&&===', `x=${'a'.repeat(10000)}`, '%', 'params=9e99', 'gpus=,,:', 'model=nope&lang=es', 'v=9', 'headroom=12.5&method=worksheet']);
});

test('every double has the same bits in the native and the wasm tests', () => {
  const fingerprint = (command, ...args) => {
    const { stdout, status } = spawnSync(command, [...args, '--test-case=fingerprint*'], { encoding: 'utf8' });
    assert.equal(status, 0, `${command} ${args.join(' ')} (./dev test builds it)`);
    return stdout.match(/fingerprint golden [0-9a-f]{16} all [0-9a-f]{16}/)?.[0];
  };
  const native = fingerprint(join(root, 'build', 'dev', 'tests', 'core-tests'));
  assert.ok(native);
  assert.equal(fingerprint(process.execPath, join(root, 'build', 'wasm', 'tests', 'core-tests.cjs')), native);
});
