// Links that are out in the world: what each of them means may not change. fixtures/links-v1.json pins it; lines are added there when
// keys, ids or spellings are, and none is changed or removed.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { root, shippedCalculator } from './support.mjs';

const vramfit = await shippedCalculator();
const catalog = vramfit.catalog();
const pinned = JSON.parse(readFileSync(join(root, 'tests', 'web', 'fixtures', 'links-v1.json'), 'utf8'));
const field = (key) => catalog.fields.find((f) => f.key === key);

// Inputs that came later have their defaults, and so have those of engines that a result leaves out.
const meaning = (inputs) => ({ ...Object.fromEntries(catalog.fields.map((f) => [f.key, f.default])), ...inputs });

test('the defaults, which links leave out, are what they were', () => {
  const { inputs } = vramfit.estimate('');
  for (const [key, value] of Object.entries(pinned.defaults)) assert.equal(inputs[key], value, key);
});

test('every pinned link means what it meant', () => {
  assert.ok(pinned.links.length > 200);
  for (const { link, share, inputs, view = {}, remarks = [], refused = false } of pinned.links) {
    const result = vramfit.estimate(link);
    assert.equal(result.share, share, link);
    assert.deepEqual(meaning(result.inputs), meaning(inputs), link);
    assert.deepEqual(result.view, view, link);
    assert.deepEqual(result.notices.filter((n) => n.severity !== 'info' && n.id !== 'context-beyond-model').map((n) => n.id), remarks, link);
    assert.equal(result.refused, refused, link);
    // Its canonical form is a link as well.
    const again = vramfit.estimate(share);
    assert.equal(again.share, share, link);
    assert.deepEqual(again.inputs, result.inputs, link);
  }
});

test('every pinned model, GPU and spelling of a GPU is known', () => {
  for (const id of pinned.models) {
    const { refused, model, share } = vramfit.estimate(`model=${id}`);
    assert.deepEqual([refused, model.id], [false, id]);
    assert.equal(share, id === pinned.defaults.model ? '' : `model=${id}`);
  }
  const chosen = (id) => vramfit.estimate(`model=&params=1b&gpu=${encodeURIComponent(id)}`).chosen?.gpu;
  for (const id of pinned.gpus) assert.equal(chosen(id), id);
  assert.ok(Object.keys(pinned.gpu_spellings).length > 100);
  for (const [spelling, id] of Object.entries(pinned.gpu_spellings)) assert.equal(chosen(spelling), id, spelling);
});

test('whatever a link can say today is pinned: what is new gets its lines', () => {
  const said = new Set(pinned.links.flatMap(({ link }) => link.replace(/^[?#]/, '').split('&')));
  const keys = new Set([...said].map((pair) => pair.split('=')[0]));
  assert.deepEqual(catalog.fields.map((f) => f.key).filter((key) => !keys.has(key)), [], 'keys without a link');
  const choices = catalog.fields.filter((f) => !['model', 'gpu'].includes(f.key)).flatMap((f) => (f.choices ?? []).map((choice) => `${f.key}=${choice}`));
  assert.deepEqual(choices.filter((pair) => !said.has(pair)), [], 'choices without a link');
  assert.deepEqual(catalog.models.map((m) => m.id).filter((id) => !pinned.models.includes(id)), [], 'models');
  assert.deepEqual(catalog.gpus.map((g) => g.id).filter((id) => !pinned.gpus.includes(id)), [], 'GPUs');
});

test('the README\'s links are pinned', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const links = [...readme.matchAll(/[`']((?:\w+=[\w.:,-]+&?)+)[`']/g)].map((m) => m[1]).filter((link) => field(link.split('=')[0]));
  assert.ok(links.length >= 7);
  assert.deepEqual(links.filter((link) => !pinned.links.some((l) => l.link === link)), []);
});

test('canonical links are readable: nothing escaped that need not be', () => {
  for (const { share, remarks = [] } of pinned.links) if (remarks.length === 0) assert.match(share, /^([\w.,:;()~=&-]|%20|%C3%A9)*$/);
});
