// The small module and the full one: the same questions, links and catalogue; the same answers, but for the engine method; and the way
// from one to the other.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { loadVramfit } from '../../web/vramfit.mjs';
import { assets, randomShare, randomSource, shippedModule } from './support.mjs';

const small = await shippedModule('vramfit-core.wasm');
const full = await shippedModule();
const { default: moduleFactory } = await import(pathToFileURL(join(assets, 'vramfit-core.mjs')));
const bytes = (name) => readFileSync(join(assets, name));

test('one catalogue', () => assert.equal(small.catalog(), full.catalog()));

test('the same answers, but for the engine method', () => {
  const random = randomSource(7);
  const catalog = JSON.parse(full.catalog());
  let refused = 0;
  for (let i = 0; i < 400; i += 1) {
    const share = i === 0 ? '' : randomShare(catalog, random);
    const [a, b] = [small, full].map((module) => JSON.parse(module.estimate(share)));
    assert.equal(a.share, b.share, share);
    assert.deepEqual(a.inputs, b.inputs, share);
    if (a.notices.some(({ id }) => id === 'engine-not-loaded')) {
      assert.ok(a.refused);
      refused += 1;
      continue;
    }
    assert.ok(!b.notices.some(({ id }) => id === 'engine-not-loaded'));
    for (const result of [a, b]) {
      delete result.engine;
      delete result.methods?.engine;
    }
    assert.deepEqual(a, b, share);
    assert.equal(small.whatIf(share), full.whatIf(share), share);
  }
  assert.ok(refused > 0, 'the engine method was asked for too');
});

test('the small module refuses the engine method by name, the full one answers', () => {
  const share = 'method=engine&model=llama-3.1-8b&gpu=h100-sxm';
  const refusal = JSON.parse(small.estimate(share));
  assert.ok(refusal.refused);
  assert.deepEqual(refusal.notices.filter(({ severity }) => severity === 'error').map(({ id, field }) => [id, field]), [['engine-not-loaded', 'method']]);
  const answer = JSON.parse(full.estimate(share));
  assert.ok(!answer.refused);
  assert.equal(answer.method, 'engine');
  assert.ok(answer.methods.engine.compartments.length > 0);
  assert.equal(refusal.share, answer.share);
});

test('it grows once for all who ask, and tries again after a failure', async () => {
  let asked = 0;
  const vramfit = await loadVramfit({
    moduleFactory,
    wasmBinary: bytes('vramfit-core.wasm'),
    full: async () => {
      asked += 1;
      if (asked === 1) throw new Error('no network');
      return { wasmBinary: bytes('vramfit-full.wasm') };
    },
  });
  const share = 'method=engine&model=llama-3.1-8b&gpu=h100-sxm';
  assert.equal(vramfit.growFor(vramfit.estimate('method=worksheet')), null);
  assert.equal(vramfit.growFor(vramfit.estimate('method=engine&model=nope')), null, 'what is refused anyway needs no other module');
  assert.equal(asked, 0);
  await assert.rejects(vramfit.growFor(vramfit.estimate(share)), /no network/);
  assert.ok(vramfit.estimate(share).refused);
  await Promise.all([vramfit.growFor(vramfit.estimate(share)), vramfit.growFor(vramfit.estimate(share)), vramfit.grow()]);
  assert.equal(asked, 2);
  const answer = vramfit.estimate(share);
  assert.ok(!answer.refused);
  assert.equal(vramfit.growFor(answer), null);
  await vramfit.grow();
  assert.equal(asked, 2);
});

test('who has the full module has nothing to grow to', async () => {
  const vramfit = await loadVramfit({ moduleFactory, wasmBinary: bytes('vramfit-full.wasm') });
  await vramfit.grow();
  assert.equal(vramfit.growFor(vramfit.estimate('method=engine')), null);
});
