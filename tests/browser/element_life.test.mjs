// <vram-fit> coming, going and failing: what it loads, what it tells when it cannot, and what it leaves behind.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { contentSecurityPolicy } from '../../web/page/policy.mjs';
import { element, errors, openArticle, script, sentence, settled, set, told } from './element_support.mjs';
import { assets, becomes, pageTest } from './support.mjs';

const models = ['llama-3.1-70b', 'llama-3.1-8b', 'qwen3-8b', 'qwen3-32b', 'deepseek-v3', 'gpt-oss-120b', 'gemma-3-27b', 'qwen3-30b-a3b', 'mistral-7b-v0.3', 'phi-4'];
const wasmRequests = (page) => {
  const seen = [];
  page.on('request', (request) => { if (request.url().endsWith('.wasm')) seen.push(request.url()); });
  return seen;
};
const states = (page) => page.locator('vram-fit').evaluateAll((nodes) => Promise.all(nodes.map((node) => node.ready)));

pageTest('ten in one article: all answer, one download, and memory is flat after they are gone', async ({ page, context, origin }) => {
  const seen = wasmRequests(page);
  const body = models.map((model) => `<vram-fit model="${model}" gpus="all" method="worksheet"></vram-fit>`).join('');
  await openArticle(page, origin, { body });
  assert.equal(await settled(page), 'ready');
  assert.deepEqual([...new Set(await states(page))], ['ready']);
  assert.equal(new Set(await page.locator('vram-fit .sentence').allTextContents()).size, 10);
  assert.equal(seen.length, 1);

  const client = await context.newCDPSession(page);
  // Removes them all and puts them in anew, so often.
  const rounds = (times) => page.evaluate(async ([markup, count]) => {
    const main = document.querySelector('main');
    for (let i = 0; i < count; i += 1) {
      for (const node of document.querySelectorAll('vram-fit')) node.remove();
      const box = document.createElement('div');
      box.innerHTML = markup;
      main.append(...box.children);
      for (const node of document.querySelectorAll('vram-fit')) await node.ready;
    }
    for (const node of document.querySelectorAll('vram-fit')) node.remove();
    window.told.length = 0;
  }, [body, times]);
  const measure = async () => {
    for (let i = 0; i < 3; i += 1) await client.send('HeapProfiler.collectGarbage');
    const { nodes, jsEventListeners } = await client.send('Memory.getDOMCounters');
    return { nodes, jsEventListeners, heap: (await client.send('Runtime.getHeapUsage')).usedSize };
  };
  await rounds(2);
  const first = await measure();
  await rounds(8);
  const last = await measure();
  const log = JSON.stringify([first, last]);
  assert.ok(last.nodes - first.nodes < 100, log);
  assert.ok(last.jsEventListeners - first.jsEventListeners < 5, log);
  assert.ok(last.heap - first.heap < 1e6, log);
  assert.equal(seen.length, 1, 'nor is it downloaded again');
});

pageTest('put in by a script, moved, removed while it loads, put back', async ({ page, origin }) => {
  let release;
  const held = new Promise((go) => { release = go; });
  await page.route('**/vramfit-core.wasm', async (route) => { await held; await route.continue(); });
  await openArticle(page, origin, { body: '<div id="a"></div><div id="b"></div>' });
  await page.evaluate(() => customElements.whenDefined('vram-fit'));
  await page.evaluate(() => {
    window.node = Object.assign(document.createElement('vram-fit'), { id: 'it' });
    window.node.setAttribute('model', 'qwen3-8b');
    document.getElementById('a').append(window.node);
  });
  await becomes(() => page.evaluate(() => window.node.state), 'loading');
  await page.evaluate(() => window.node.remove());
  assert.equal(await page.evaluate(() => window.node.state), 'idle');
  release();
  await page.evaluate(() => new Promise((done) => { setTimeout(done, 200); }));
  assert.equal(await page.evaluate(() => window.node.state), 'idle', 'nobody draws what is not there');
  assert.deepEqual(await told(page, 'change'), []);
  await page.evaluate(() => document.getElementById('b').append(window.node));
  assert.equal(await settled(page), 'ready');
  await page.evaluate(() => document.getElementById('a').append(window.node));
  assert.equal(await settled(page), 'ready');
  assert.equal((await told(page, 'change')).length, 1, 'moved, it is the same answer');
  await page.evaluate(() => { window.node.remove(); window.node.setAttribute('model', 'qwen3-32b'); });
  await page.evaluate(() => document.getElementById('a').append(window.node));
  await settled(page);
  assert.match(await sentence(page), /^Qwen3 32B/);
});

