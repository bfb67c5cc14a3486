// "Share and export": the link, its QR code, the files, and what is said about each.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { parse as parseCsv } from 'csv-parse/sync';

import { address, becomes, locales, pages, pageTest, plain, sentence, violations } from './support.mjs';

const jsQR = createRequire(import.meta.url)('jsqr');
const dialog = (page) => page.locator('dialog.share-panel');
const said = async (page) => plain(await dialog(page).locator('[role="status"]').textContent());
const link = (page) => dialog(page).locator('#share-link').inputValue();

async function openPanel(page) {
  await page.locator('#panel').click();
  await dialog(page).waitFor();
}

// What a telephone would read off the screen.
async function scanned(page) {
  const png = (await dialog(page).locator('.qr').screenshot()).toString('base64');
  const { data, width, height } = await page.evaluate(async (source) => {
    const image = new Image();
    image.src = `data:image/png;base64,${source}`;
    await image.decode();
    const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
    const context = canvas.getContext('2d', { willReadFrequently: true });
    context.drawImage(image, 0, 0);
    return { data: [...context.getImageData(0, 0, image.width, image.height).data], width: image.width, height: image.height };
  }, png);
  return jsQR(Uint8ClampedArray.from(data), width, height, { inversionAttempts: 'dontInvert' })?.data ?? null;
}

async function download(page, extension) {
  const [file] = await Promise.all([page.waitForEvent('download'), dialog(page).locator(`[data-file="${extension}"]`).click()]);
  return { name: file.suggestedFilename(), content: readFileSync(await file.path()) };
}

pageTest('by keyboard alone: opens, goes round, closes, and the focus is back', async ({ page, open }) => {
  await open('weights=bf16');
  await page.locator('#panel').focus();
  await page.keyboard.press('Enter');
  await dialog(page).waitFor();
  const focused = () => page.evaluate(() => document.activeElement.dataset.file ?? document.activeElement.dataset.do ?? document.activeElement.id ?? document.activeElement.localName);
  assert.equal(await focused(), 'share-link');
  assert.equal(await page.evaluate(() => window.getSelection().toString() || document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd)), await link(page));
  const passed = [];
  for (let i = 0; i < 8; i += 1) {
    await page.keyboard.press('Tab');
    passed.push(await focused());
  }
  assert.deepEqual(passed.slice(0, 7), ['copy-link', 'png', 'svg', 'csv', 'json', 'md', 'copy-markdown']);
  // Beyond the last comes the browser itself or the first again, nothing of the page behind.
  assert.ok(await page.evaluate(() => document.activeElement === document.body || document.activeElement.closest('dialog')));
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });
  assert.equal(await page.evaluate(() => document.activeElement.id), 'panel');
  assert.equal(await address(page), '?weights=bf16');
});

pageTest('the button × closes it, and a click beside it; a click in it does not', async ({ page, open }) => {
  await open();
  await openPanel(page);
  await dialog(page).locator('h2').click();
  const box = await dialog(page).boundingBox();
  // Selecting text and letting go outside.
  await page.mouse.move(box.x + 40, box.y + 80);
  await page.mouse.down();
  await page.mouse.move(box.x - 40, box.y + 80);
  await page.mouse.up();
  assert.ok(await dialog(page).isVisible());
  await page.mouse.click(box.x - 40, box.y + 80);
  await dialog(page).waitFor({ state: 'detached' });
  await openPanel(page);
  await dialog(page).getByRole('button', { name: locales.en.share.close, exact: true }).click();
  await dialog(page).waitFor({ state: 'detached' });
});

pageTest('pressed twice it opens once, and a step back closes it', async ({ page, open }) => {
  await open('weights=bf16');
  await page.evaluate(() => { document.getElementById('panel').click(); document.getElementById('panel').click(); });
  await dialog(page).waitFor();
  assert.equal(await page.locator('dialog').count(), 1);
  await page.keyboard.press('Escape');
  await page.locator('[data-set="method"][data-value="worksheet"]').click();
  await openPanel(page);
  assert.match(await link(page), /\?weights=bf16&method=worksheet$/);
  await page.goBack();
  await dialog(page).waitFor({ state: 'detached' });
});

