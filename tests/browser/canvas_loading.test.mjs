// The canvas is loaded when its section comes into sight, says so meanwhile, and its failure takes nothing from the page.
import assert from 'node:assert/strict';

import { becomesReady, openCanvas, state } from './canvas_support.mjs';
import { address, becomes, compartments, field, locales, open as openPage, pages, pageTest, plain, ready, sentence, typeInto, value, violations } from './support.mjs';

const isCanvas = (url) => /canvas/.test(url);
const files = ['canvas_view.js', 'canvas-element.mjs', 'vramfit-canvas.mjs', 'vramfit-canvas.wasm', 'locales/canvas.en.txt'];
const toCanvas = (page) => page.evaluate(() => document.getElementById('canvas').scrollIntoView());
const text = async (page, selector) => plain(await page.locator(selector).textContent());

pageTest('nothing of it is requested before its section is in sight', async ({ page, open }) => {
  const asked = [];
  page.on('request', (request) => { if (isCanvas(request.url())) asked.push(new URL(request.url()).pathname.replace('/assets/', '')); });
  await open();
  await typeInto(page, 'context', '8k');
  await page.evaluate(() => window.scrollTo(0, 600));
  assert.deepEqual(asked, []);
  await toCanvas(page);
  await becomesReady(page);
  assert.deepEqual([...new Set(asked)].sort(), [...files].sort());
  assert.equal(asked.length, files.length, 'each once');
});

pageTest('the answer does not wait for it, and the wait is shown', async ({ page, origin }) => {
  let go;
  const gate = new Promise((done) => { go = done; });
  await page.route('**/vramfit-canvas.wasm', async (route) => { await gate; await route.continue(); });
  await page.goto(`${origin}/?weights=bf16#canvas`);
  await ready(page);
  assert.match(await sentence(page), /168 GB/);
  await toCanvas(page);
  const status = page.locator('#canvas-place p[role="status"]');
  await status.waitFor({ state: 'visible' });
  assert.equal(plain(await status.textContent()), locales.en.page['canvas.loading']);
  assert.ok(await page.locator('#canvas-place progress').isVisible());
  assert.equal(await page.locator('#canvas-place progress').getAttribute('aria-label'), locales.en.page['canvas.loading']);
  // Meanwhile the page does all it can.
  await typeInto(page, 'context', '32k');
  assert.equal(await address(page), '?weights=bf16&context=32768#canvas');
  await becomes(() => state(page), 'loading');
  go();
  await becomesReady(page);
  assert.equal(await page.locator('vramfit-canvas').evaluate((canvas) => canvas.share), 'weights=bf16&context=32768', 'it shows what was asked meanwhile');
  assert.ok(!(await page.locator('progress').isVisible()));
});

pageTest('the bar follows the download', async ({ page, open, context }) => {
  await open();
  const network = await context.newCDPSession(page);
  await network.send('Network.emulateNetworkConditions', { offline: false, latency: 0, downloadThroughput: 600000, uploadThroughput: -1 });
  await toCanvas(page);
  const seen = await page.evaluate(() => new Promise((done) => {
    const values = new Set();
    const look = () => {
      const bar = document.querySelector('#canvas progress');
      if (bar?.hasAttribute('value')) values.add(bar.value);
      if (document.querySelector('vramfit-canvas')?.state === 'ready') done([...values]);
      else requestAnimationFrame(look);
    };
    look();
  }));
  assert.ok(seen.length > 2, `${seen}`);
  assert.deepEqual(seen, [...seen].sort((a, b) => a - b));
  assert.ok(seen.every((v) => v > 0 && v <= 1));
});

pageTest('another language while it loads is the one it speaks', async ({ page, origin }) => {
  let go;
  const gate = new Promise((done) => { go = done; });
  await page.route('**/vramfit-canvas.wasm', async (route) => { await gate; await route.continue(); });
  await page.goto(`${origin}/`);
  await ready(page);
  await toCanvas(page);
  await page.locator('vramfit-canvas').waitFor({ state: 'attached' });
  await page.evaluate(() => {
    window.history.replaceState(null, '', '?lang=es&units=GiB');
    window.dispatchEvent(new PopStateEvent('popstate'));
  });
  await becomes(() => text(page, '#canvas-place p[role="status"]'), locales.es.page['canvas.loading']);
  go();
  await becomesReady(page);
  assert.match(await page.locator('vramfit-canvas').evaluate((canvas) => canvas.spoken()), /^Llama 3\.1 70B en FP8: 78,2\sGiB según la regla/);
});

