// The page begins with the small module and loads the full one when the engine method is asked for: until it is there what is shown stays,
// and without it that is said, with another try.
import assert from 'node:assert/strict';

import { becomes, pageTest } from './support.mjs';

const module = '**/assets/vramfit-full.wasm*';
const asked = 'model=llama-3.1-8b&gpu=h100-sxm';
const sentence = (page) => page.locator('.sentence').textContent();
const busy = (page) => page.locator('.calculator').getAttribute('aria-busy');
const held = (page) => page.evaluate(() => document.querySelector('.sentence').dataset.state);

function counted(page) {
  const urls = [];
  page.on('request', (request) => /\.wasm/.test(request.url()) && urls.push(new URL(request.url()).pathname.split('/').at(-1)));
  return urls;
}

pageTest('the full module is loaded only when it is asked for, and once', async ({ page, origin }) => {
  const wasm = counted(page);
  let free;
  const gate = new Promise((done) => { free = done; });
  await page.route(module, async (route) => { await gate; await route.continue(); });
  await page.goto(`${origin}/?${asked}`);
  await page.waitForSelector('html[data-ready]', { state: 'attached' });
  assert.deepEqual(wasm, ['vramfit-core.wasm']);
  const before = await sentence(page);
  await page.evaluate(() => { const method = document.getElementById('f-method'); method.value = 'engine'; method.dispatchEvent(new Event('change', { bubbles: true })); });
  await becomes(() => busy(page), 'true');
  assert.equal(await sentence(page), before, 'the last answer stays');
  assert.ok(await page.locator('.loading').isVisible());
  free();
  await becomes(() => busy(page), 'false');
  assert.notEqual(await held(page), 'refused');
  assert.ok(!(await page.locator('.loading').isVisible()));
  assert.match(page.url(), /method=engine/);
  await page.evaluate(() => { const method = document.getElementById('f-method'); method.value = 'rule'; method.dispatchEvent(new Event('change', { bubbles: true })); });
  assert.equal(await sentence(page), before, 'at once');
  assert.deepEqual(wasm, ['vramfit-core.wasm', 'vramfit-full.wasm']);
});

pageTest('what is asked meanwhile goes first', async ({ page, origin }) => {
  let free;
  const gate = new Promise((done) => { free = done; });
  await page.route(module, async (route) => { await gate; await route.continue(); });
  await page.goto(`${origin}/?${asked}`);
  await page.waitForSelector('html[data-ready]', { state: 'attached' });
  const choose = (value) => page.evaluate((id) => { const method = document.getElementById('f-method'); method.value = id; method.dispatchEvent(new Event('change', { bubbles: true })); }, value);
  await choose('engine');
  await becomes(() => busy(page), 'true');
  await choose('worksheet');
  assert.equal(await busy(page), 'false');
  const worksheet = await sentence(page);
  free();
  await page.waitForTimeout(1000);  // time for an answer that must not come
  assert.equal(await sentence(page), worksheet);
  assert.match(page.url(), /method=worksheet/);
});

pageTest('without the full module: said, and tried again', { expect: [/^answer 404/, /^console (error|warning)/, /wasm/] }, async ({ page, origin }) => {
  let missing = true;
  await page.route(module, (route) => (missing ? route.fulfill({ status: 404, contentType: 'text/plain', body: 'Not found' }) : route.continue()));
  await page.goto(`${origin}/?${asked}&method=engine`);
  await page.locator('.sentence', { hasText: 'could not be loaded' }).waitFor();
  assert.equal(await held(page), 'refused');
  assert.equal(await busy(page), 'false');
  const again = page.locator('#retry button');
  assert.ok(await again.isVisible());
  missing = false;
  await again.click();
  await becomes(async () => (await held(page)) !== 'refused', true);
  assert.ok(!(await again.isVisible()));
});
