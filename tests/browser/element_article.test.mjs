// <vram-fit> in articles of somebody else's: what it shows, what it tells, how it looks there.
import assert from 'node:assert/strict';

import { element, errors, openArticle, script, sentence, set, settled, told } from './element_support.mjs';
import { becomes, locales, pageTest, plain, violations } from './support.mjs';

const one = '<vram-fit model="llama-3.1-70b" weights="fp8"></vram-fit>';
const style = (page, selector, property, at) => element(page, at).evaluate((node, [inside, name]) => getComputedStyle(inside ? node.shadowRoot.querySelector(inside) : node)[name], [selector, property]);

for (const [lang, said, margin] of [
  ['en', 'Llama 3.1 70B in FP8: 84 GB by the rule; of the article\'s cards, 1x H200', '20% margin'],
  ['es', 'Llama 3.1 70B en FP8: 84 GB según la regla; de las tarjetas del artículo, 1x H200', 'Margen del 20 %'],
  ['pt-BR', 'Llama 3.1 70B em FP8: 84 GB pela regra; das placas do artigo, 1x H200', 'Margem de 20%'],
]) {
  pageTest(`the answer in an article, ${lang}`, async ({ page, origin }) => {
    await openArticle(page, origin, { lang, body: one });
    assert.equal(await settled(page), 'ready');
    assert.equal(await sentence(page), said);
    const best = (await element(page).locator('.best li').allTextContents()).map(plain);
    assert.equal(best.length, 3);
    assert.match(best[0], /^1x H200 SXM .*5[.,]40.*57 GB .*40\s?%/);
    const legend = (await element(page).locator('.legend li').allTextContents()).map(plain);
    assert.deepEqual(legend, [`${locales[lang].compartment.weights} 70 GB`, `${margin} 14 GB`]);
    const link = new URL(await element(page).locator('.foot a').getAttribute('href'));
    assert.equal(link.href, `${origin}/?lang=${lang}`);
    assert.equal(await element(page).locator('.bar rect:not(.track)').count(), 2);
    assert.deepEqual(await violations(page), []);
  });
}

pageTest('fallback until the answer is there, with room kept for it', async ({ page, origin }) => {
  let release;
  const held = new Promise((go) => { release = go; });
  await page.route('**/vramfit-core.wasm', async (route) => { await held; await route.continue(); });
  await openArticle(page, origin, { body: '<vram-fit><p id="own">84 GB</p></vram-fit>' });
  await becomes(() => element(page).evaluate((node) => node.state), 'loading');
  assert.ok(await page.locator('#own').isVisible());
  const before = await element(page).evaluate((node) => node.offsetHeight);
  release();
  assert.equal(await settled(page), 'ready');
  assert.ok(!await page.locator('#own').isVisible());
  const after = await element(page).evaluate((node) => node.offsetHeight);
  assert.ok(Math.abs(before - after) < 60, `${before} and ${after}`);
});

pageTest('attributes that change together are answered once; the same answer is not told again', async ({ page, origin }) => {
  await openArticle(page, origin, { body: one });
  await settled(page);
  await set(page, { model: 'qwen3-8b', weights: 'bf16', context: '32k', method: 'worksheet' });
  const changes = await told(page, 'change');
  assert.deepEqual(changes.map(({ share, finished }) => [share, finished]), [['', true], ['model=qwen3-8b&weights=bf16&context=32768&method=worksheet', true]]);
  assert.equal(changes[1].result.model.id, 'qwen3-8b');
  assert.match(await sentence(page), /^Qwen3 8B en BF16/);
  await set(page, { lang: 'en', theme: 'dark', units: 'GB' });
  assert.match(await sentence(page), /^Qwen3 8B in BF16: [\d.]+ GB by the worksheet/);
  assert.equal((await told(page, 'change')).length, 2);
  await set(page, { model: null, weights: null, context: null, method: null });
  assert.equal((await told(page, 'change')).at(-1).share, '');
});

