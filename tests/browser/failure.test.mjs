// When something cannot be loaded the page says so and keeps what it has.
import assert from 'node:assert/strict';

import { pageTest, plain } from './support.mjs';

for (const file of ['vramfit-core.wasm', 'vramfit-core.mjs', 'locales/es.json']) {
  pageTest(`without ${file}`, { expect: [/^answer 404/, /^console/] }, async ({ page, origin }) => {
    await page.route(`**/assets/${file}`, (route) => route.fulfill({ status: 404, contentType: 'text/plain', body: 'Not found' }));
    await page.goto(`${origin}/es/?weights=bf16`);
    await page.locator('#failed').waitFor({ state: 'visible' });
    assert.match(plain(await page.locator('#failed').textContent()), /no pudo iniciarse aquí/);
    assert.match(plain(await page.locator('.sentence').textContent()), /^Llama 3\.1 70B en FP8: 84 GB/);
    assert.ok(await page.locator('.sentence').isVisible(), 'the default answer shows, and is said to be that');
  });
}

pageTest('without the catalogue\'s sources', { expect: [/^answer 404/, /^console error/] }, async ({ page, open }) => {
  await page.route('**/assets/sources.json', (route) => route.fulfill({ status: 404, contentType: 'text/plain', body: 'Not found' }));
  await open();
  await page.locator('#sources-fold > summary').click();
  await page.locator('#catalog-sources', { hasText: 'could not be loaded' }).waitFor();
});

pageTest('without the script of the what-if section: said, and tried again with the next answer', { expect: [/^answer 404/, /^console error/] }, async ({ page, origin }) => {
  let missing = true;
  await page.route('**/what_if_view.*', (route) => (missing ? route.fulfill({ status: 404, contentType: 'text/plain', body: 'Not found' }) : route.continue()));
  await page.goto(`${origin}/?weights=bf16`);
  const limits = page.locator('#limits');
  await limits.getByText('The limits could not be loaded').waitFor();
  assert.equal(await limits.getAttribute('aria-busy'), null);
  assert.match(plain(await page.locator('.sentence').textContent()), /^Llama 3\.1 70B in BF16: 168 GB/, 'the answer stands');
  missing = false;
  await page.locator('#f-weights').selectOption('fp8');
  await limits.locator('.limits').first().waitFor();
  assert.equal(await limits.getByText('could not be loaded').count(), 0);
});
