// Numbers are read in either decimal style, whatever the page's language, and shown as that language writes them.
import assert from 'node:assert/strict';

import { address, field, pageTest, pages, typeInto, value } from './support.mjs';

const tokens = [['131072', 131072], ['131.072', 131072], ['131,072', 131072], ['131 072', 131072], ['1.5k', 1536], ['1,5k', 1536], ['1.048.576', 1048576], ['1,048,576', 1048576], ['128K', 131072], ['1m', 1048576]];
const sizes = [['32.5b', '32.5b'], ['32,5b', '32.5b'], ['32,5 B', '32.5b'], ['350m', '350m'], ['1.500.000.000', '1.5b'], ['1,500,000,000', '1.5b'], ['2t', '2t']];
const percents = [['12.5', '12.5'], ['12,5', '12.5'], ['15', '15'], [',5', '0.5']];

for (const lang of Object.keys(pages)) {
  pageTest(`${lang}: both decimal styles are read`, async ({ page, open }) => {
    await open('context=7&params=7b&model=&method=worksheet', lang);
    for (const [typed, expected] of tokens) {
      await typeInto(page, 'context', typed);
      assert.match(await address(page), new RegExp(`[?&]context=${expected}(&|$)`), typed);
      assert.equal(await value(page, 'context'), String(expected), 'shown so that it is read back the same');
    }
    for (const [typed, expected] of sizes) {
      await typeInto(page, 'params', typed);
      if (expected !== '7b') assert.match(await address(page), new RegExp(`[?&]params=${expected}(&|$)`), typed);
    }
    await page.locator('[data-group="method"] summary').click();
    for (const [typed, expected] of percents) {
      await typeInto(page, 'headroom', typed);
      assert.match(await address(page), new RegExp(`[?&]headroom=${expected}(&|$)`), typed);
      assert.equal(await value(page, 'headroom'), lang === 'en' ? expected : expected.replace('.', ','));
    }
  });
}

pageTest('what is no number is told', async ({ page, open }) => {
  await open();
  for (const typed of ['abc', '1.2.3', '12b', '-', '1e5', '1,23,4', '4096 tokens', '']) {
    await typeInto(page, 'context', typed);
    assert.ok(await page.locator('#e-context').isVisible(), typed);
    assert.equal(await field(page, 'context').getAttribute('aria-invalid'), 'true', typed);
    assert.equal(await address(page), '', typed);
  }
});

pageTest('an optional number may be emptied', async ({ page, open }) => {
  await open('method=worksheet&headroom=30&count=2');
  for (const group of ['method', 'hardware']) await page.locator(`[data-group="${group}"] summary`).click();
  await typeInto(page, 'headroom', '');
  await typeInto(page, 'count', '');
  assert.equal(await address(page), '?method=worksheet');
  assert.equal(await value(page, 'headroom'), '');
});