pageTest('properties: share, result, state, ready', async ({ page, origin }) => {
  await openArticle(page, origin, { body: '<vram-fit share="?model=qwen3-8b&context=8k&lang=pt-BR" context="16k"></vram-fit>' });
  await settled(page);
  const seen = await element(page).evaluate(async (node) => {
    const { share, result, state, view } = node;
    let thrown = null;
    try {
      (() => { 'use strict'; result.model.name = 'x'; })();
    } catch (error) {
      thrown = error.name;
    }
    node.share = 'model=qwen3-32b';
    const now = await node.ready;
    return { share, state, view, context: result.inputs.context, name: result.model.name, thrown, now, after: node.share, idle: document.createElement('vram-fit').state };
  });
  assert.deepEqual(seen, {
    share: 'model=qwen3-8b&context=16384', state: 'ready', view: 'compact', context: 16384, name: 'Qwen3 8B', thrown: seen.thrown, now: 'ready', after: 'model=qwen3-32b&context=16384', idle: 'idle',
  });
  assert.match(await sentence(page), /^Qwen3 32B en/, 'lang of the share string is gone with it');
});

pageTest('refused input says why, tells it once, and recovers', async ({ page, origin }) => {
  await openArticle(page, origin, { body: '<vram-fit model="llama-3.1-7b"></vram-fit>' });
  assert.equal(await settled(page), 'refused');
  assert.match(await sentence(page), /llama-3\.1-7b/);
  const [error] = await told(page, 'error');
  assert.equal(error.id, 'unknown-model');
  assert.match(error.message, /llama-3\.1-7b.*llama-3\.1-8b/);
  assert.equal(await element(page).locator('.bar').count(), 0);
  await set(page, { lang: 'es' });
  assert.equal((await told(page, 'error')).length, 1);
  await set(page, { model: 'llama-3.1-8b' });
  assert.equal(await element(page).evaluate((node) => node.state), 'ready');
});

pageTest('hostile values are shown as text, and nothing breaks', async ({ page, origin }) => {
  const hostile = ['"><img src=x onerror=alert(1)>', '<script>alert(1)</script>', 'javascript:alert(1)', '__proto__', 'constructor', '%E0%A4%A', '\u202Eevil', 'x'.repeat(20000), '&share=1', '😀'.repeat(50), ''];
  await openArticle(page, origin, { body: one });
  await settled(page);
  for (const value of hostile) {
    for (const name of ['model', 'weights', 'gpus', 'context', 'share', 'lang', 'units', 'theme', 'view', 'page-url', 'gpu']) {
      await set(page, { [name]: value });
      assert.match(await element(page).evaluate((node) => node.state), /^(ready|refused)$/, `${name}=${value.slice(0, 40)}`);
      assert.equal(await element(page).locator('img, script').count(), 0);
      for (const href of await element(page).locator('a').evaluateAll((links) => links.map((a) => a.protocol))) assert.match(href, /^https?:$/);
      await set(page, { [name]: null });
    }
  }
  const lone = await element(page).evaluate(async (node) => { node.setAttribute('model', '\ud800'); return node.ready; });
  assert.equal(lone, 'refused');
  assert.ok((await errors(page)).includes('page-url'));
  assert.ok((await errors(page)).includes('bad-attribute'));
});

pageTest('language: its own, then that around it, then the browser\'s', { locale: 'pt-PT' }, async ({ page, origin }) => {
  await openArticle(page, origin, { lang: 'fr', body: `<div lang="es-MX"><p>${one.replace('<vram-fit', '<vram-fit id="around"')}</p></div>${one.replace('<vram-fit', '<vram-fit id="browser"')}<vram-fit id="own" lang="en"></vram-fit>` });
  for (const [at, pattern] of [['#around', /según la regla/], ['#browser', /pela regra/], ['#own', /by the rule/]]) {
    await settled(page, at);
    assert.match(await sentence(page, at), pattern, at);
  }
  await page.evaluate(() => { document.documentElement.lang = 'es'; });
  await becomes(async () => /según/.test(await sentence(page, '#browser')), true, 'the page\'s language changes');
  assert.equal(await element(page, '#around').evaluate((node) => node.shadowRoot.querySelector('figure').lang), 'es');
});

// --- how it looks ---------------------------------------------------------------------------------------------------------

