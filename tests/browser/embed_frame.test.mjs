// The page in a frame: on a publisher's page of another site, under a strict policy, without scripts there, in a sandbox, and by itself.
import assert from 'node:assert/strict';

import { allowOthers, fits, frame, hostTest, inFrame, rested } from './embed_support.mjs';
import { becomes, locales, pageTest, plain, violations } from './support.mjs';

const sentence = async (content) => plain(await content.locator('vram-fit .sentence').textContent());
const heard = (page, type) => page.evaluate((wanted) => window.heard.filter((message) => message.type === wanted && !message.event), `vramfit-${type}`);
const setIn = (page, message, selector = 'iframe') => page.locator(selector).evaluate((node, what) => node.contentWindow.postMessage(what, '*'), message);

// --- answer and height ---------------------------------------------------------------------------------------------------

hostTest('a frame answers on another site, as high as what is in it', async ({ page, origin, visit }) => {
  await visit(frame(origin, 'model=llama-3.1-70b&weights=fp8&gpus=article&lang=en'));
  const content = await inFrame(page);
  assert.match(await sentence(content), /^Llama 3\.1 70B in FP8: 84 GB by the rule/);
  const height = await fits(page);
  assert.ok(height > 350 && height < 1000, String(height));
  assert.equal(await content.evaluate(() => document.documentElement.scrollHeight <= window.innerHeight), true, 'nothing to scroll');
  const told = await heard(page, 'resize');
  assert.deepEqual(told.at(-1), { origin, type: 'vramfit-resize', version: 1, height });
  assert.ok(told.length <= 3, 'comes to rest at once');
  assert.deepEqual((await heard(page, 'change')).map(({ share }) => share), [''], 'the default configuration');
});

