// The common inputs: each change is in the sentence, the compartments, the fit table and the address at once.
import assert from 'node:assert/strict';

import { address, becomes, choose, compartments, field, fitTable, pageTest, sentence, typeInto, value } from './support.mjs';

pageTest('precision', async ({ page, open }) => {
  await open();
  await choose(page, 'weights', 'bf16');
  assert.equal(await sentence(page), "Llama 3.1 70B in BF16: 168 GB by the rule; of the article's cards, 1x B200");
  assert.deepEqual(await compartments(page), [['Weights', '140 GB', '83%'], ['20% margin', '28 GB', '17%'], ['Total', '168 GB']]);
  assert.equal((await fitTable(page))['B200 180GB'].smallest, '1 GPU $5.43/h12 GB free per GPU (7%)');
  assert.equal(await address(page), '?weights=bf16');
});

pageTest('context', async ({ page, open }) => {
  await open();
  await typeInto(page, 'context', '128k');
  assert.equal(await sentence(page), "Llama 3.1 70B in FP8: 113 GB by the rule; of the article's cards, 1x H200");
  assert.deepEqual(await compartments(page), [['Weights', '70 GB', '62%'], ['KV cache', '42.9 GB', '38%'], ['Total', '113 GB']]);
  assert.deepEqual((await fitTable(page))['L40S 48GB'].counts, { 1: 'does-not-fit', 2: 'does-not-fit', 3: 'unusable', 4: 'fits', 5: 'unusable', 6: 'unusable', 7: 'unusable', 8: 'fits' });
  assert.equal(await address(page), '?context=131072');
  assert.equal(await value(page, 'context'), '131072');
});

pageTest('how many at once', async ({ page, open }) => {
  await open('context=131072');
  await typeInto(page, 'sequences', '4');
  assert.match(await sentence(page), /242 GB by the rule; of the article's cards, 2x H200$/);
  assert.deepEqual((await compartments(page)).at(-1), ['Total', '121 GB', '242 GB']);
  assert.equal(await address(page), '?context=131072&sequences=4');
});

pageTest('a choice is answered before its event is over', async ({ page, open }) => {
  await open();
  const [before, after] = await page.evaluate(() => {
    const read = () => [document.querySelector('.sentence').textContent, document.querySelector('.compartments').textContent, document.querySelector('.fit').textContent, window.location.search];
    const first = read();
    const select = document.querySelector('[name=weights]');
    select.value = 'int4-awq';
    select.dispatchEvent(new Event('change', { bubbles: true }));
    return [first, read()];
  });
  after.forEach((text, i) => { if (i < 3) assert.notEqual(text, before[i]); });
});

pageTest('typing is answered in the next frame', async ({ page, open }) => {
  await open();
  const text = await page.evaluate(() => new Promise((done) => {
    // The address is written ten times a second at most, and the page wrote it when it came.
    setTimeout(() => {
      const input = document.querySelector('[name=context]');
      input.value = '262144';
      input.dispatchEvent(new Event('input', { bubbles: true }));
      requestAnimationFrame(() => done([document.querySelector('.compartments').textContent, window.location.search]));
    }, 110);
  }));
  assert.match(text[0], /85\.9\sGB/);
  assert.equal(text[1], '?context=262144');
});

pageTest('the method button decides by which count the table goes', async ({ page, open }) => {
  await open();
  await page.locator('[data-set="method"][data-value="worksheet"]').click();
  assert.match(await sentence(page), /78\.8 GiB by the worksheet/);
  assert.equal(await address(page), '?method=worksheet');
  assert.equal(await page.locator('[data-set="method"][aria-pressed="true"]').getAttribute('data-value'), 'worksheet');
  assert.equal(await value(page, 'method'), 'worksheet');
});

pageTest('the precision list sets the precision', async ({ page, open }) => {
  await open();
  await page.locator('.precision button', { hasText: '4-bit' }).click();
  assert.equal(await value(page, 'weights'), 'int4');
  assert.equal(await address(page), '?weights=int4');
});

pageTest('training shows its own fields and hides those of serving', async ({ page, open }) => {
  await open();
  await choose(page, 'task', 'qlora');
  assert.equal(await address(page), '?task=qlora');
  assert.ok(await field(page, 'weights').isHidden());
  assert.ok(await field(page, 'sequences').isHidden());
  await page.locator('[data-group="training"] summary').click();
  assert.ok(await field(page, 'lora_rank').isVisible());
  assert.ok(await field(page, 'states').isHidden(), 'states belong to full fine-tuning');
  await choose(page, 'task', 'full');
  assert.ok(await field(page, 'states').isVisible());
  await choose(page, 'states', '16-byte');
  assert.match(await address(page), /^\?task=full&states=16-byte$/);
});

pageTest('start over goes back to the default, and keeps the view', async ({ page, open }) => {
  await open('weights=bf16&context=9000&units=GiB&theme=dark');
  await typeInto(page, 'context', 'abc');
  await page.locator('#reset').click();
  assert.equal(await address(page), '?theme=dark&units=GiB');
  assert.equal(await value(page, 'context'), '4096');
  assert.equal(await value(page, 'weights'), 'fp8');
});

pageTest('the link is copied as it stands', { permissions: ['clipboard-read', 'clipboard-write'] }, async ({ page, open, origin }) => {
  await open('weights=bf16');
  await page.locator('#copy').click();
  await becomes(() => page.locator('#copied').textContent(), 'Link copied');
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), `${origin}/?weights=bf16`);
});
