// On a phone: nothing is wider than the screen, and everything is large enough to hit.
import assert from 'node:assert/strict';

import { open as openPage, pageTest, pages, unfold } from './support.mjs';

const states = ['', 'method=worksheet&model=deepseek-v3&count=8', 'method=engine&gpu=h200&count=1&sequences=64&context=32768', 'method=engine&weights=q4_k_m', 'gpus=all', 'task=full&method=worksheet', 'model=kimi-k3&weights=bf16', 'params=70b&model=&method=worksheet', 'model=nope&note=1', 'gpus=workstation&weights=fp4-experts-fp8&method=worksheet'];

// Parts that stick out, besides what scrolls by itself or is put aside for screen readers.
const tooWide = (page) => page.evaluate(() => {
  const width = document.documentElement.clientWidth;
  const out = [...document.querySelectorAll('body *')].filter((e) => e.checkVisibility() && !e.closest('.skip, thead, svg') && e.getBoundingClientRect().right > width + 0.5);
  return { scrolls: document.documentElement.scrollWidth > width, parts: out.slice(0, 5).map((e) => e.outerHTML.slice(0, 80)) };
});

// The control's own box, or that of its label, of at least 24 by 24 pixels (WCAG 2.2, 2.5.8); links within a sentence are exempt.
const tooSmall = (page) => page.evaluate(() => [...document.querySelectorAll('button, select, input, summary, nav a, [role="option"]')]
  .filter((e) => e.checkVisibility())
  .map((e) => [e.outerHTML.slice(0, 70), e.getBoundingClientRect()])
  .filter(([, box]) => box.width < 24 || box.height < 24)
  .map(([name, box]) => `${name} ${box.width}x${box.height}`));

for (const width of [360, 320]) {
  for (const lang of Object.keys(pages)) {
    pageTest(`${width} pixels, ${lang}`, { viewport: { width, height: 740 }, hasTouch: true, isMobile: true }, async ({ page }) => {
      for (const state of states) {
        await openPage(page, state, lang);
        assert.deepEqual(await tooWide(page), { scrolls: false, parts: [] }, state);
        await unfold(page);
        if (!/nope/.test(state)) await page.waitForSelector('#catalog-sources h4');
        assert.deepEqual(await tooWide(page), { scrolls: false, parts: [] }, `${state}, all open`);
        assert.deepEqual(await tooSmall(page), [], state);
      }
    });
  }

  pageTest(`${width} pixels: lists open within the screen`, { viewport: { width, height: 740 }, hasTouch: true, isMobile: true }, async ({ page, open }) => {
    await open();
    for (const key of ['model', 'gpu']) {
      await page.locator(`[data-field="${key}"] .open`).tap();
      assert.deepEqual(await tooWide(page), { scrolls: false, parts: [] }, key);
      assert.deepEqual(await tooSmall(page), [], key);
      await page.locator(`#l-${key} [role="option"]`).nth(3).tap();
    }
    assert.match(await page.evaluate(() => window.location.search), /^\?model=.+&gpu=/);
  });
}

pageTest('no width in between scrolls either', async ({ page }) => {
  for (const state of states) {
    await openPage(page, state);
    await unfold(page);
    for (const width of [400, 440, 577, 640, 768, 900, 1024, 1025, 1100, 1920]) {
      await page.setViewportSize({ width, height: 800 });
      assert.deepEqual(await tooWide(page), { scrolls: false, parts: [] }, `${width} ${state}`);
    }
  }
});
