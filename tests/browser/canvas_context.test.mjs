// The graphics card's context: lost and given back, and given back by us when the canvas goes.
import assert from 'node:assert/strict';

import { becomesReady, clickWidget, framesDrawn, openAlone, openCanvas, openHost, picture, reach, share, state, still } from './canvas_support.mjs';
import { address, becomes, choose, locales, pageTest, plain, sentence, violations } from './support.mjs';

// Takes the context away from the canvas and gives it back.
const lose = (page, at = 'vramfit-canvas') => page.locator(at).evaluate((element) => {
  window.lostContext = element.shadowRoot.querySelector('canvas').getContext('webgl2').getExtension('WEBGL_lose_context');
  window.lostContext.loseContext();
});
const restore = (page) => page.evaluate(() => window.lostContext.restoreContext());
const words = async (page, place) => plain(await page.locator(`${place} p[role="status"]`).textContent());

for (const lang of ['en', 'es']) {
  pageTest(`lost and given back: said in words (${lang}), then the same picture`, async ({ page }) => {
    await openCanvas(page, 'method=worksheet', lang);
    const before = await picture(page);
    for (let round = 0; round < 2; round += 1) {
      await lose(page);
      await becomes(() => state(page), 'lost');
      assert.equal(await words(page, '#canvas-place'), locales[lang].canvas.lost);
      assert.ok(await page.locator('#canvas-place p[role="status"]').isVisible());
      assert.ok(!(await page.locator('progress').isVisible()));
      assert.deepEqual(await violations(page), []);
      const drawn = await framesDrawn(page);
      await still(page);
      assert.equal(await framesDrawn(page), drawn, 'nothing is drawn meanwhile');
      await restore(page);
      await becomesReady(page);
      assert.ok(!(await page.locator('#canvas-place p[role="status"]').isVisible()));
      assert.deepEqual((await picture(page)).bytes, before.bytes);
    }
  });
}

pageTest('an edit and another size while it is lost are there when it is back', async ({ page }) => {
  await openCanvas(page);
  await lose(page);
  await becomes(() => state(page), 'lost');
  await choose(page, 'weights', 'bf16');
  assert.match(await sentence(page), /168 GB/);
  await page.locator('vramfit-canvas').evaluate((element) => { element.style.width = '900px'; });
  await page.locator('#theme').selectOption('dark');
  await restore(page);
  await becomesReady(page);
  assert.equal(await share(page), 'weights=bf16');
  const { bytes } = await picture(page);
  const wide = () => page.locator('vramfit-canvas').evaluate((element) => element.shadowRoot.querySelector('canvas').width);
  assert.equal(await wide(), 900);
  await openCanvas(page, 'weights=bf16&theme=dark');
  await page.locator('vramfit-canvas').evaluate((element) => { element.style.width = '900px'; });
  await becomes(wide, 900);
  assert.deepEqual((await picture(page)).bytes, bytes, 'as if it had never been lost');
});

pageTest('lost right at the start', async ({ page, context, origin }) => {
  await context.addInitScript(() => {
    const { getContext } = HTMLCanvasElement.prototype;
    HTMLCanvasElement.prototype.getContext = function get(kind, ...rest) {
      const made = getContext.call(this, kind, ...rest);
      if (kind === 'webgl2' && made && !window.lostContext) {
        window.lostContext = made.getExtension('WEBGL_lose_context');
        window.lostContext.loseContext();
      }
      return made;
    };
  });
  await openHost(page, origin);
  await becomes(() => state(page, '#one'), 'lost');
  await restore(page);
  await becomesReady(page, '#one');
  assert.ok((await picture(page, '#one')).colours.size > 50);
  await clickWidget(page, 'tab/fit', '#one');
  await clickWidget(page, 'h200/2', '#one');
  assert.equal(await share(page, '#one'), 'gpu=h200&count=2');
});

pageTest('lost while dragging: it lets go, and canvas, form and address agree', async ({ page }) => {
  await openCanvas(page);
  const curve = await reach(page, 'curve/context');
  await page.mouse.move(curve.x + curve.width * 0.3, curve.cy);
  await page.mouse.down();
  await page.mouse.move(curve.x + curve.width * 0.6, curve.cy, { steps: 5 });
  await lose(page);
  await becomes(() => state(page), 'lost');
  await page.mouse.move(curve.x + curve.width * 0.8, curve.cy, { steps: 5 });
  await page.mouse.up();
  await restore(page);
  await becomesReady(page);
  await page.mouse.move(curve.x + curve.width * 0.4, curve.cy, { steps: 5 });
  await still(page);
  const context = Number(new URLSearchParams(await share(page)).get('context'));
  assert.ok(context > 4096, `${context}`);
  await becomes(() => address(page), `?context=${context}`);
  await page.mouse.move(curve.x + curve.width * 0.2, curve.cy, { steps: 5 });
  await still(page);
  assert.equal(await share(page), `context=${context}`, 'nothing is dragged any more');
  await page.goBack();
  await becomes(() => address(page), '', 'the drag is one step of history');
});

pageTest('lost with a text field open', async ({ page, origin }) => {
  await openAlone(page, origin);
  await clickWidget(page, 'input/context');
  await page.keyboard.type('32');
  await lose(page);
  await becomes(() => state(page), 'lost');
  assert.equal(await words(page, '#place'), locales.en.canvas.lost);
  await restore(page);
  await becomesReady(page);
  await clickWidget(page, 'input/sequences');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('4');
  await page.keyboard.press('Enter');
  await becomes(async () => new URLSearchParams(await share(page)).get('sequences'), '4');
});

