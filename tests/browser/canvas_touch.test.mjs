// Fingers: the page scrolls under them, a tap clicks once, a drag to the side sets an input. Real touches, told by the browser.
import assert from 'node:assert/strict';

import { becomesReady, clickWidget, openAlone, openCanvas, openHost, reach, share, still, swipe, tap, widget, widgets } from './canvas_support.mjs';
import { address, becomes, pageTest, value } from './support.mjs';

const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
const scrollY = (page) => page.evaluate(() => window.scrollY);
const tapWidget = async (page, id, at) => {
  const { cx, cy } = await reach(page, id, at);
  await tap(page, cx, cy);
  await still(page, at);
};
// The canvas's box, after its middle was brought into the middle of the window.
async function centred(page, at = 'vramfit-canvas') {
  await page.locator(at).evaluate((element) => element.scrollIntoView({ block: 'center' }));
  return page.locator(at).boundingBox();
}

pageTest('a swipe up or down scrolls the page, presses nothing and sets nothing', phone, async ({ page }) => {
  await openCanvas(page);
  for (const tab of ['tab/fit', 'tab/what_if', 'tab/breakdown']) {
    await tapWidget(page, tab);
    const { x, width } = await centred(page);
    const [before, at] = [await share(page), await scrollY(page)];
    const x0 = x + width * 0.4;
    await swipe(page, [[x0, 600], [x0 + 3, 300]]);
    await becomes(async () => (await scrollY(page)) > at + 100, true, `${tab}: up`);
    const down = await scrollY(page);
    await swipe(page, [[x0, 300], [x0 + 3, 600]]);
    await becomes(async () => (await scrollY(page)) < down - 100, true, `${tab}: down`);
    await still(page);
    assert.equal(await share(page), before);
    assert.equal(await address(page), '');
  }
});

pageTest('a swipe does not take the keyboard from the page', phone, async ({ page, origin }) => {
  await openHost(page, origin);
  await becomesReady(page, '#one');
  await page.locator('#before').focus();
  const { x, y } = await page.locator('#one').boundingBox();
  await swipe(page, [[x + 100, y + 380], [x + 100, y + 60]]);
  await still(page, '#one');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'before');
});

pageTest('a tap clicks exactly once, where it lands', phone, async ({ page }) => {
  await openCanvas(page);
  await tapWidget(page, 'tab/fit');
  const entries = await page.evaluate(() => window.history.length);
  await page.evaluate(() => {
    window.shares = [];
    document.addEventListener('vramfit-share', ({ detail }) => window.shares.push(detail));
  });
  await tapWidget(page, 'h200/2');
  assert.deepEqual(await page.evaluate(() => window.shares), [{ share: 'gpu=h200&count=2', finished: true }]);
  assert.equal(await page.evaluate(() => window.history.length), entries + 1);
  await tapWidget(page, 'h200/4');
  await tapWidget(page, 'h200/4');
  assert.deepEqual((await page.evaluate(() => window.shares)).map((s) => s.share), ['gpu=h200&count=2', 'gpu=h200&count=4', '']);
  // What was tapped does not stay as if a pointer were over it: the picture is that of an untouched canvas.
  assert.equal(await page.locator('vramfit-canvas').evaluate((e) => getComputedStyle(e.shadowRoot.querySelector('canvas')).cursor), 'auto');
});

pageTest('a drag to the side on a curve sets the input: one step of history', phone, async ({ page }) => {
  await openCanvas(page);
  await tapWidget(page, 'tab/what_if');
  await centred(page);
  const entries = await page.evaluate(() => window.history.length);
  // What stands above may grow with the answer: the reader sees the canvas stay, whatever number scrolling has.
  const top = () => page.locator('vramfit-canvas').evaluate((e) => e.getBoundingClientRect().top);
  const at = await top();
  const curve = await widget(page, 'curve/context');
  const y = curve.cy;
  await swipe(page, [[curve.x + 40, y], [curve.x + curve.width * 0.8, y + 4]], { steps: 16 });
  await still(page);
  const context = Number(new URLSearchParams(await share(page)).get('context'));
  assert.ok(context > 8000, `${context}`);
  await becomes(() => address(page), `?context=${context}`);
  assert.equal((await value(page, 'context')), String(context));
  assert.equal(await page.evaluate(() => window.history.length), entries + 1);
  const now = await top();
  assert.ok(Math.abs(now - at) < 10, `the page stays: ${at} ${now}`);
});

