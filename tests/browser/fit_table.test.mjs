// The fit table as a control: a button per count, own lists of cards, folds and sources.
import assert from 'node:assert/strict';

import { address, choose, compartments, drawn, fieldError, fitTable, pageTest, plain, sentence } from './support.mjs';

pageTest('a count is chosen and unchosen, and keeps the focus', async ({ page, open }) => {
  await open();
  await page.locator('[data-key="l40s/2"]').focus();
  await page.keyboard.press('Enter');
  assert.equal(await address(page), '?gpu=l40s&count=2');
  assert.match(await sentence(page), /fits on 2x L40S$/);
  assert.deepEqual((await compartments(page))[0], ['Weights', '35 GB', '70 GB', '83%']);
  assert.equal(await page.evaluate(() => document.activeElement.dataset.key), 'l40s/2');
  assert.equal(await page.locator('[data-key="l40s/2"]').getAttribute('aria-pressed'), 'true');
  await page.keyboard.press('Enter');
  assert.equal(await address(page), '');
  assert.equal(await page.evaluate(() => document.activeElement.dataset.key), 'l40s/2');
});

pageTest('a count that does not fit can be looked at', async ({ page, open }) => {
  await open();
  await page.locator('[data-key="h100-sxm/1"]').click();
  assert.match(await sentence(page), /does not fit on 1x H100 80 GB: 84 GB per GPU against 80 GB$/);
  assert.match(await page.locator('.bar-title').textContent(), /over its/);
  assert.match(await page.locator('[data-region="help"]').textContent(), /4-bit needs 42\sGB and fits 1x L40S/);
});

pageTest('sets of cards', async ({ page, open }) => {
  await open();
  await choose(page, 'gpus', 'all');
  assert.equal(await address(page), '?gpus=all');
  assert.match(await sentence(page), /of all \d+ cards, 1x /);
  const fold = page.locator('details[data-key="unfit"]');
  assert.equal(await fold.evaluate((d) => d.open), false);
  await fold.locator('summary').click();
  await page.locator('[data-group="hardware"] summary').click();
  await choose(page, 'prices', 'runpod-pods');
  assert.equal(await fold.evaluate((d) => d.open), true, 'a fold stays open over a change');
});

pageTest('an own list with prices', async ({ page, open }) => {
  await open();
  await choose(page, 'gpus', '');
  const list = page.locator('[data-own="gpus"]');
  assert.ok(await list.isVisible());
  await list.fill('h100:2.5, zzz');
  await list.press('Enter');
  await drawn(page);
  assert.equal(await address(page), '?gpus=h100:2.5,zzz');
  const table = await fitTable(page);
  assert.deepEqual(Object.keys(table), ['H100 SXM 80GB']);
  assert.equal(table['H100 SXM 80GB'].price, '$2.50/hYour price');
  assert.match(await fieldError(page, 'gpus'), /“zzz”/);
  await choose(page, 'gpus', 'article');
  assert.equal(await address(page), '');
  assert.ok(await list.isHidden());
});

pageTest('the arithmetic opens and stays open', async ({ page, open }) => {
  await open('method=worksheet');
  const fold = page.locator('[data-key="terms/kv_cache"]');
  await fold.locator('summary').click();
  assert.match(plain(await fold.locator('ul').textContent()), /^4,096 tokens × 1 sequence × 80 layers × 8 KV heads × \(128 key \+ 128 value\) × 2 bytes = 1\.3 GiB/);
  await page.locator('#units').selectOption('GB');
  await drawn(page);
  assert.equal(await fold.evaluate((d) => d.open), true);
  assert.match(plain(await fold.locator('ul').textContent()), /= 1\.3 GB/);
});

pageTest('sources are fetched when asked for, and name model, GPUs and prices', async ({ page, open, context }) => {
  const asked = [];
  context.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await open();
  assert.ok(!asked.includes('/assets/sources.json'));
  await page.locator('#sources-fold > summary').click();
  await page.waitForSelector('#catalog-sources h4');
  const text = plain(await page.locator('#catalog-sources').textContent());
  for (const name of ['Llama 3.1 70B', 'L40S', 'H100 SXM', 'H200 SXM', 'B200', '$5.43/h']) assert.ok(text.includes(name), name);
  assert.ok(await page.locator('#catalog-sources [lang="en"]').count() > 4);
});