pageTest('in a shadow tree of the host\'s, events come out of it', async ({ page, origin }) => {
  await openArticle(page, origin, { lang: 'en', body: '<div id="app" lang="pt"></div>' });
  await page.evaluate(() => { document.getElementById('app').attachShadow({ mode: 'open' }).innerHTML = '<p><vram-fit model="qwen3-8b"></vram-fit></p>'; });
  await becomes(async () => (await told(page, 'change')).length, 1);
  assert.equal((await told(page, 'change'))[0].id, 'app', 'as seen from outside');
  assert.match(await sentence(page), /pela regra/, 'the language is looked for outside too');
});

pageTest('the script twice, and another version of it', async ({ page, origin }) => {
  await page.route('**/other/vram-fit.js', (route) => route.fulfill({ body: readFileSync(join(assets, 'vram-fit.js')), contentType: 'text/javascript' }));
  const seen = wasmRequests(page);
  await openArticle(page, origin, { head: `${script}${script}<script type="module" src="/assets/vram-fit.js?2"></script><script type="module" src="/other/vram-fit.js"></script>`, body: '<vram-fit></vram-fit>' });
  assert.equal(await settled(page), 'ready');
  const same = await page.evaluate(async () => (await Promise.all(['/assets/vram-fit.js', '/other/vram-fit.js'].map((url) => import(url)))).map(({ VramFit }) => VramFit === customElements.get('vram-fit')));
  assert.deepEqual(same, [true, true]);
  assert.equal(seen.length, 1);
});

// --- where the module is --------------------------------------------------------------------------------------------------

pageTest('the module may lie elsewhere, under any type', async ({ page, origin }) => {
  const seen = wasmRequests(page);
  await page.route('**/news/deep/core-1.wasm', (route) => route.fulfill({ body: readFileSync(join(assets, 'vramfit-core.wasm')), contentType: 'text/plain' }));
  await openArticle(page, origin, { body: '<vram-fit wasm-url="deep/core-1.wasm" page-url="https://calc.example/vram/?a=1#x" units="GiB" model="qwen3-8b"></vram-fit>' });
  assert.equal(await settled(page), 'ready');
  assert.deepEqual(seen, [`${origin}/news/deep/core-1.wasm`]);
  assert.equal(await element(page).locator('.foot a').getAttribute('href'), 'https://calc.example/vram/?a=1&model=qwen3-8b&lang=es&units=GiB#x');
});

for (const [what, answer, id] of [
  ['is not there', { status: 404, body: 'no' }, 'wasm-missing'],
  ['is a page', { body: '<!doctype html>', contentType: 'text/html' }, 'wasm-missing'],
  ['is broken', { body: Buffer.from([0, 97, 115, 109, 1, 0, 0, 0, 9, 9, 9]), contentType: 'application/wasm' }, 'wasm-broken'],
  ['is another program', { body: Buffer.from([0, 97, 115, 109, 1, 0, 0, 0]), contentType: 'application/wasm' }, 'wasm-broken'],
]) {
  pageTest(`a module that ${what}: the author's text stays, with a short message; another address mends it`, { expect: [/^console/, ...(answer.status ? [/answer 404/] : [])] }, async ({ page, origin }) => {
    await openArticle(page, origin, { body: '<vram-fit wasm-url="bad.wasm" model="qwen3-8b"><p id="own">84 GB</p></vram-fit>', files: { 'bad.wasm': answer } });
    assert.equal(await settled(page), 'failed');
    assert.ok(await page.locator('#own').isVisible());
    assert.equal(await element(page).locator('.failure').textContent(), 'Aquí no se pudo cargar la calculadora.');
    assert.equal(await element(page).locator('.foot a').getAttribute('href'), `${origin}/?model=qwen3-8b&lang=es`, 'the way to the page');
    const [error] = await told(page, 'error');
    assert.equal(error.id, id);
    assert.match(error.message, /\/news\/bad\.wasm/);
    assert.equal(await element(page).evaluate((node) => node.result), null);
    await set(page, { 'wasm-url': null });
    assert.equal(await element(page).evaluate((node) => node.state), 'ready');
    assert.ok(!await page.locator('#own').isVisible());
    assert.ok(!await element(page).locator('.failure').isVisible());
    await set(page, { 'wasm-url': 'bad.wasm' });
    assert.equal(await element(page).evaluate((node) => node.state), 'failed');
    assert.ok(await page.locator('#own').isVisible());
    assert.deepEqual(await errors(page), [id, id]);
  });
}