pageTest('a drag that is cancelled keeps what it had set, and lets go', phone, async ({ page }) => {
  await openCanvas(page);
  await tapWidget(page, 'tab/what_if');
  await centred(page);
  const curve = await widget(page, 'curve/context');
  await swipe(page, [[curve.x + 40, curve.cy], [curve.x + curve.width * 0.7, curve.cy]], { steps: 16, end: 'touchCancel' });
  await still(page);
  const context = Number(new URLSearchParams(await share(page)).get('context'));
  assert.ok(context > 4096, `${context}, not thrown to an end of the scale`);
  await becomes(() => address(page), `?context=${context}`);
  await tapWidget(page, 'tab/fit');
  assert.equal(await share(page), `context=${context}`, 'nothing is held any more');
  // On what is pressed rather than dragged: nothing happens.
  const chip = await reach(page, 'h200/2');
  await swipe(page, [[chip.cx - 12, chip.cy], [chip.cx, chip.cy]], { end: 'touchCancel' });
  await still(page);
  assert.equal(await share(page), `context=${context}`);
});

pageTest('two fingers are the browser\'s: nothing is pressed or set', phone, async ({ page, context }) => {
  await openCanvas(page);
  await tapWidget(page, 'tab/what_if');
  const { y, height } = await centred(page);
  const session = await context.newCDPSession(page);
  const points = (apart) => [{ x: 195 - apart, y: y + height / 3, id: 0 }, { x: 195 + apart, y: y + height / 3, id: 1 }];
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [points(20)[0]] });
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: points(20) });
  for (let apart = 25; apart < 120; apart += 10) await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: points(apart) });
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await still(page);
  assert.equal(await share(page), '');
  const action = await page.locator('vramfit-canvas').evaluate((e) => getComputedStyle(e.shadowRoot.querySelector('canvas')).touchAction);
  assert.match(action, /pan-y/);
  assert.match(action, /pinch-zoom/);
});

pageTest('on its own page a swipe scrolls what it is over, and pinching is left to the browser', { ...phone, viewport: { width: 390, height: 640 } }, async ({ page, origin }) => {
  await openAlone(page, origin, 'gpus=all&method=worksheet');
  const action = await page.locator('vramfit-canvas').evaluate((e) => getComputedStyle(e.shadowRoot.querySelector('canvas')).touchAction);
  assert.equal(action, 'pinch-zoom');
  await tapWidget(page, 'tab/fit');
  const rows = async () => (await widgets(page)).filter((w) => w.id.startsWith('gpu/')).map((w) => w.id);
  const first = await rows();
  const from = await widget(page, first[2]);
  await swipe(page, [[from.cx, from.cy], [from.cx, from.cy - 150]], { steps: 20 });
  await still(page);
  assert.notDeepEqual(await rows(), first);
  assert.equal(await address(page), '?method=worksheet&gpus=all');
  await tapWidget(page, 'tab/inputs');
  const before = (await widget(page, 'input/context')).y;
  const { cx } = await widget(page, 'input/model');
  await swipe(page, [[cx, 500], [cx, 350]], { steps: 15 });
  await still(page);
  assert.ok((await widget(page, 'input/context')).y < before, 'the inputs scroll');
  assert.equal(await address(page), '?method=worksheet&gpus=all', 'and none of them is pressed');
});

pageTest('a text field asks for the phone\'s keyboard within the tap', phone, async ({ page, origin }) => {
  await openAlone(page, origin);
  await tapWidget(page, 'tab/inputs');
  const { cx, cy } = await reach(page, 'input/context');
  await page.locator('vramfit-canvas').evaluate((element) => {
    window.focusedIn = null;
    element.shadowRoot.querySelector('input').addEventListener('focus', () => { window.focusedIn = navigator.userActivation.isActive; });
  });
  await tap(page, cx, cy);
  await still(page);
  assert.equal(await page.evaluate(() => window.focusedIn), true);
  // A keyboard on the screen tells no keys, only what it puts in.
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText('32k');
  await page.keyboard.press('Enter');
  await still(page);
  await becomes(() => address(page), '?context=32768');
});

pageTest('clicks of a mouse work on a touch screen too', phone, async ({ page }) => {
  await openCanvas(page);
  await clickWidget(page, 'tab/fit');
  await clickWidget(page, 'h200/2');
  assert.equal(await address(page), '?gpu=h200&count=2');
});