pageTest('it takes the host\'s font and size, not its letters\' tricks', async ({ page, origin }) => {
  await openArticle(page, origin, { css: 'html { font-size: 62.5% } body { font: 19px Georgia, serif; text-transform: uppercase; letter-spacing: 3px; text-align: center; white-space: pre }', body: one });
  await settled(page);
  const seen = await element(page).evaluate((node) => {
    const { fontFamily, fontSize } = getComputedStyle(node.shadowRoot.querySelector('.best'));
    const { textTransform, letterSpacing, textAlign, whiteSpace } = getComputedStyle(node.shadowRoot.querySelector('.title'));
    return { fontFamily, fontSize, textTransform, letterSpacing, textAlign, whiteSpace };
  });
  assert.deepEqual(seen, { fontFamily: 'Georgia, serif', fontSize: '19px', textTransform: 'none', letterSpacing: 'normal', textAlign: 'start', whiteSpace: 'normal' });
});

pageTest('a light page stays light on a dark system, and theme overrides', { colorScheme: 'dark' }, async ({ page, origin }) => {
  await openArticle(page, origin, { body: one });
  await settled(page);
  const surface = () => style(page, 'figure', 'backgroundColor');
  assert.equal(await surface(), 'rgb(251, 251, 249)');
  await set(page, { theme: 'dark' });
  assert.equal(await surface(), 'rgb(21, 24, 26)');
  assert.deepEqual(await violations(page), []);
  await set(page, { theme: null });
  await page.evaluate(() => { document.documentElement.classList.add('dark'); const sheet = new CSSStyleSheet(); sheet.replaceSync('.dark { color-scheme: light dark; background: #111; color: #eee }'); document.adoptedStyleSheets = [sheet]; });
  assert.equal(await surface(), 'rgb(21, 24, 26)', 'a page that follows the system');
  await set(page, { theme: 'light' });
  assert.equal(await surface(), 'rgb(251, 251, 249)');
  await set(page, { theme: 'dark' });
  await page.emulateMedia({ media: 'print' });
  assert.equal(await surface(), 'rgb(251, 251, 249)', 'on paper');
});

pageTest('colours by custom properties', async ({ page, origin }) => {
  await openArticle(page, origin, { css: 'vram-fit { --vramfit-accent: rgb(1, 2, 3); --vramfit-surface: transparent; --vramfit-c-weights: rgb(4, 5, 6); --vramfit-padding: 0 }', body: one });
  await settled(page);
  assert.equal(await style(page, '.sentence .figure', 'color'), 'rgb(1, 2, 3)');
  assert.equal(await style(page, 'figure', 'backgroundColor'), 'rgba(0, 0, 0, 0)');
  assert.equal(await style(page, '.bar .c-weights', 'fill'), 'rgb(4, 5, 6)');
  assert.equal(await style(page, 'figure', 'paddingLeft'), '0px');
  assert.equal(await style(page, '.bar .c-margin', 'fill'), 'rgb(127, 132, 136)');
});

for (const width of [240, 320, 1200]) {
  pageTest(`nothing sticks out at ${width} px, in any language`, { viewport: { width: Math.max(width, 320) + 16, height: 800 } }, async ({ page, origin }) => {
    const shares = ['', 'model=gpt-oss-120b&gpus=consumer&method=worksheet', 'model=deepseek-v3&weights=native&context=200000&method=worksheet&gpus=all&sequences=16', 'model=nope', 'task=full&method=worksheet&gpus=all&foo=1'];
    await openArticle(page, origin, { css: `body { margin: 8px } main { width: ${width}px }`, body: shares.map((share) => `<vram-fit share="${share.replaceAll('&', '&amp;')}"></vram-fit>`).join('') });
    for (const lang of ['en', 'es', 'pt-BR']) {
      await page.evaluate(async (wanted) => {
        document.documentElement.lang = wanted;
        await new Promise((done) => { setTimeout(done); });
        for (const node of document.querySelectorAll('vram-fit')) await node.ready;
      }, lang);
      const out = await page.locator('vram-fit').evaluateAll((nodes) => nodes.flatMap((node) => {
        const { left, right } = node.getBoundingClientRect();
        return [...node.shadowRoot.querySelectorAll('figure *:not(svg *)')].filter((inner) => {
          const box = inner.getBoundingClientRect();
          return box.width > 0 && (box.left < left - 0.5 || box.right > right + 0.5);
        }).map((inner) => `${node.share}: ${inner.tagName}.${inner.className} ${inner.textContent.slice(0, 30)}`);
      }));
      assert.deepEqual(out, [], lang);
    }
    assert.deepEqual(await page.locator('vram-fit').evaluateAll((nodes) => nodes.map((node) => node.offsetWidth)), shares.map(() => width));
    assert.deepEqual(await violations(page), []);
  });
}

