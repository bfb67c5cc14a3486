// Choosing the model and the GPU: a searchable list, by keyboard and by pointer.
import assert from 'node:assert/strict';

import { address, compartments, drawn, field, fieldError, fitTable, pageTest, sentence, value } from './support.mjs';

const expanded = (page, key) => field(page, key).getAttribute('aria-expanded');
const active = (page, key) => page.evaluate((name) => {
  const input = document.querySelector(`[name="${name}"]`);
  return document.getElementById(input.getAttribute('aria-activedescendant'))?.dataset.id ?? null;
}, key);

const inView = (page) => page.evaluate(() => {
  const list = document.getElementById('l-model').getBoundingClientRect();
  const option = document.querySelector('#l-model [aria-selected]').getBoundingClientRect();
  return option.top >= list.top - 1 && option.bottom <= list.bottom + 1;
});

pageTest('by keyboard: type, step, take', async ({ page, open }) => {
  await open();
  await field(page, 'model').focus();
  await page.keyboard.type('qwen2.5 32');
  assert.equal(await expanded(page, 'model'), 'true');
  assert.equal(await active(page, 'model'), 'qwen2.5-32b');
  await page.keyboard.press('Enter');
  assert.equal(await expanded(page, 'model'), 'false');
  assert.equal(await value(page, 'model'), 'Qwen2.5 32B');
  assert.match(await sentence(page), /^Qwen2\.5 32B in FP8: 39 GB by the rule/);
  assert.deepEqual((await compartments(page))[0], ['Weights', '32.5 GB', '83%']);
  assert.equal((await fitTable(page))['L40S 48GB'].counts[1], 'fits');
  assert.equal(await address(page), '?model=qwen2.5-32b');
});

pageTest('by keyboard: arrows walk the list and wrap', async ({ page, open }) => {
  await open();
  await field(page, 'model').focus();
  await page.keyboard.press('ArrowDown');
  const all = await page.locator('#l-model [role="option"]').evaluateAll((options) => options.map((o) => o.dataset.id));
  const at = all.indexOf('llama-3.1-70b');
  assert.equal(await active(page, 'model'), all[at + 1], 'opens at the model in force and steps on');
  await page.keyboard.press('ArrowUp');
  assert.equal(await active(page, 'model'), all[at]);
  for (let i = 0; i <= at; i += 1) await page.keyboard.press('ArrowUp');
  assert.equal(await active(page, 'model'), all.at(-1));
  assert.ok(await inView(page), 'the last option is scrolled into view');
  await page.keyboard.press('ArrowDown');
  assert.equal(await active(page, 'model'), all[0]);
  assert.ok(await inView(page), 'and the first again');
});

pageTest('by click: open, choose', async ({ page, open }) => {
  await open();
  await page.locator('[data-field="model"] .open').click();
  assert.equal(await expanded(page, 'model'), 'true');
  await page.locator('#l-model [data-id="mistral-7b-v0.3"]').click();
  assert.equal(await address(page), '?model=mistral-7b-v0.3');
  assert.match(await sentence(page), /^Mistral 7B/);
  assert.equal(await expanded(page, 'model'), 'false');
  await page.locator('[data-field="model"] .open').click();
  await page.locator('[data-field="model"] .open').click();
  assert.equal(await expanded(page, 'model'), 'false', 'the opener closes too');
});

pageTest('Escape and leaving without a change give the model back', async ({ page, open }) => {
  await open();
  await field(page, 'model').focus();
  await page.keyboard.type('zzz');
  assert.equal(await page.locator('#l-model').textContent(), 'Nothing matches');
  await page.keyboard.press('Escape');
  assert.equal(await value(page, 'model'), 'Llama 3.1 70B');
  await page.keyboard.press('Tab');
  assert.equal(await address(page), '');
});

pageTest('a full name or id typed and left counts as chosen', async ({ page, open }) => {
  await open();
  for (const typed of ['Qwen3 8B', 'qwen3-8b', 'QWEN3 8b']) {
    await field(page, 'model').fill(typed);
    await field(page, 'model').press('Escape');
    await field(page, 'model').fill(typed);
    await field(page, 'model').blur();
    assert.equal(await address(page), '?model=qwen3-8b');
    assert.equal(await value(page, 'model'), 'Qwen3 8B');
    await page.locator('#reset').click();
  }
});

pageTest('an unknown name is kept as typed and named', async ({ page, open }) => {
  await open('weights=bf16');
  await field(page, 'model').fill('my own model');
  await field(page, 'model').press('Tab');
  await drawn(page);
  assert.equal(await value(page, 'model'), 'my own model');
  assert.match(await fieldError(page, 'model'), /“my own model”/);
  assert.match(await sentence(page), /^No figure yet: .*“my own model”/);
  assert.equal(await value(page, 'weights'), 'bf16');
});

pageTest('a bare size has its own fields; choosing a model drops them', async ({ page, open }) => {
  await open();
  await field(page, 'model').fill('another size');
  await page.keyboard.press('Enter');
  assert.equal(await address(page), '?params=7b');
  assert.ok(await field(page, 'params').isVisible());
  await field(page, 'params').fill('32.5b');
  await drawn(page);
  assert.equal(await address(page), '?params=32.5b');
  assert.match(await sentence(page), /^A 32\.5B model in FP8: 39 GB/);
  await field(page, 'model').fill('deepseek v3.2');
  await page.keyboard.press('Enter');
  assert.equal(await address(page), '?model=deepseek-v3.2');
  assert.ok(await field(page, 'params').isHidden());
});

pageTest('the GPU is chosen likewise, and given back', async ({ page, open }) => {
  await open();
  await field(page, 'gpu').fill('4090');
  await page.keyboard.press('Enter');
  assert.equal(await address(page), '?gpu=rtx-4090');
  assert.match(await sentence(page), /4x RTX 4090$/);
  await field(page, 'gpu').fill('smallest');
  await page.keyboard.press('Enter');
  assert.equal(await address(page), '');
});