for (const lang of ['en', 'es', 'pt-BR']) {
  pageTest(`${lang}: the link is copied, scanned, and leads here`, { permissions: ['clipboard-read', 'clipboard-write'] }, async ({ page, open, origin }) => {
    const { share } = locales[lang];
    await open('weights=q4_k_m&gpus=h200:3.20,b200&units=GiB', lang);
    const before = await sentence(page);
    await openPanel(page);
    assert.equal(await link(page), `${origin}/${pages[lang]}?weights=q4_k_m&gpus=h200:3.20,b200&units=GiB`);
    assert.equal(plain(await dialog(page).locator('h2').textContent()), share.title);
    assert.equal(await scanned(page), await link(page));
    await dialog(page).locator('[data-do="copy-link"]').click();
    await becomes(() => said(page), share.link_copied);
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await link(page));
    await dialog(page).locator('[data-do="copy-markdown"]').click();
    await becomes(() => said(page), share.markdown_copied);
    const markdown = await page.evaluate(() => navigator.clipboard.readText());
    assert.ok(plain(markdown.split('\n')[0]).replaceAll('\\', '').endsWith(before), markdown.slice(0, 200));
    assert.ok(markdown.includes(`<${await link(page)}>`));
    assert.deepEqual(await violations(page), []);
    await page.goto(await link(page));
    await page.waitForSelector('html[data-ready]', { state: 'attached' });
    assert.equal(await sentence(page), before);
  });
}

pageTest('a refused clipboard says so and selects the link', async ({ page, open }) => {
  await page.addInitScript(() => { Object.defineProperty(navigator, 'clipboard', { value: { writeText: () => Promise.reject(new DOMException('no', 'NotAllowedError')) } }); });
  await open();
  await openPanel(page);
  await dialog(page).locator('[data-do="copy-markdown"]').click();
  await becomes(() => said(page), locales.en.share.markdown_refused);
  await dialog(page).locator('[data-do="copy-link"]').click();
  await becomes(() => said(page), locales.en.share.link_refused);
  assert.equal(await page.evaluate(() => { const { value, selectionStart, selectionEnd, id } = document.activeElement; return id === 'share-link' && selectionStart === 0 && selectionEnd === value.length; }), true);
});

pageTest('without a clipboard at all it says the same', async ({ page, open }) => {
  await page.addInitScript(() => { Object.defineProperty(navigator, 'clipboard', { value: undefined }); });
  await open();
  await openPanel(page);
  await dialog(page).locator('[data-do="copy-link"]').click();
  await becomes(() => said(page), locales.en.share.link_refused);
});

pageTest('the files: names, contents, and that they are said', { acceptDownloads: true }, async ({ page, open }) => {
  await open('weights=fp8&gpus=datacenter', 'es');
  await openPanel(page);
  const wanted = await link(page);
  const files = {};
  for (const extension of ['png', 'svg', 'csv', 'json', 'md']) {
    files[extension] = await download(page, extension);
    assert.equal(files[extension].name, `vramfit-llama-3.1-70b-fp8.${extension}`);
    await becomes(() => said(page), locales.es.share.started.replace('{file}', files[extension].name));
  }
  const { png, svg, csv, json, md } = Object.fromEntries(Object.entries(files).map(([extension, { content }]) => [extension, content]));

  const drawing = String(svg);
  const height = Number(drawing.match(/ height="(\d+)"/)[1]);
  assert.match(drawing, />Llama 3\.1 70B en FP8: 84.GB según la regla/);
  assert.ok(drawing.includes(wanted.replaceAll('&', '&amp;')));

  assert.equal(png.subarray(1, 4).toString(), 'PNG');
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [2400, 2 * height]);
  // It shows the drawing: the first bar begins with the colour of the weights, on the light surface.
  const colours = await page.evaluate(async ([source, at]) => {
    const image = new Image();
    image.src = `data:image/png;base64,${source}`;
    await image.decode();
    const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
    const context = canvas.getContext('2d', { willReadFrequently: true });
    context.drawImage(image, 0, 0);
    const pixel = (x, y) => [...context.getImageData(x, y, 1, 1).data];
    return [pixel(4, 4), pixel(120, 2 * at + 40)];
  }, [png.toString('base64'), Number(drawing.match(/<rect x="40" y="(\d+)"/)[1])]);
  assert.deepEqual(colours, [[0xfb, 0xfb, 0xf9, 255], [0x1f, 0x5f, 0xa8, 255]]);

  const rows = parseCsv(csv, { columns: true });
  assert.equal(rows.length, await page.locator('.fit tbody tr').count());
  assert.ok(rows.every((row) => row.link === wanted));
  const { share, link: kept, what_if: whatIf } = JSON.parse(json);
  assert.deepEqual([share, kept, whatIf.count], ['gpus=datacenter', wanted, 1]);
  assert.match(String(md), /^## Llama 3\.1 70B en FP8/);
});

pageTest('without an answer: link, QR code and JSON', { acceptDownloads: true }, async ({ page, open }) => {
  await open('model=nope', 'pt-BR');
  await openPanel(page);
  assert.deepEqual(await dialog(page).locator('[data-file]').evaluateAll((all) => all.map((b) => b.dataset.file)), ['json']);
  assert.equal(await dialog(page).locator('[data-do="copy-markdown"]').count(), 0);
  assert.ok(await dialog(page).getByText(locales['pt-BR'].share.refused).isVisible());
  assert.equal(await scanned(page), await link(page));
  const { name, content } = await download(page, 'json');
  assert.equal(name, 'vramfit-nope-fp8.json');
  assert.equal(JSON.parse(content).refused, true);
  assert.deepEqual(await violations(page), []);
});