hostTest('the height follows width, language and content, up and down, and rests', async ({ page, origin, visit }) => {
  await visit(frame(origin, 'model=llama-3.1-70b&lang=en'));
  const wide = await fits(page);
  await page.setViewportSize({ width: 320, height: 700 });
  const narrow = await fits(page);
  assert.ok(narrow > wide + 20, `${narrow} over ${wide}`);
  await setIn(page, { type: 'vramfit-set', version: 1, share: 'model=nothing-of-the-kind&lang=en' });
  await becomes(() => page.locator('iframe').evaluate((node, than) => node.clientHeight < than, narrow), true);
  const short = await fits(page);
  assert.ok(short < wide, 'a refusal is short');
  await setIn(page, { type: 'vramfit-set', version: 1, share: 'model=llama-3.1-70b&lang=es' });
  await becomes(async () => (await inFrame(page)).evaluate(() => document.documentElement.lang), 'es');
  await becomes(async () => (await sentence(await inFrame(page))).includes(' en '), true);
  await fits(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  await setIn(page, { type: 'vramfit-set', version: 1, share: 'model=llama-3.1-70b&lang=en' });
  await becomes(async () => (await rested(page)).content, wide);
  assert.equal(await fits(page), wide, 'back where it was');
});

hostTest('a host that adds to each height it is told, or caps it, sets off no endless growth', async ({ page, origin, host, visit }) => {
  host.pages['/odd.js'] = { type: 'text/javascript', body: `addEventListener('vramfit-resize', ({ target, detail }) => { if (target.id === 'more') target.style.height = detail.height + 40 + 'px'; });` };
  host.pages['/odd.css'] = { type: 'text/css', body: '*, ::before { box-sizing: border-box; } #cap { max-height: 200px; } #padded { padding: 7px; border: 5px solid; }' };
  await visit(frame(origin, 'lang=en', 'id="more"') + frame(origin, 'lang=en', 'id="cap"') + frame(origin, 'lang=en', 'id="padded"'), { head: '<script src="/odd.js"></script><link rel="stylesheet" href="/odd.css">' });
  const more = await rested(page, '#more');
  assert.equal(more.frame, more.content + 40);
  const cap = await rested(page, '#cap');
  assert.ok(cap.frame <= 200 && cap.content > 300);
  const capped = await inFrame(page, '#cap');
  await becomes(() => capped.evaluate(() => 'fitted' in document.documentElement.dataset), false, 'what does not fit can be scrolled');
  const box = await page.locator('#padded').evaluate((node) => node.clientHeight - 14);
  assert.equal(box, (await rested(page, '#padded')).content, 'borders and padding of the host do not count');
  assert.ok((await heard(page, 'resize')).length <= 12);
});

hostTest('several frames: each its own height, language and events; one script', async ({ page, origin, visit }) => {
  await visit(frame(origin, 'lang=en', 'id="a"') + frame(origin, 'lang=es&model=deepseek-v3&context=32768', 'id="b"') + frame(origin, 'lang=pt-BR&model=none-such', 'id="c"') + '<script src="/embed-parent.js"></script>');
  const heights = [];
  for (const id of ['#a', '#b', '#c']) heights.push(await fits(page, id));
  assert.ok(heights[2] < heights[0]);
  const changes = await page.evaluate(() => window.heard.filter((m) => m.event === 'change').map(({ id, share }) => [id, share]));
  assert.deepEqual(changes.sort(), [['a', ''], ['b', 'model=deepseek-v3&context=32768'], ['c', 'model=none-such']], 'once each, although the script is there twice');
  const errors = await page.evaluate(() => window.heard.filter((m) => m.event === 'error'));
  assert.deepEqual(errors.map(({ id }) => id), ['unknown-model'], 'the error says which frame and what');
  assert.match(errors[0].message, /none-such/);
});

hostTest('a frame without a width, as one not yet laid out, tells no height', async ({ page, host, origin, visit }) => {
  host.pages['/tab.css'] = { type: 'text/css', body: '#tab[data-narrow] iframe { width: 0; border: 0; }' };
  await visit(`<div id="tab" data-narrow>${frame(origin, 'lang=en')}</div>`, { head: '<link rel="stylesheet" href="/tab.css">' });
  await inFrame(page);
  await page.evaluate(() => new Promise((done) => { setTimeout(done, 300); }));
  assert.deepEqual(await heard(page, 'resize'), []);
  await page.evaluate(() => { delete document.getElementById('tab').dataset.narrow; });
  await becomes(async () => (await heard(page, 'resize')).length > 0, true);
  const height = await fits(page);
  assert.deepEqual((await heard(page, 'resize')).filter((told) => told.height > height + 100), [], 'none but what was in sight');
});

hostTest('the full view: as high as it is through a reader\'s changes, which the page around it is told', { timeout: 180000 }, async ({ page, origin, visit }) => {
  await visit(frame(origin, 'view=full&lang=es&model=llama-3.1-70b'));
  const content = await inFrame(page);
  const before = await fits(page);
  const history = await page.evaluate(() => window.history.length);
  await content.locator('vram-fit [name="context"]').fill('131072');
  await content.locator('vram-fit [name="context"]').press('Tab');
  await becomes(async () => (await heard(page, 'change')).at(-1).share, 'context=131072');
  await content.locator('vram-fit summary:visible').first().click();
  await becomes(async () => (await rested(page)).content !== before, true);
  await fits(page);
  assert.equal(await page.evaluate(() => window.history.length), history);
  assert.equal(content.url(), `${origin}/embed.html?view=full&lang=es&model=llama-3.1-70b`);
  assert.ok((await heard(page, 'resize')).length < 30);
});

hostTest('the full view\'s panel opens where its button is, not in the middle of a tall frame', { timeout: 180000 }, async ({ page, origin, visit }) => {
  await visit(frame(origin, 'view=full&lang=es&model=qwen3-8b'));
  const content = await inFrame(page);
  const height = await fits(page);
  await content.locator('vram-fit #panel').click();
  const dialog = content.locator('vram-fit dialog');
  await dialog.waitFor();
  const { top, bottom } = await dialog.evaluate((node) => node.getBoundingClientRect());
  const button = await content.locator('vram-fit #panel').evaluate((node) => node.getBoundingClientRect().top);
  assert.ok(Math.abs(top - button) < 2 && bottom <= height, `${button} ${top} ${bottom} of ${height}`);
  assert.equal(await content.evaluate(() => document.activeElement.shadowRoot.activeElement.id), 'share-link');
  assert.match(await content.locator('#share-embed').inputValue(), /<vram-fit model="qwen3-8b" lang="es">/);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
});

hostTest('a script that comes late asks for the height', async ({ page, origin, visit }) => {
  await visit(frame(origin, 'lang=en'), { parent: false });
  assert.equal((await rested(page)).frame, 300);
  await page.evaluate(() => document.head.append(Object.assign(document.createElement('script'), { src: '/embed-parent.js' })));
  await becomes(() => page.locator('iframe').evaluate((node) => node.clientHeight > 350), true);
  await fits(page);
});

// --- who is heard --------------------------------------------------------------------------------------------------------

hostTest('the page hears a frame\'s own window only, and only at the origin it names', async ({ page, host, origin, visit }) => {
  host.pages['/liar.js'] = { type: 'text/javascript', body: `for (const type of ['resize', 'change', 'error']) parent.postMessage({ type: 'vramfit-' + type, version: 1, height: 4321, share: 'lies', id: 'lies' }, '*');
    parent.postMessage({ done: true }, '*');` };
  host.pages['/liar'] = { body: '<!doctype html><title>x</title><script src="/liar.js"></script>' };
  await visit(`${frame(origin, 'lang=en', 'id="true"')}<iframe id="liar" title="x" src="about:blank"></iframe>`, { policy: `default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; frame-src ${origin} ${host.origin}` });
  const height = await fits(page, '#true');
  const lie = async (run) => {
    await page.evaluate(() => { window.heard.length = 0; });
    await run();
    await becomes(() => page.evaluate(() => window.heard.some((m) => m.done)), true);
    assert.deepEqual(await page.evaluate(() => window.heard.filter((m) => m.event)), []);
    assert.notEqual(await page.locator('#true').evaluate((node) => node.clientHeight), 4321);
  };
  await lie(() => page.evaluate(() => { for (const message of [{ type: 'vramfit-resize', version: 1, height: 4321 }, { done: true }]) window.postMessage(message, '*'); }));
  await lie(() => page.evaluate((at) => { document.getElementById('liar').src = at; }, `${host.origin}/liar`));
  assert.equal(await fits(page, '#true'), height);
  // The very window, but it has gone to another page.
  await lie(() => page.locator('#true').evaluate((node, at) => { node.contentWindow.location.href = at; }, `${host.origin}/liar`));
});

hostTest('heights that are none are not taken', async ({ page, host, origin, visit }) => {
  host.pages['/odd.js'] = { type: 'text/javascript', body: `for (const height of [0, -5, NaN, Infinity, 1e9, '700px;color:red', null, undefined, {}]) parent.postMessage({ type: 'vramfit-resize', version: 1, height }, '*');
    parent.postMessage({ type: 'vramfit-resize', version: 2, height: 700 }, '*'); parent.postMessage('vramfit-resize', '*'); parent.postMessage(null, '*'); parent.postMessage({ done: true }, '*');` };
  host.pages['/odd'] = '<!doctype html><title>x</title><script src="/odd.js"></script>';
  await visit(`<iframe data-vramfit id="odd" title="x" src="${host.origin}/odd" height="300"></iframe>`, { policy: `default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; frame-src ${host.origin}` });
  await becomes(() => page.evaluate(() => window.heard.some((m) => m.done)), true);
  assert.equal(await page.locator('#odd').evaluate((node) => node.style.height), '');
});

hostTest('the frame hears the page around it and nobody else', async ({ page, host, origin, visit }) => {
  host.pages['/sibling.js'] = { type: 'text/javascript', body: `parent.frames[0].postMessage({ type: 'vramfit-set', version: 1, share: 'model=qwen3-8b' }, '*'); parent.postMessage({ done: true }, '*');` };
  host.pages['/sibling'] = '<!doctype html><title>x</title><script src="/sibling.js"></script>';
  await visit(`${frame(origin, 'lang=en&model=llama-3.1-8b')}<iframe id="sibling" title="x" src="about:blank"></iframe>`, { policy: `default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; frame-src ${origin} ${host.origin}` });
  const content = await inFrame(page, 'iframe[data-vramfit]');
  await page.evaluate((at) => { document.getElementById('sibling').src = at; }, `${host.origin}/sibling`);
  await becomes(() => page.evaluate(() => window.heard.some((m) => m.done)), true);
  for (const message of [null, 'vramfit-set', { type: 'vramfit-set', version: 2, share: 'model=qwen3-8b' }, { type: 'vramfit-set', version: 1, share: { toString: 1 } }, { type: 'vramfit-set', version: 1 }]) await setIn(page, message, 'iframe[data-vramfit]');
  await setIn(page, { type: 'vramfit-set', version: 1, share: '?model=qwen3-14b&lang=en' }, 'iframe[data-vramfit]');
  await becomes(() => content.evaluate(() => document.querySelector('vram-fit').share), 'model=qwen3-14b');
  assert.deepEqual((await heard(page, 'change')).map(({ share }) => share), ['model=llama-3.1-8b', 'model=qwen3-14b']);
});

// --- what it leaves behind -----------------------------------------------------------------------------------------------

hostTest('no history; the title and the address stay', async ({ page, origin, visit }) => {
  await visit(frame(origin, 'lang=en&model=llama-3.1-8b'));
  const content = await inFrame(page);
  const before = await page.evaluate(() => window.history.length);
  for (const share of ['model=qwen3-8b&lang=es', 'model=qwen3-14b&lang=en', 'weights=int4']) {
    await setIn(page, { type: 'vramfit-set', version: 1, share });
    await becomes(async () => (await heard(page, 'change')).at(-1).share, share.replace(/&lang=.*/, ''));
  }
  assert.equal(await page.evaluate(() => window.history.length), before);
  assert.equal(content.url(), `${origin}/embed.html?lang=en&model=llama-3.1-8b`);
  assert.equal(await page.title(), 'An article');
});

// Not in a frame of another site: there browsers refuse storage of themselves.
pageTest('no storage, no cookie, no worker', { own: true }, async ({ page, context, site }) => {
  await page.goto(`${site.at}embed.html?lang=en&model=llama-3.1-8b`);
  await becomes(() => page.evaluate(() => document.querySelector('vram-fit').state), 'ready');
  await page.waitForTimeout(2500);  // longer than the site's pages wait before they register theirs
  assert.deepEqual(await page.evaluate(async () => [
    localStorage.length, sessionStorage.length, document.cookie, (await indexedDB.databases()).length, (await caches.keys()).length, (await navigator.serviceWorker.getRegistrations()).length,
  ]), [0, 0, '', 0, 0, 0]);
  assert.deepEqual(await context.storageState(), { cookies: [], origins: [] });
  assert.equal(await page.evaluate(() => window.history.length), 2, 'about:blank and this page');
});

pageTest('it stays out of search engines, and no address is named as the original that nobody gave', async ({ page, origin }) => {
  await page.goto(`${origin}/embed.html?model=qwen3-8b&lang=es`);
  assert.equal(await page.locator('meta[name="robots"]').getAttribute('content'), 'noindex');
  assert.equal(await page.locator('link[rel="canonical"], meta[name="description"], link[rel="manifest"]').count(), 0);
});

hostTest('its link opens beside the article, which it cannot reach', async ({ page, context, origin, visit }) => {
  await visit(frame(origin, 'lang=es&model=qwen3-8b'));
  const content = await inFrame(page);
  await fits(page);
  const opened = context.waitForEvent('page');
  await content.locator('vram-fit a[href]').last().click();
  const full = await opened;
  await full.waitForSelector('html[data-ready]', { state: 'attached' });
  assert.match(full.url(), /[?&]model=qwen3-8b&lang=es$/);
  assert.equal(await full.evaluate(() => window.opener), null);
  assert.equal(await page.title(), 'An article');
  await full.close();
});

// --- hosts that allow little ---------------------------------------------------------------------------------------------

hostTest('without scripts on the host the frame keeps its height and scrolls', async ({ page, origin, visit, host }) => {
  host.pages['/none.js'] = { type: 'text/javascript', body: '' };
  await visit(frame(origin, 'lang=en'), { policy: `default-src 'none'; style-src 'self'; img-src data:; script-src 'self'; frame-src ${origin}`, parent: false });
  const content = await inFrame(page);
  const { frame: height, content: inside } = await rested(page);
  assert.equal(height, 300);
  assert.ok(inside > 350);
  await becomes(() => content.evaluate(() => 'fitted' in document.documentElement.dataset), false, 'there is a scroll bar');
  await page.locator('iframe').hover();
  await page.mouse.wheel(0, 200);
  await becomes(() => content.evaluate(() => window.scrollY > 0), true);
});

hostTest('in a sandbox with allow-same-origin it works as outside', async ({ page, context, origin, visit }) => {
  await visit(frame(origin, 'lang=en&model=qwen3-8b', 'sandbox="allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox"'));
  const content = await inFrame(page);
  await fits(page);
  const opened = context.waitForEvent('page');
  await content.locator('vram-fit a[href]').last().click();
  const full = await opened;
  await full.waitForSelector('html[data-ready]', { state: 'attached' });
});

hostTest('in a sandbox of its own origin it works where the site lets others read its files', async ({ page, context, origin, visit }) => {
  await allowOthers(context, origin);
  await visit(frame(origin, 'lang=en&model=qwen3-8b', 'sandbox="allow-scripts"'));
  await fits(page);
  assert.equal((await heard(page, 'resize')).at(-1).origin, 'null');
});

hostTest('in a sandbox of its own origin, elsewhere, it links to the page instead', { expect: [/^console error: .*CORS/, /^console error: Failed to load/] }, async ({ page, origin, visit }) => {
  await visit(frame(origin, 'lang=es&model=qwen3-8b', 'sandbox="allow-scripts"'));
  await becomes(() => heard(page, 'error').then((errors) => errors.map(({ id }) => id)), ['script-missing']);
  const content = page.frames()[1];
  assert.equal(plain(await content.locator('body').innerText()), locales.es.embed.open);
  assert.equal(await content.locator('a:visible').evaluate((a) => a.href), `${origin}/es/?lang=es&model=qwen3-8b`);
  await becomes(() => page.locator('iframe').evaluate((node) => node.clientHeight < 150), true);
});

pageTest('without scripts in the frame there are links in three languages', { javaScriptEnabled: false }, async ({ page, origin }) => {
  await page.goto(`${origin}/embed.html?lang=es`);
  const links = page.locator('noscript a');
  assert.deepEqual(await links.allTextContents(), ['en', 'es', 'pt-BR'].map((lang) => locales[lang].embed.open));
  assert.deepEqual(await page.locator('a:visible').evaluateAll((all) => all.map((a) => new URL(a.href).pathname)), ['/', '/es/', '/pt-br/']);
});

for (const [what, pattern, id] of [['the element', '**/vram-fit.js', 'script-missing'], ['the module', '**/vramfit-core.wasm', 'wasm-missing']]) {
  hostTest(`without ${what} it says so, and links to the page`, { expect: [/^console error: .*(ERR_FAILED|Failure|Failed|wasm)/] }, async ({ page, context, origin, visit }) => {
    await context.route(pattern, (route) => route.abort());
    await visit(frame(origin, 'lang=pt-BR&model=qwen3-8b'));
    await becomes(() => heard(page, 'error').then((errors) => errors.map((error) => error.id)), [id]);
    const content = page.frames()[1];
    assert.equal(await content.locator('#failed a:visible').textContent(), locales['pt-BR'].embed.open);
    await becomes(() => page.locator('iframe').evaluate((node) => node.clientHeight > 20 && node.clientHeight !== 300), true);
  });
}

// --- address, theme ------------------------------------------------------------------------------------------------------

const hostile = [
  'model=<script>window.x=1</script>', 'model=%3Cimg src=x onerror=alert(1)%3E', 'onclick=alert(1)&style=color:red&slot=x', 'lang=../../../etc&model=qwen3-8b',
  'theme=purple&units=furlongs&view=evil', 'wasm-url=https://example.org/x.wasm&page-url=javascript:alert(1)', `model=${'a'.repeat(5000)}`, '%E0%A4%A&%&=&&==', '__proto__=1&constructor=2&toString=3',
  'prices=https://example.org/prices.json', 'v=99', 'context=1e999&sequences=-1&gpus=%00',
];
hostTest('hostile addresses: an answer or a named error, never anything else', { timeout: 240000 }, async ({ page, origin, visit }) => {
  page.on('dialog', () => assert.fail('a dialog'));
  for (const query of hostile) {
    await visit(`<iframe data-vramfit title="x" height="300"></iframe>`);
    await page.locator('iframe').evaluate((node, src) => { node.src = src; }, `${origin}/embed.html?${query}`);
    await page.waitForSelector('iframe[src]');
    const content = await inFrame(page);
    const state = await content.evaluate(() => document.querySelector('vram-fit').state);
    assert.ok(['ready', 'refused'].includes(state), `${query}: ${state}`);
    assert.equal(await content.evaluate(() => document.querySelector('vram-fit').getAttributeNames().sort().join()), 'lang,share', `${query}: nothing else is set`);
    const notices = await content.locator('vram-fit [data-region="notices"] li, vram-fit .sentence').allTextContents();
    const errors = await heard(page, 'error');
    assert.ok(state === 'ready' || errors.length > 0, `${query}: the page around it is told why there is no answer`);
    assert.ok(notices.join('').length > 0, query);
    await fits(page);
  }
});

hostTest('behind # the same; a new one is a new configuration', async ({ page, origin, visit }) => {
  await visit(`<iframe data-vramfit title="x" height="300" src="${origin}/embed.html#model=qwen3-8b&amp;lang=es"></iframe>`);
  const content = await inFrame(page);
  assert.match(await sentence(content), /^Qwen3 8B en /);
  await page.locator('iframe').evaluate((node, src) => { node.src = src; }, `${origin}/embed.html#model=qwen3-14b&lang=en`);
  await becomes(() => sentence(content).then((text) => /^Qwen3 14B in /.test(text)), true);
  await fits(page);
});

const ink = (content) => content.evaluate(() => getComputedStyle(document.querySelector('vram-fit')).color);
const [black, white] = ['rgb(0, 0, 0)', 'rgb(255, 255, 255)'];
// Without the tool's own idea of what the reader prefers, which hides what a frame is told by the page around it.
hostTest('theme: light unless asked; auto is what the page around it wants; dark is dark', { colorScheme: null }, async ({ page, host, origin, visit }) => {
  for (const scheme of ['normal', 'light', 'dark']) {
    host.pages['/scheme.css'] = { type: 'text/css', body: `:root { color-scheme: ${scheme}; }` };
    for (const [query, wanted] of [['lang=en', black], ['theme=light', black], ['theme=purple', black], ['theme=dark', white], ['theme=auto', scheme === 'dark' ? white : black]]) {
      await visit(frame(origin, query), { head: '<link rel="stylesheet" href="/scheme.css">' });
      await fits(page);
      assert.equal(await ink(await inFrame(page)), wanted, `${scheme}: ${query}`);
    }
  }
});

hostTest('the script declares the light scheme for a page that declares none, and leaves others alone', async ({ page, host, origin, visit }) => {
  host.pages['/scheme.css'] = { type: 'text/css', body: ':root { color-scheme: light dark; }' };
  for (const [head, wanted] of [['', 'light'], ['<link rel="stylesheet" href="/scheme.css">', ''], ['<meta name="color-scheme" content="light dark">', '']]) {
    await visit(frame(origin, 'theme=auto'), { head });
    await fits(page);
    await becomes(() => page.locator('iframe').evaluate((node) => node.style.colorScheme), wanted, head);
  }
});

// --- everyone ------------------------------------------------------------------------------------------------------------

hostTest('by keyboard: into the frame, through it and out again', async ({ page, origin, visit }) => {
  await visit(`<p><a href="#a" id="before">before</a></p>${frame(origin, 'lang=en')}<p><a href="#b" id="after">after</a></p>`);
  const content = await inFrame(page);
  await fits(page);
  await page.locator('#before').focus();
  await page.keyboard.press('Tab');
  // The focus goes from process to process.
  await becomes(() => page.evaluate(() => document.activeElement.tagName), 'IFRAME');
  await becomes(() => content.evaluate(() => document.activeElement.shadowRoot?.activeElement?.tagName), 'A');
  const ring = await content.evaluate(() => {
    const link = document.activeElement.shadowRoot.activeElement;
    const { left, right, bottom } = link.getBoundingClientRect();
    return { style: getComputedStyle(link).outlineStyle, inside: left >= 4 && right <= window.innerWidth - 4 && bottom <= window.innerHeight - 4 };
  });
  assert.deepEqual(ring, { style: 'solid', inside: true });
  for (let i = 0; i < 20 && await page.evaluate(() => document.activeElement.tagName) === 'IFRAME'; i += 1) {
    await page.keyboard.press('Tab');
    for (const place of [content, page]) await place.evaluate(() => new Promise((done) => { requestAnimationFrame(() => setTimeout(done, 50)); }));
  }
  assert.equal(await page.evaluate(() => document.activeElement.id), 'after');
});

for (const lang of ['en', 'es', 'pt-BR']) {
  for (const theme of ['light', 'dark']) {
    hostTest(`axe finds nothing in the frame or around it, ${lang} ${theme}`, async ({ page, origin, visit }) => {
      await visit(frame(origin, `model=gemma-3-27b&method=worksheet&context=131072&lang=${lang}&theme=${theme}`), { lang });
      await fits(page);
      const content = await inFrame(page);
      // The browser paints the scheme's background behind a dark frame of a light page; axe sees what is stated only.
      await content.evaluate(() => { document.documentElement.style.background = 'Canvas'; });
      assert.deepEqual(await violations(content), []);
      assert.deepEqual(await violations(page), []);
    });
  }
}