pageTest('the keyboard comes back to a canvas that had it', async ({ page, origin }) => {
  await openHost(page, origin);
  await becomesReady(page, '#one');
  await page.locator('#before').focus();
  await page.keyboard.press('Tab');
  await lose(page, '#one');
  await becomes(() => state(page, '#one'), 'lost');
  await page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));
  await restore(page);
  await becomesReady(page, '#one');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'one');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'between');
});

// --- coming and going -----------------------------------------------------------------------------------------------------

// Counts the listeners on window and document that were not taken off again.
const counting = () => {
  const kept = new Map();
  window.listeners = () => [...kept.values()].reduce((sum, set) => sum + set.size, 0);
  const key = (type, options) => `${type} ${typeof options === 'object' ? Boolean(options?.capture) : Boolean(options)}`;
  const { addEventListener, removeEventListener } = EventTarget.prototype;
  EventTarget.prototype.addEventListener = function add(type, listener, options) {
    if ((this === window || this === document || this === undefined) && listener) {
      const at = key(type, options);
      if (!kept.has(at)) kept.set(at, new Set());
      kept.get(at).add(listener);
      options?.signal?.addEventListener('abort', () => kept.get(at).delete(listener));
    }
    return addEventListener.call(this ?? window, type, listener, options);
  };
  EventTarget.prototype.removeEventListener = function remove(type, listener, options) {
    if (this === window || this === document || this === undefined) kept.get(key(type, options))?.delete(listener);
    return removeEventListener.call(this ?? window, type, listener, options);
  };
};

pageTest('forty times put in and taken out: no context, no listener, no memory stays', async ({ page, context, origin }) => {
  await context.addInitScript(counting);
  await openHost(page, origin, '?none');
  await page.waitForSelector('html[data-live]');
  const client = await context.newCDPSession(page);
  const measure = async () => {
    await client.send('HeapProfiler.collectGarbage');
    await client.send('HeapProfiler.collectGarbage');
    return { listeners: await page.evaluate(() => window.listeners()), heap: (await client.send('Runtime.getHeapUsage')).usedSize, nodes: (await client.send('Memory.getDOMCounters')).nodes };
  };
  const rounds = (count) => page.evaluate(async (times) => {
    for (let i = 0; i < times; i += 1) {
      const canvas = document.createElement('vramfit-canvas');
      canvas.share = 'weights=bf16';
      document.getElementById('first').append(canvas);
      await new Promise((done) => { canvas.addEventListener('vramfit-state', () => canvas.state === 'ready' && done()); });
      await new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); });
      const gl = canvas.shadowRoot.querySelector('canvas').getContext('webgl2');
      canvas.remove();
      if (!gl.isContextLost()) throw new Error('the context was kept');
    }
  }, count);
  await rounds(4);
  const before = await measure();
  await rounds(36);
  const after = await measure();
  assert.equal(after.listeners, before.listeners);
  assert.ok(after.heap - before.heap < 2e6, `${before.heap} -> ${after.heap} bytes`);
  assert.ok(after.nodes - before.nodes < 100, `${before.nodes} -> ${after.nodes} nodes`);
});

pageTest('taken out and put back, and moved: the same element goes on', async ({ page, origin }) => {
  await openHost(page, origin);
  for (const id of ['#one', '#two']) await becomesReady(page, id);
  await clickWidget(page, 'tab/fit', '#one');
  await clickWidget(page, 'h200/2', '#one');
  await page.evaluate(() => { window.one = document.getElementById('one'); window.one.remove(); });
  assert.equal(await page.evaluate(() => window.one.state), 'idle');
  assert.deepEqual(await page.evaluate(() => [window.one.widgets(), window.one.spoken(), window.one.share]), [[], '', 'gpu=h200&count=2'], 'out of the page it answers, with nothing');
  await page.evaluate(() => { window.one.share = 'gpu=h200&count=4'; document.getElementById('second').append(window.one); });
  await becomesReady(page, '#one');
  assert.equal(await share(page, '#one'), 'gpu=h200&count=4');
  await page.evaluate(() => document.getElementById('first').append(window.one));
  await becomesReady(page, '#one');
  assert.ok((await picture(page, '#one')).colours.size > 50);
  await clickWidget(page, 'tab/fit', '#one');
  await clickWidget(page, 'h200/2', '#one');
  assert.equal(await share(page, '#one'), 'gpu=h200&count=2');
  assert.equal(await state(page, '#two'), 'ready', 'and the other one never noticed');
});

pageTest('taken out while it loads, and put back at once', async ({ page, origin }) => {
  await openHost(page, origin, '?none');
  await page.waitForSelector('html[data-live]');
  const states = await page.evaluate(async () => {
    const canvas = document.createElement('vramfit-canvas');
    const seen = [];
    canvas.addEventListener('vramfit-state', () => seen.push(canvas.state));
    const place = document.getElementById('first');
    for (let i = 0; i < 5; i += 1) {
      place.append(canvas);
      if (i % 2) await Promise.resolve();
      canvas.remove();
    }
    place.append(canvas);
    await new Promise((done) => { canvas.addEventListener('vramfit-state', () => canvas.state === 'ready' && done()); });
    return seen;
  });
  assert.equal(states.filter((s) => s === 'ready').length, 1);
  assert.ok((await picture(page)).colours.size > 50);
});
