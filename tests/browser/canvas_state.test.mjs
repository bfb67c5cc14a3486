// Form, address and canvas are three views of one configuration: in step both ways, without echo.
import assert from 'node:assert/strict';

import { clickWidget, openCanvas, reach, share, spoken, spokenInDom, still } from './canvas_support.mjs';
import { address, becomes, choose, field, fieldError, locales, pageTest, plain, sentence, typeInto, value } from './support.mjs';

// Counts what the canvas tells and what the address is told.
const count = (page) => page.evaluate(() => {
  window.told = { shares: 0, replaced: 0, pushed: 0 };
  document.addEventListener('vramfit-share', () => { window.told.shares += 1; });
  for (const [name, key] of [['replaceState', 'replaced'], ['pushState', 'pushed']]) {
    const own = window.history[name];
    window.history[name] = function write(...rest) { window.told[key] += 1; return own.apply(this, rest); };
  }
});
const told = (page) => page.evaluate(() => window.told);
const inStep = async (page) => {
  await becomes(async () => `?${await share(page)}`.replace(/^\?$/, ''), await address(page));
  assert.equal(plain((await spoken(page)).split('\n')[0]), await sentence(page), 'canvas and page say the same');
};

pageTest('an edit of the form reaches the canvas, and does not come back', async ({ page }) => {
  await openCanvas(page);
  await count(page);
  await choose(page, 'weights', 'bf16');
  await inStep(page);
  await typeInto(page, 'context', '32k');
  await inStep(page);
  await still(page);
  const { shares, pushed } = await told(page);
  assert.deepEqual([shares, pushed], [0, 2]);
});

pageTest('an edit on the canvas reaches form and address once, and does not come back', async ({ page }) => {
  await openCanvas(page);
  await count(page);
  await clickWidget(page, 'h200/2');
  await inStep(page);
  await clickWidget(page, 'context/more');
  await inStep(page);
  assert.equal(await value(page, 'context'), new URLSearchParams(await share(page)).get('context'));
  await page.waitForTimeout(200);
  assert.deepEqual(await told(page), { shares: 2, replaced: 2, pushed: 2 });
});

pageTest('back and forward take the canvas along', async ({ page }) => {
  await openCanvas(page);
  const steps = [''];
  const step = async () => { await inStep(page); steps.push(await address(page)); };
  await clickWidget(page, 'h200/2');
  await step();
  await choose(page, 'weights', 'bf16');
  await step();
  await clickWidget(page, 'sequences/more');
  await step();
  await page.locator('[data-set="method"][data-value="worksheet"]').click();
  await step();
  for (let i = steps.length - 2; i >= 0; i -= 1) {
    await page.goBack();
    await becomes(() => address(page), steps[i]);
    await inStep(page);
  }
  for (let i = 1; i < steps.length; i += 1) {
    await page.goForward();
    await becomes(() => address(page), steps[i]);
    await inStep(page);
  }
});

pageTest('Start over in the page starts the canvas over', async ({ page }) => {
  await openCanvas(page, 'weights=bf16&flavour=vanilla');
  await inStep(page);
  await page.locator('#reset').click();
  await becomes(() => share(page), '');
  await inStep(page);
});

pageTest('typing fast into the form loses nothing while the canvas is there', async ({ page }) => {
  await openCanvas(page, 'gpus=all&method=worksheet');
  await count(page);
  const text = '131072';
  const input = field(page, 'context');
  await input.focus();
  await input.press('Control+a');
  for (let round = 0; round < 3; round += 1) {
    await page.keyboard.type(text, { delay: 0 });
    assert.equal(await input.inputValue(), text);
    await input.press('Control+a');
  }
  await page.keyboard.type('65536', { delay: 0 });
  await input.press('Enter');
  await inStep(page);
  assert.equal(await address(page), '?context=65536&method=worksheet&gpus=all');
  assert.equal((await told(page)).shares, 0);
  assert.equal((await told(page)).pushed, 1);
});

pageTest('a wrong number half typed in the form stays there, whatever the canvas does', async ({ page }) => {
  await openCanvas(page);
  await field(page, 'context').fill('12x');
  assert.equal(await fieldError(page, 'context'), 'Not a number. Examples: 4096, 32k, 1.5');
  await clickWidget(page, 'h200/2');
  await inStep(page);
  assert.equal(await value(page, 'context'), '12x');
  assert.equal(await fieldError(page, 'context'), 'Not a number. Examples: 4096, 32k, 1.5');
  assert.equal(await address(page), '?gpu=h200&count=2');
  const curve = await reach(page, 'curve/sequences');
  await page.mouse.move(curve.x + 40, curve.cy);
  await page.mouse.down();
  await page.mouse.move(curve.x + 120, curve.cy, { steps: 6 });
  await page.mouse.up();
  await still(page);
  assert.equal(await value(page, 'context'), '12x');
});

pageTest('a name half typed in the form stays there too', async ({ page }) => {
  await openCanvas(page);
  await field(page, 'model').focus();
  await field(page, 'model').fill('qwen');
  await page.locator('vramfit-canvas').evaluate((element) => { element.share = 'weights=bf16'; });  // as a script may
  await still(page);
  assert.equal(await value(page, 'model'), 'qwen');
});

pageTest('language, units and theme change in place', async ({ page }) => {
  await openCanvas(page, 'weights=bf16');
  const go = (query) => page.evaluate((text) => {
    window.history.replaceState(null, '', text);
    window.dispatchEvent(new PopStateEvent('popstate'));
  }, query);
  for (const [lang, first] of [['es', /^Llama 3\.1 70B en BF16: 168\sGB/], ['pt-BR', /^Llama 3\.1 70B em BF16: 168\sGB/], ['en', /^Llama 3\.1 70B in BF16: 168\sGB/]]) {
    await go(`?weights=bf16&lang=${lang}`);
    await becomes(async () => first.test(await spoken(page)), true, lang);
    await becomes(async () => first.test((await spokenInDom(page))[1]), true, `${lang}, read out`);
    assert.equal((await spokenInDom(page))[0], locales[lang].canvas.keys);
    await inStep2(page, `?weights=bf16&lang=${lang}`, 'weights=bf16');
  }
  await page.locator('#units').selectOption('GiB');
  await becomes(async () => /156\sGiB/.test(await spoken(page)), true);
  await inStep2(page, '?weights=bf16&lang=en&units=GiB', 'weights=bf16');
  await page.locator('#units').selectOption('auto');
  await becomes(async () => /168\sGB/.test(await spoken(page)), true);
  await clickWidget(page, 'h200/2');
  await inStep2(page, '?weights=bf16&gpu=h200&count=2&lang=en', 'weights=bf16&gpu=h200&count=2');
});

// The page's own keys are the address's, not the canvas's.
async function inStep2(page, wanted, own) {
  await becomes(() => address(page), wanted);
  assert.equal(await share(page), own);
  assert.equal(plain((await spoken(page)).split('\n')[0]), await sentence(page));
}

pageTest('what cannot be answered is said by both', async ({ page }) => {
  await openCanvas(page);
  await field(page, 'model').fill('nope');
  await page.keyboard.press('Tab');
  await becomes(() => share(page), 'model=nope');
  assert.equal(plain((await spoken(page)).split('\n')[0]), await sentence(page));
  await field(page, 'model').fill('qwen3 8b');
  await page.keyboard.press('Enter');
  await becomes(() => share(page), 'model=qwen3-8b');
  await inStep(page);
});