for (const file of files) {
  pageTest(`without ${file}: said in words, the page whole, another try`, { expect: [/^answer 404/, /^console error/] }, async ({ page, open }) => {
    await page.route(`**/assets/${file}*`, (route) => route.fulfill({ status: 404, contentType: 'text/plain', body: 'Not found' }));
    await open('weights=bf16');
    await toCanvas(page);
    const failed = page.locator('#canvas-failed');
    await failed.waitFor({ state: 'visible' });
    assert.equal(await failed.getAttribute('role'), 'alert');
    assert.equal(await text(page, '#canvas-failed span'), locales.en.page['canvas.failed']);
    assert.ok(!(await page.locator('#canvas-place').isVisible()), 'it no longer says that it loads');
    await typeInto(page, 'context', '128k');
    assert.match(await sentence(page), /^Llama 3\.1 70B in BF16: 183 GB/);
    assert.ok((await compartments(page)).length > 1);
    // Coming into sight again is an attempt of its own; the button is for the one after it.
    const again = page.waitForResponse(`**/assets/${file}*`);
    await toCanvas(page);
    await again;
    await failed.waitFor({ state: 'visible' });
    await page.unrouteAll();
    await failed.getByRole('button', { name: locales.en.page['canvas.retry'] }).click();
    await becomesReady(page);
    assert.ok(!(await failed.isVisible()));
    assert.equal(await page.locator('vramfit-canvas').count(), 1);
    assert.equal(await page.locator('vramfit-canvas').evaluate((canvas) => canvas.share), 'weights=bf16&context=131072');
  });
}

pageTest('coming back to it is another try too; the words follow the language', { expect: [/^answer 404/, /^console error/] }, async ({ page, open }) => {
  await page.route('**/assets/vramfit-canvas.wasm', (route) => route.fulfill({ status: 404, contentType: 'text/plain', body: 'Not found' }));
  await open('', 'es');
  await toCanvas(page);
  await page.locator('#canvas-failed').waitFor({ state: 'visible' });
  assert.equal(await text(page, '#canvas-failed span'), locales.es.page['canvas.failed']);
  assert.deepEqual(await violations(page), []);
  await page.evaluate(() => {
    window.history.replaceState(null, '', '?lang=pt-BR');
    window.dispatchEvent(new PopStateEvent('popstate'));
  });
  await becomes(() => text(page, '#canvas-failed span'), locales['pt-BR'].page['canvas.failed']);
  await page.unrouteAll();
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.waitForFunction(() => document.getElementById('canvas').getBoundingClientRect().top > window.innerHeight);
  await page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => setTimeout(done, 50)); }));
  await toCanvas(page);
  await becomesReady(page);
});

// --- without WebGL 2 --------------------------------------------------------------------------------------------------------

const ways = {
  'no context to be had': () => {
    const { getContext } = HTMLCanvasElement.prototype;
    HTMLCanvasElement.prototype.getContext = function get(kind, ...rest) { return /webgl/.test(kind) ? null : getContext.call(this, kind, ...rest); };
  },
  'none in the browser': () => { delete window.WebGL2RenderingContext; },
};

for (const [name, script] of Object.entries(ways)) {
  for (const lang of name.startsWith('none') ? ['es'] : Object.keys(pages)) {
    pageTest(`${name}, ${lang}: said in words, the page whole`, async ({ page, context, origin }) => {
      await context.addInitScript(script);
      await openPage(page, 'weights=bf16', lang);
      await toCanvas(page);
      await becomes(() => text(page, '#canvas-place p[role="status"]'), locales[lang].canvas['no-webgl']);
      assert.equal(await state(page), 'no-webgl');
      assert.ok(await page.locator('#canvas-place p[role="status"]').isVisible());
      assert.ok(!(await page.locator('progress').isVisible()));
      const { height } = await page.locator('vramfit-canvas').boundingBox();
      assert.ok(height < 120, `a sentence takes no ${height} pixels`);
      assert.deepEqual(await violations(page), []);
      await field(page, 'weights').selectOption('fp8');
      assert.match(await sentence(page), /84\sGB/);
      assert.equal(await value(page, 'weights'), 'fp8');
      const other = lang === 'es' ? 'en' : 'es';
      await page.evaluate((to) => {
        window.history.replaceState(null, '', `?lang=${to}`);
        window.dispatchEvent(new PopStateEvent('popstate'));
      }, other);
      await becomes(() => text(page, '#canvas-place p[role="status"]'), locales[other].canvas['no-webgl'], 'in the language in use');
      await page.goto(`${origin}/${pages[lang]}canvas.html`);
      await becomes(() => text(page, '#place p[role="status"]'), locales[lang].canvas['no-webgl']);
      assert.deepEqual(await violations(page), []);
    });
  }
}

pageTest('a canvas out of sight does not load for a change of the form', async ({ page, open }) => {
  await open();
  await field(page, 'weights').selectOption('bf16');
  await becomes(() => address(page), '?weights=bf16');
  assert.equal(await page.locator('vramfit-canvas').count(), 0);
  await openCanvas(page, 'weights=int4-awq');
  assert.equal(await page.locator('vramfit-canvas').evaluate((canvas) => canvas.share), 'weights=int4-awq');
});