pageTest('a policy without WebAssembly is named', { expect: [/^console/, /policy: script-src/] }, async ({ page, origin }) => {
  await openArticle(page, origin, { policy: contentSecurityPolicy.replace(" 'wasm-unsafe-eval'", ''), body: '<vram-fit>84 GB</vram-fit>' });
  assert.equal(await settled(page), 'failed');
  assert.deepEqual(await errors(page), ['wasm-blocked']);
});

// --- the host's prices ----------------------------------------------------------------------------------------------------

const list = (prices) => JSON.stringify({ schema: 'vramfit-prices/1', currency: 'USD', provider: 'NubeSur', date: '2026-11-01', prices });

pageTest('the host\'s prices, and nobody else\'s; bad rows are listed and told', async ({ page, origin }) => {
  await openArticle(page, origin, {
    body: '<vram-fit prices="precios.json"></vram-fit><vram-fit id="two" prices="./precios.json" model="qwen3-8b"></vram-fit>',
    files: { 'precios.json': list([{ gpu: 'H200', usd_per_gpu_hour: 2.5 }, { gpu: 'h999', usd_per_gpu_hour: 1 }, { gpu: 'l40s', usd_per_gpu_hour: 'x' }]) },
  });
  assert.equal(await settled(page), 'ready');
  const [first, second] = await element(page).locator('.best li').allTextContents();
  assert.match(first, /2,50/);
  assert.match(second, /sin precio conocido/);
  assert.match(await element(page).locator('.foot').textContent(), /Precios: NubeSur, 1 nov 2026/);
  assert.equal(await element(page).locator('.problems li').count(), 2);
  assert.deepEqual((await told(page, 'error')).filter(({ id, message }) => id && /Fila|fila/.test(message)).length, 4, 'by each of the two');
  // Another address for the same thing asked: the price book again.
  await set(page, { prices: 'market' });
  assert.ok(!await element(page).locator('.problems').isVisible());
  assert.match((await element(page).locator('.best li').allTextContents())[1], /5,43/);
});

for (const [what, prices, files, id, expect] of [
  ['another origin', 'https://prices.example/p.json', {}, 'prices-origin', []],
  ['no address at all', 'http://[', {}, 'prices-origin', []],
  ['no file', 'none.json', { 'none.json': { status: 404, body: '' } }, 'prices-missing', [/answer 404/, /console error/]],
  ['no JSON', 'p.json', { 'p.json': 'nope' }, 'prices-missing', []],
  ['another currency', 'p.json', { 'p.json': list([]).replace('USD', 'EUR') }, 'bad-currency', []],
]) {
  pageTest(`a price list of ${what} is told, and the catalogue's prices stand`, { expect }, async ({ page, origin }) => {
    await openArticle(page, origin, { body: `<vram-fit prices="${prices}"></vram-fit>`, files });
    assert.equal(await settled(page), 'ready');
    assert.deepEqual(await errors(page), [id]);
    assert.equal(await element(page).locator('.problems li').count(), 1);
    assert.match((await element(page).locator('.best li').allTextContents())[0], /5,40/);
  });
}

// --- the full view --------------------------------------------------------------------------------------------------------

pageTest('the whole calculator in an article: edits are told, attributes win, and it goes back', async ({ page, origin }) => {
  await openArticle(page, origin, { css: 'html { font-size: 62.5% } body { font-size: 16px }', body: '<vram-fit view="full" model="qwen3-8b"></vram-fit>' });
  assert.equal(await settled(page), 'ready');
  assert.match(await sentence(page), /^Qwen3 8B en/);
  assert.equal(await element(page).locator('.hint').first().evaluate((node) => getComputedStyle(node).fontSize), '13px', 'by the size of the host\'s text');
  await element(page).locator('[name="weights"]').selectOption('bf16');
  await becomes(async () => (await told(page, 'change')).at(-1).share, 'model=qwen3-8b&weights=bf16');
  assert.equal(await element(page).evaluate((node) => node.share), 'model=qwen3-8b&weights=bf16');
  assert.equal(new URL(page.url()).search, '', 'the host\'s address is left alone');
  await element(page).locator('[name="context"]').fill('32k');
  await becomes(async () => (await told(page, 'change')).at(-1).finished, false);
  await element(page).locator('[name="context"]').press('Tab');
  await becomes(async () => (await told(page, 'change')).at(-1).finished, true);
  assert.match((await told(page, 'change')).at(-1).share, /context=32768/);
  await element(page).locator('a[href="#canvas"]').click();
  assert.equal(new URL(page.url()).hash, '');
  await page.evaluate(() => { const node = document.querySelector('vram-fit'); const { parentNode } = node; node.remove(); parentNode.append(node); });
  await settled(page);
  assert.match(await element(page).evaluate((node) => node.share), /context=32768/, 'moved, it keeps what the reader changed');
  await set(page, { model: 'qwen3-32b', lang: 'en' });
  assert.match(await sentence(page), /^Qwen3 32B in/);
  await set(page, { view: 'compact' });
  assert.equal(await element(page).locator('form').count(), 0);
  assert.equal(await element(page).locator('.best li').count(), 3);
  await set(page, { view: 'full' });
  assert.equal(await element(page).locator('form').count(), 1);
  // Chips move by one with an arrow key, however often the view was made.
  await element(page).locator('button.chip').first().focus();
  await page.keyboard.press('ArrowRight');
  assert.equal(await element(page).evaluate((node) => node.shadowRoot.activeElement.textContent.match(/\d/)[0]), '2');
});

