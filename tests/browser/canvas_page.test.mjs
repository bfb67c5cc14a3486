// The canvas's own page: opened by a link, written back to it, and the way to the tables.
import assert from 'node:assert/strict';

import { clickWidget, openAlone, share, spoken, still, widgets } from './canvas_support.mjs';
import { address, becomes, locales, pages, pageTest, plain, ready, sentence, violations } from './support.mjs';

const text = async (page, selector) => plain(await page.locator(selector).textContent());

pageTest('a link opens it: configuration, language, theme, units; the address becomes canonical', async ({ page, origin }) => {
  await openAlone(page, origin, 'theme=dark&context=128k&weights=bf16&lang=es&units=GB&method=rule&flavour=vanilla');
  assert.match(plain(await spoken(page)), /^Llama 3\.1 70B en BF16: 183 GB según la regla/);
  assert.equal(await address(page), '?weights=bf16&context=131072&flavour=vanilla&lang=es&theme=dark&units=GB');
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'es');
  assert.equal(await page.title(), locales.es.page['canvas.title']);
  assert.equal(await text(page, '#tables'), locales.es.page['canvas.tables']);
  assert.equal(await page.locator('header nav').getAttribute('aria-label'), locales.es.page.language);
  assert.equal(await page.locator('[aria-current="page"]').getAttribute('data-lang'), 'es');
  assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor), 'rgb(21, 24, 26)');
  await openAlone(page, origin, 'units=GiB');
  assert.match(plain(await spoken(page)), /78\.2 GiB by the rule/);
});

for (const lang of Object.keys(pages)) {
  pageTest(`${lang}: its own address; no text of another language; nothing scrolls`, async ({ page, origin }) => {
    await openAlone(page, origin, '', lang);
    assert.equal(await text(page, '#tables'), locales[lang].page['canvas.tables']);
    assert.equal(await text(page, 'h1'), locales[lang].page.name);
    const captions = (await widgets(page)).map((w) => w.label);
    for (const key of ['link', 'reset']) assert.ok(captions.includes(locales[lang].page[key]), key);
    const [page_, window_] = await page.evaluate(() => [[document.documentElement.scrollWidth, document.documentElement.scrollHeight], [window.innerWidth, window.innerHeight]]);
    assert.deepEqual(page_, window_);
  });
}

pageTest('edits write the address; back and forward follow', async ({ page, origin }) => {
  await openAlone(page, origin, 'units=GiB');
  await clickWidget(page, 'h200/2');
  assert.equal(await address(page), '?gpu=h200&count=2&units=GiB');
  await clickWidget(page, 'context/more');
  const after = await address(page);
  assert.match(after, /^\?context=\d+&gpu=h200&count=2&units=GiB$/);
  assert.equal(new URL(await page.locator('#tables').evaluate((a) => a.href)).search, after);
  for (const [step, wanted] of [['goBack', '?gpu=h200&count=2&units=GiB'], ['goBack', '?units=GiB'], ['goForward', '?gpu=h200&count=2&units=GiB'], ['goForward', after]]) {
    await page[step]();
    await becomes(() => address(page), wanted);
    await becomes(() => share(page), wanted.slice(1).replace(/&?units=GiB/, ''));
    assert.equal(new URL(await page.locator('#tables').evaluate((a) => a.href)).search, wanted);
  }
  await page.reload();
  await page.waitForSelector('html[data-ready]', { state: 'attached' });
  assert.equal(await address(page), after);
  assert.equal(`?${await share(page)}&units=GiB`, after);
});

pageTest('the way to the tables and back keeps the configuration', async ({ page, origin }) => {
  await openAlone(page, origin, 'weights=bf16&theme=dark', 'es');
  await clickWidget(page, 'h200/4');
  await page.locator('#tables').click();
  await page.waitForURL(`${origin}/es/?weights=bf16&gpu=h200&count=4&theme=dark`);
  await ready(page);
  assert.match(await sentence(page), /cabe en 4x H200$/);
  await page.locator('#alone').click();
  await page.waitForURL(`${origin}/es/canvas.html?weights=bf16&gpu=h200&count=4&theme=dark`);
  await page.waitForSelector('html[data-ready]', { state: 'attached' });
  assert.equal(await share(page), 'weights=bf16&gpu=h200&count=4');
  await page.locator('[data-lang="pt-BR"][hreflang]').first().click();
  await page.waitForURL(`${origin}/pt-br/canvas.html?weights=bf16&gpu=h200&count=4&theme=dark`);
  await page.waitForSelector('html[data-ready]', { state: 'attached' });
  assert.match(plain(await spoken(page)), /cabe em 4x H200/);
});

