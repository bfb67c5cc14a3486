// Nothing happens, nothing is drawn: no frame and no animation frame asked for while the canvas rests.
import assert from 'node:assert/strict';

import { clickWidget, framesDrawn, openAlone, openCanvas, reach, still, swipe, tap, widget } from './canvas_support.mjs';
import { becomes, choose, pageTest, settled } from './support.mjs';

const idleMs = Number(process.env.VRAMFIT_IDLE_MS || 3000);

// Counts requests for animation frames from the page's first script on.
const counting = { scripts: () => {
  window.framesAsked = 0;
  const own = window.requestAnimationFrame;
  window.requestAnimationFrame = (callback) => { window.framesAsked += 1; return own.call(window, callback); };
} };

async function rests(page, when, ms = idleMs) {
  await still(page);
  await page.waitForTimeout(300);  // what is put off until all is still
  const before = [await framesDrawn(page), await page.evaluate(() => window.framesAsked)];
  await page.waitForTimeout(ms);
  assert.deepEqual([await framesDrawn(page), await page.evaluate(() => window.framesAsked)], before, when);
}

pageTest('in a page: untouched, hovered, clicked, with a list open, after an edit', async ({ page, context }) => {
  await context.addInitScript(counting.scripts);
  await openCanvas(page);
  await settled(page);
  await rests(page, 'untouched');
  const curve = await reach(page, 'curve/context');
  await page.mouse.move(curve.cx, curve.cy, { steps: 5 });
  await rests(page, 'with the pointer over a curve', 600);
  await clickWidget(page, 'h200/2');
  await rests(page, 'after a click', 600);
  await clickWidget(page, 'sort');
  await rests(page, 'with a list open', 600);
  await page.keyboard.press('Escape');
  await choose(page, 'weights', 'bf16');
  await rests(page, 'after an edit of the form', 600);
});

pageTest('with a text field open, with a search open', async ({ page, context, origin }) => {
  await context.addInitScript(counting.scripts);
  await openAlone(page, origin);
  await clickWidget(page, 'input/context');
  await page.keyboard.type('8');
  await rests(page, 'with a text field open', 600);
  await page.keyboard.press('Enter');
  await clickWidget(page, 'input/model');
  await page.keyboard.type('qwen');
  await rests(page, 'with a search open', 600);
});

pageTest('after a tap, a swipe and a drag', { viewport: { width: 390, height: 800 }, hasTouch: true }, async ({ page, context }) => {
  await context.addInitScript(counting.scripts);
  await openCanvas(page);
  const { cx, cy } = await widget(page, 'tab/what_if');
  await tap(page, cx, cy);
  await rests(page, 'after a tap', 600);
  const curve = await reach(page, 'curve/context');
  await swipe(page, [[curve.x + 40, curve.cy], [curve.x + 200, curve.cy]], { steps: 12 });
  await rests(page, 'after a drag', 600);
  await swipe(page, [[195, 600], [195, 300]]);
  await page.waitForTimeout(500);  // the browser's own way of coming to rest
  await rests(page, 'after a swipe', 600);
});

for (const reducedMotion of ['reduce', 'no-preference']) {
  pageTest(`an edit settles in a few frames (${reducedMotion})`, { reducedMotion }, async ({ page }) => {
    await openCanvas(page);
    const before = await framesDrawn(page);
    await choose(page, 'weights', 'bf16');
    await still(page);
    const drawn = await framesDrawn(page) - before;
    assert.ok(drawn >= 1 && drawn <= 6, `${drawn} frames`);
  });
}

pageTest('out of view nothing is drawn, and what was missed is drawn when it is back', async ({ page, context }) => {
  await context.addInitScript(counting.scripts);
  await openCanvas(page);
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.waitForFunction(() => document.getElementById('canvas').getBoundingClientRect().top > window.innerHeight);
  await still(page);
  await page.waitForTimeout(100);
  const before = await framesDrawn(page);
  for (const weights of ['bf16', 'int4-awq', 'fp8', 'bf16']) await choose(page, 'weights', weights);
  await page.setViewportSize({ width: 1100, height: 850 });
  await page.locator('#theme').selectOption('dark');
  await page.waitForTimeout(400);
  assert.equal(await framesDrawn(page), before);
  const words = await page.locator('vramfit-canvas').evaluate((e) => e.shadowRoot.querySelector('.spoken:not(#keys)').textContent);
  assert.match(words, /^Llama 3\.1 70B in BF16/, 'what is read out is up to date all the same');
  await page.evaluate(() => document.getElementById('canvas').scrollIntoView());
  await becomes(async () => (await framesDrawn(page)) > before, true);
});
