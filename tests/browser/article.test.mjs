// What the rental article says about its four cards, as the page shows it.
import assert from 'node:assert/strict';

import { compartments, fitTable, notices, pageTest, plain, sentence } from './support.mjs';

const article = (share) => `${share}&gpus=article`;

pageTest('a 70B model in FP8 takes 84 GB: one H200', async ({ page, open }) => {
  for (const [share, model] of [['params=70b', 'A 70B model'], ['model=llama-3.1-70b', 'Llama 3.1 70B']]) {
    await open(article(`${share}&weights=fp8`));
    assert.equal(await sentence(page), `${model} in FP8: 84 GB by the rule; of the article's cards, 1x H200`);
  }
  const table = await fitTable(page);
  assert.deepEqual(Object.keys(table).sort(), ['B200 180GB', 'H100 SXM 80GB', 'H200 SXM', 'L40S 48GB']);
  assert.equal(table['H100 SXM 80GB'].counts[1], 'does-not-fit');
});

pageTest('Qwen2.5 32B in BF16 takes 78 GB: tight on 80 GB', async ({ page, open }) => {
  await open(article('model=qwen2.5-32b&weights=bf16'));
  assert.match(await sentence(page), /: 78 GB by the rule;/);
  const { counts } = (await fitTable(page))['H100 SXM 80GB'];
  assert.equal(counts[1], 'tight');
  await page.locator('[data-key="h100-sxm/1"]').click();
  assert.equal(await sentence(page), 'Qwen2.5 32B in BF16: 78 GB by the rule; tight on 1x H100 80 GB, test before you rely on it');
  const help = plain(await page.locator('[data-region="help"]').textContent());
  assert.match(help, /max_model_len/);
  assert.match(help, /go up one size: 1x H200/);
});

pageTest('128K of context adds 42.9 GB: 112.9 in all, still one H200', async ({ page, open }) => {
  await open(article('params=70b&num_layers=80&num_heads=64&num_kv_heads=8&head_dim=128&context=131072'));
  assert.match(await sentence(page), /: 113 GB by the rule; of the article's cards, 1x H200$/);
  const rows = await compartments(page);
  assert.deepEqual(rows.map((row) => row.slice(0, 2)), [['Weights', '70 GB'], ['KV cache', '42.9 GB'], ['Total', '113 GB']]);
  await open(article('context=131072'));
  assert.deepEqual((await compartments(page)).map((row) => row.slice(0, 2)), rows.map((row) => row.slice(0, 2)), 'the catalogue model says the same');
});

pageTest('four such conversations take two H200', async ({ page, open }) => {
  await open(article('context=131072&sequences=4'));
  assert.match(await sentence(page), /: 242 GB by the rule; of the article's cards, 2x H200$/);
  assert.equal((await fitTable(page))['H200 SXM'].counts[1], 'does-not-fit');
});

pageTest('70B in BF16: three H100 cannot share 64 heads, four can', async ({ page, open }) => {
  await open(article('weights=bf16&gpu=h100-sxm&count=3'));
  assert.equal(await sentence(page), 'Llama 3.1 70B in BF16: 168 GB by the rule; 3x H100 80 GB cannot share it: 64 attention heads do not divide by 3');
  await open(article('weights=bf16'));
  const { counts } = (await fitTable(page))['H100 SXM 80GB'];
  assert.equal(counts[3], 'unusable');
  assert.equal(counts[4], 'fits');
  assert.match(plain(await page.locator('.legends').textContent()), /not usable: 64 attention heads do not divide by 3, 5, 6, or 7/);
  assert.equal(await page.locator('[data-pick="h100-sxm"][data-count="3"]').count(), 0, 'what cannot be cannot be chosen');
  await page.locator('[data-key="h100-sxm/4"]').click();
  assert.match(await sentence(page), /fits on 4x H100 80 GB$/);
});

pageTest('DeepSeek V3 keeps its whole latent cache on every GPU', async ({ page, open }) => {
  await open(article('model=deepseek-v3&method=worksheet&count=8&context=32768'));
  assert.match(await sentence(page), /fits on 8x H200$/);
  // 32768 tokens x 61 layers x (512 + 64) x 2 bytes
  const bytes = 32768 * 61 * 576 * 2;
  assert.equal((bytes / 2 ** 30).toFixed(3), '2.145');
  const rows = await compartments(page);
  assert.deepEqual(rows.find(([use]) => use === 'KV cache').slice(0, 3), ['KV cache', '2.1 GiB', '17.2 GiB']);
  await page.locator('[data-key="terms/kv_cache"] summary').click();
  assert.match(plain(await page.locator('[data-key="terms/kv_cache"] ul').textContent()), /32,768 tokens × 1 sequence × 61 layers × one latent of 512 \+ 64 elements \(1,152 bytes\), copied to every GPU = 2\.1 GiB/);
  assert.ok((await notices(page)).some((n) => n.includes('all of them must be in memory')));
});

pageTest('4-bit on an L40S costs 82 % less than BF16 on a B200', async ({ page, open }) => {
  await open(article('weights=bf16'));
  const rows = (await page.locator('.precision li').allTextContents()).map(plain);
  assert.equal(rows.length, 3);
  assert.match(rows[0], /^BF16 168 GB → 1x B200 \$5\.43\/h/);
  assert.match(rows[1], /^FP8 84 GB → 1x H200 \$5\.40\/h/);
  assert.match(rows[2], /^4-bit 42 GB → 1x L40S \$0\.97\/h ?82% less than BF16$/);
});