pageTest('Copy link copies the address, and says so', { permissions: ['clipboard-read', 'clipboard-write'] }, async ({ page, origin }) => {
  await openAlone(page, origin, 'units=GiB');
  await clickWidget(page, 'h200/2');
  await clickWidget(page, 'copy');
  await becomes(() => text(page, '#copied'), locales.en.page['link.done']);
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), `${origin}/canvas.html?gpu=h200&count=2&units=GiB`);
});

pageTest('and says where the clipboard is refused', async ({ page, context, origin }) => {
  await context.addInitScript(() => { Object.defineProperty(navigator, 'clipboard', { value: undefined }); });
  await openAlone(page, origin, '', 'es');
  await clickWidget(page, 'copy');
  await becomes(() => text(page, '#copied'), locales.es.page['link.failed']);
});

pageTest('the same grammar is read after #', async ({ page, origin }) => {
  await page.goto(`${origin}/canvas.html#model=qwen3-8b&weights=bf16`);
  await page.waitForSelector('html[data-ready]', { state: 'attached' });
  assert.equal(await address(page), '?model=qwen3-8b&weights=bf16');
  await openAlone(page, origin);
  await page.evaluate(() => { window.location.hash = 'model=qwen3-14b'; });
  await becomes(() => share(page), 'model=qwen3-14b');
  await becomes(() => address(page), '?model=qwen3-14b');
});

for (const lang of Object.keys(pages)) {
  pageTest(`${lang}: without scripts it says what it needs and where the figures are`, { javaScriptEnabled: false }, async ({ page, origin }) => {
    await page.goto(`${origin}/${pages[lang]}canvas.html`);
    assert.ok(await page.locator('noscript p').isVisible());
    assert.equal(await text(page, 'noscript p'), locales[lang].page['canvas.noscript']);
    assert.ok(!(await page.locator('#place').isVisible()), 'it does not say that it loads');
    await page.locator('#tables').click();
    await page.waitForURL(`${origin}/${pages[lang]}`);
    assert.equal(await page.locator('.fit tbody tr').count(), 4);
  });
}

for (const file of ['vramfit-canvas.wasm', 'vramfit-core.wasm', 'vramfit.mjs', 'canvas-element.mjs', 'locales/canvas.en.txt']) {
  pageTest(`without ${file}: said in words, another try`, { expect: [/^answer 404/, /^console error/, ...(file === 'vramfit-core.wasm' ? [/^console warning: (wasm streaming compile failed|falling back|Aborted|failed to asynchronously prepare)/] : [])] }, async ({ page, origin }) => {
    await page.route(`**/assets/${file}*`, (route) => route.fulfill({ status: 404, contentType: 'text/plain', body: 'Not found' }));
    await page.goto(`${origin}/canvas.html?weights=bf16`);
    await page.locator('#failed').waitFor({ state: 'visible' });
    assert.equal(await text(page, '#failed span'), locales.en.page['canvas.failed']);
    assert.deepEqual(await violations(page), []);
    assert.equal(await page.locator('vramfit-canvas').count(), 0);
    await page.unrouteAll();
    await page.locator('#failed button').click();
    await page.waitForSelector('html[data-ready]', { state: 'attached' });
    await still(page);
    assert.match(await spoken(page), /^Llama 3\.1 70B in BF16/);
    assert.ok(!(await page.locator('#failed').isVisible()));
  });
}

pageTest('what cannot be answered is said', async ({ page, origin }) => {
  await openAlone(page, origin, 'model=nope');
  assert.match(await spoken(page), /nope/);
  await clickWidget(page, 'reset');
  await becomes(() => address(page), '');
});

pageTest('a window of any size shows something to use', async ({ page, origin }) => {
  await openAlone(page, origin, 'method=worksheet');
  for (const [width, height] of [[320, 480], [768, 400], [1920, 1080], [600, 1200], [1000, 300]]) {
    await page.setViewportSize({ width, height });
    await still(page);
    const all = await widgets(page);
    const box = await page.locator('vramfit-canvas').boundingBox();
    assert.ok(all.length > 5, `${width}x${height}: ${all.length} widgets`);
    assert.ok(box.width === width && box.height > height * 0.5, `${width}x${height}: ${box.width}x${box.height}`);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
  }
});