pageTest('a link too long for a code that can be read says so, and one below that is read', { timeout: 180000 }, async ({ page, open }) => {
  await open(`zz=${'abc'.repeat(380)}`);
  await openPanel(page);
  assert.equal(await scanned(page), await link(page));
  await open(`zz=${'abc'.repeat(600)}`);
  await openPanel(page);
  assert.equal(await dialog(page).locator('.qr').count(), 0);
  assert.ok(await dialog(page).getByText(locales.en.share.qr_too_long).isVisible());
});

for (const [what, options] of [
  ['on a telephone', { viewport: { width: 320, height: 640 } }],
  ['in the dark', { colorScheme: 'dark' }],
  ['in forced colours', { forcedColors: 'active' }],
]) {
  for (const lang of ['es', 'pt-BR']) {
    pageTest(`${what}, ${lang}: all of it is in reach, and the code can be scanned`, options, async ({ page, open }) => {
      await open('model=deepseek-v3&method=worksheet&count=8', lang);
      await openPanel(page);
      const { across, small } = await dialog(page).evaluate((node) => ({
        across: node.scrollWidth - node.clientWidth,
        small: [...node.querySelectorAll('button')].map((b) => b.getBoundingClientRect()).filter((r) => r.height < 24 || r.width < 24 || r.left < 0 || r.right > innerWidth).length,
      }));
      assert.deepEqual({ across, small }, { across: 0, small: 0 });
      await dialog(page).locator('.qr').scrollIntoViewIfNeeded();
      assert.equal(await scanned(page), await link(page));
      assert.deepEqual(await violations(page), []);
    });
  }
}

pageTest('a file that cannot be made is said', { expect: [/^console error/] }, async ({ page, open }) => {
  await page.addInitScript(() => { HTMLCanvasElement.prototype.toBlob = (done) => done(null); });
  await open();
  await openPanel(page);
  await dialog(page).locator('[data-file="png"]').click();
  await becomes(() => said(page), 'Could not be made: vramfit-llama-3.1-70b-fp8.png');
});

pageTest('a panel that does not load is said, and the next attempt opens it', { expect: [/^answer 500/, /^console error/] }, async ({ page, open }) => {
  await open();
  let broken = true;
  await page.route('**/share_panel.*', (route) => (broken ? route.fulfill({ status: 500 }) : route.continue()));
  await page.locator('#panel').click();
  await becomes(async () => plain(await page.locator('#copied').textContent()), locales.en.page['panel.failed']);
  broken = false;
  await openPanel(page);
});

pageTest('a part of it that does not load is said too', { expect: [/^answer 500/, /^console error/] }, async ({ page, open }) => {
  await open();
  let broken = true;
  await page.route(/share_panel\.css|share\.en\.json/, (route) => (broken ? route.fulfill({ status: 500 }) : route.continue()));
  await page.locator('#panel').click();
  await becomes(async () => plain(await page.locator('#copied').textContent()), locales.en.page['panel.failed']);
  assert.equal(await page.locator('dialog').count(), 0);
  broken = false;
  await openPanel(page);
});

pageTest('in a shadow root it stands there, with its style, and finds what it needs', async ({ page, open, origin }) => {
  await open();
  const found = await page.evaluate(async (site) => {
    const assets = new URL('assets/', `${site}/`);
    const at = (path) => new URL(path, assets);
    const [{ openSharePanel }, { loadVramfit }] = await Promise.all([import(at('share_panel.js')), import(at('vramfit.mjs'))]);
    const vramfit = await loadVramfit({ wasmUrl: at('vramfit-core.wasm') });
    const place = document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'open' });
    const text = { lang: 'es', formats: 'es', format: new Proxy({}, { get: () => String }), t: (key) => key, has: () => false, parts: (key) => [key] };
    const dialog = await openSharePanel({
      place, vramfit, link: 'https://example.org/?model=nope', result: vramfit.estimate('model=nope'), view: { refused: true }, text,
      site: { at, locale: async (lang, part) => (await fetch(at(`locales/${part}.${lang}.json`))).json() },
    });
    const { display } = getComputedStyle(dialog.querySelector('.share-head'));
    const seen = [dialog.getRootNode() === place, place.querySelectorAll('link').length, display, dialog.querySelector('h2').textContent, dialog.querySelector('textarea').value, place.activeElement?.id];
    dialog.close();
    return seen;
  }, origin);
  assert.deepEqual(found, [true, 1, 'flex', locales.es.share.title, 'https://example.org/?model=nope', 'share-link']);
  assert.equal(await page.locator('head link[href*="share_panel"]').count(), 0);
});