pageTest('in the full view the canvas comes with it, by the same prices, and goes with it', async ({ page, origin }) => {
  await openArticle(page, origin, { body: '<vram-fit view="full" prices="precios.json" model="qwen3-8b"></vram-fit>', files: { 'precios.json': list([{ gpu: 'h200', usd_per_gpu_hour: 2.5 }]) } });
  await settled(page);
  await element(page).locator('#canvas').scrollIntoViewIfNeeded();
  await element(page).locator('vramfit-canvas[data-state="ready"]').waitFor();
  const canvas = () => element(page).locator('vramfit-canvas').evaluate((node) => [node.share, node.lang, node.prices.provider]);
  assert.deepEqual(await canvas(), ['model=qwen3-8b', 'es', 'NubeSur']);
  await element(page).locator('vramfit-canvas').evaluate((node) => node.dispatchEvent(new CustomEvent('vramfit-share', { detail: { share: 'model=qwen3-32b', finished: true } })));
  await becomes(async () => (await told(page, 'change')).at(-1).share, 'model=qwen3-32b');
  await page.evaluate(() => document.querySelector('vram-fit').remove());
  assert.equal(await page.locator('vramfit-canvas').count(), 0);
});

pageTest('several full views have one canvas between them; each can have it back', async ({ page, origin }) => {
  await openArticle(page, origin, { body: ['qwen3-8b', 'qwen3-32b', 'llama-3.1-70b'].map((model) => `<vram-fit view="full" model="${model}"></vram-fit>`).join('') });
  await page.evaluate(() => Promise.all([...document.querySelectorAll('vram-fit')].map((node) => node.ready)));
  const places = () => page.evaluate(() => [...document.querySelectorAll('vram-fit')].map(({ shadowRoot }) => ({
    canvas: shadowRoot.querySelector('vramfit-canvas')?.state ?? null, offer: !shadowRoot.getElementById('canvas-failed').hidden,
  })));
  const none = { canvas: null, offer: false };
  const gone = { canvas: null, offer: true };
  const there = { canvas: 'ready', offer: false };
  const show = (at) => page.evaluate((i) => document.querySelectorAll('vram-fit')[i].shadowRoot.getElementById('canvas').scrollIntoView(), at);
  await show(0);
  await becomes(places, [there, none, none]);
  await show(2);
  await becomes(places, [gone, none, there]);
  await show(0);
  await becomes(places, [there, none, gone]);
  // By its button, without scrolling.
  const third = element(page, 'vram-fit >> nth=2');
  assert.match(await third.locator('#canvas-failed').textContent(), /abierta en otra parte/);
  await third.locator('#canvas-failed button').evaluate((button) => button.click());
  await becomes(places, [gone, none, there]);
  await third.evaluate((node) => node.remove());
  await element(page).locator('#canvas-failed button').click();
  await becomes(async () => (await places()).map(({ canvas }) => canvas), ['ready', null]);
});

pageTest('the full view\'s script is not there: said, and the compact one still works', { expect: [/console error/, /answer 404/] }, async ({ page, origin }) => {
  await page.route('**/vram-fit-full.js*', (route) => route.fulfill({ status: 404, body: '' }));
  await openArticle(page, origin, { body: '<vram-fit view="full">84 GB</vram-fit>' });
  assert.equal(await settled(page), 'failed');
  assert.deepEqual(await errors(page), ['full-missing']);
  await set(page, { view: 'compact' });
  assert.equal(await element(page).evaluate((node) => node.state), 'ready');
});