pageTest('in a flex row it keeps a width of its own', async ({ page, origin }) => {
  await openArticle(page, origin, { css: '.row { display: flex }', body: `<div class="row"><p>Uno</p>${one}</div>` });
  await settled(page);
  assert.ok(await element(page).evaluate((node) => node.offsetWidth) > 300);
});

pageTest('forced colours keep the bar, reduced motion has nothing to stop', { forcedColors: 'active', reducedMotion: 'reduce' }, async ({ page, origin }) => {
  await openArticle(page, origin, { body: one });
  await settled(page);
  assert.equal(await style(page, '.bar .c-weights', 'fill'), 'rgb(31, 95, 168)');
  assert.equal(await element(page).evaluate((node) => node.shadowRoot.getAnimations?.().length ?? 0), 0);
});

pageTest('by keyboard: the link and the fold, with visible focus, and out again', async ({ page, origin }) => {
  const list = { schema: 'vramfit-prices/1', currency: 'USD', provider: 'NubeSur', date: '2026-11-01', prices: [{ gpu: 'h200', usd_per_gpu_hour: 2.5 }, { gpu: 'h999', usd_per_gpu_hour: 1 }] };
  await openArticle(page, origin, { body: `<a id="before" href="#">a</a>${one.replace('>', ' prices="precios.json">')}<a id="after" href="#">b</a>`, files: { 'precios.json': JSON.stringify(list) } });
  await settled(page);
  await page.locator('#before').focus();
  const focus = () => page.evaluate(() => { const { activeElement } = document; const inner = activeElement.shadowRoot?.activeElement; return inner ? `${inner.tagName} ${getComputedStyle(inner).outlineStyle}` : activeElement.id; });
  const walk = [];
  for (let i = 0; i < 3; i += 1) {
    await page.keyboard.press('Tab');
    walk.push(await focus());
    if (walk.at(-1).startsWith('SUMMARY')) await page.keyboard.press('Enter');
  }
  assert.deepEqual(walk, ['SUMMARY solid', 'A solid', 'after']);
  assert.ok(await element(page).locator('.problems li').isVisible());
  assert.deepEqual(await violations(page), []);
});

pageTest('the verdict is one live region; no heading is added to the article\'s', async ({ page, origin }) => {
  await openArticle(page, origin, { body: one });
  await settled(page);
  assert.equal(await element(page).locator('[role="status"]').count(), 1);
  assert.equal(await element(page).locator('h1, h2, h3, h4, h5, h6').count(), 0);
  assert.equal(await element(page).locator('figure').getAttribute('aria-label'), 'Memoria de GPU: Llama 3.1 70B');
  assert.equal(await element(page).locator('[role="status"]').evaluate((node) => node.contains(node.getRootNode().querySelector('.sentence'))), true);
});

pageTest('its height is told whenever it changes', async ({ page, origin }) => {
  await openArticle(page, origin, { css: 'main { width: 700px }', body: one });
  await settled(page);
  const height = () => element(page).evaluate((node) => node.getBoundingClientRect().height);
  const last = async () => (await told(page, 'resize')).at(-1).height;
  await becomes(last, await height());
  await set(page, { model: 'deepseek-v3', method: 'worksheet', foo: 'x' });
  await becomes(async () => (await last()) === (await height()), true);
  await page.evaluate(() => { document.querySelector('main').style.width = '260px'; });
  await becomes(async () => (await last()) === (await height()), true);
  assert.ok((await told(page, 'resize')).length >= 3);
});
