// Every widget of the canvas by its name: what a click, a key or a drag on it does to the canvas, the page and the address.
import assert from 'node:assert/strict';

import { clickWidget, openAlone, openCanvas, reach, share, spoken, still, widget, widgets } from './canvas_support.mjs';
import { address, becomes, pageTest, plain, sentence, value } from './support.mjs';

const ids = async (page) => (await widgets(page)).map((w) => w.id);
const rows = async (page) => (await ids(page)).filter((id) => id.startsWith('gpu/')).map((id) => id.slice(4));
// As the page's own table has them.
const domRows = (page) => page.locator('.fit tbody tr').evaluateAll((trs) => trs.map((tr) => tr.querySelector('.chip').dataset.key.split('/')[0]));

pageTest('widgets have a name, a label and a place inside the canvas', async ({ page }) => {
  await openCanvas(page);
  const all = await widgets(page);
  const box = await page.locator('vramfit-canvas').boundingBox();
  assert.ok(all.length > 40);
  assert.equal(new Set(all.map((w) => w.id)).size, all.length, 'names are unique');
  for (const { id, label, x, y, width, height } of all) {
    assert.ok(label.length > 1, `${id} has no label`);
    assert.ok(x >= box.x - 1 && y >= box.y - 1 && x + width <= box.x + box.width + 1 && y + height <= box.y + box.height + 1, `${id} lies outside`);
    assert.ok(width >= 10 && height >= 10 || id.startsWith('bar/'), `${id}: ${width} x ${height}`);
  }
});

pageTest('chips and rows choose a GPU, and take the choice back', async ({ page }) => {
  await openCanvas(page);
  await clickWidget(page, 'h200/2');
  assert.equal(await address(page), '?gpu=h200&count=2');
  assert.match(await sentence(page), /fits on 2x H200$/);
  assert.equal(await value(page, 'gpu'), 'H200 SXM');
  assert.equal(await page.locator('[data-key="h200/2"]').getAttribute('aria-pressed'), 'true');
  await clickWidget(page, 'h200/2');
  assert.equal(await address(page), '');
  await clickWidget(page, 'gpu/l40s');
  assert.equal(await address(page), '?gpu=l40s');
  assert.match(plain(await spoken(page)), /L40S/);
  await clickWidget(page, 'h200/3');
  assert.equal(await address(page), '?gpu=l40s', 'what cannot be cannot be chosen');
  await page.goBack();
  await becomes(() => address(page), '');
  await becomes(() => share(page), '');
});

pageTest('heads sort, once more the other way, and never change the inputs', async ({ page }) => {
  await openCanvas(page);
  const orders = new Map();
  for (const by of ['cost', 'headroom', 'memory', 'fit']) {
    await clickWidget(page, `sort/${by}`);
    const once = await rows(page);
    await clickWidget(page, `sort/${by}`);
    assert.deepEqual(await rows(page), [...once].reverse(), by);
    await clickWidget(page, `sort/${by}`);
    orders.set(by, once);
  }
  assert.ok(new Set([...orders.values()].map(String)).size > 1);
  // The list of sorts is the same thing, and the page's own table sorts alike.
  for (const [by, order] of orders) {
    await clickWidget(page, 'sort');
    await clickWidget(page, `option/${by}`);
    assert.deepEqual(await rows(page), order, by);
    await page.locator('[data-look="sort"]').selectOption(by);
    assert.deepEqual(await domRows(page), order, `${by}: as in the page's table`);
  }
  assert.equal(await address(page), '');
});

pageTest('filters leave rows out, pages turn', async ({ page }) => {
  await openCanvas(page, 'gpus=all');
  const first = await rows(page);
  await clickWidget(page, 'page/next');
  const second = await rows(page);
  assert.equal(second.filter((id) => first.includes(id)).length, 0);
  await clickWidget(page, 'page/previous');
  assert.deepEqual(await rows(page), first);
  await clickWidget(page, 'filter/vendor');
  await clickWidget(page, 'option/amd');
  await page.locator('[data-look="vendor"]').selectOption('amd');
  const amd = await rows(page);
  assert.deepEqual(amd, (await domRows(page)).slice(0, amd.length), 'as in the page\'s table');
  await clickWidget(page, 'filter/verdict');
  await clickWidget(page, 'option/fits');
  assert.ok((await rows(page)).length <= amd.length);
  await clickWidget(page, 'filter/vendor');
  await clickWidget(page, 'option/');
  assert.notDeepEqual(await rows(page), amd);
  assert.equal(await address(page), '?gpus=all');
});

pageTest('compartments show their terms', async ({ page }) => {
  await openCanvas(page, 'method=worksheet');
  const before = await spoken(page);
  for (const id of ['compartment/kv_cache', 'bar/1/headroom']) await clickWidget(page, id);
  assert.equal(await spoken(page), before);
  assert.equal(await address(page), '?method=worksheet');
});

pageTest('on a phone, tabs show one part at a time', { viewport: { width: 390, height: 800 } }, async ({ page }) => {
  await openCanvas(page);
  const parts = { 'tab/breakdown': /^compartment\//, 'tab/fit': /^gpu\//, 'tab/what_if': /^curve\// };
  for (const [tab, own] of Object.entries(parts)) {
    await clickWidget(page, tab);
    const seen = await ids(page);
    for (const pattern of Object.values(parts)) assert.equal(seen.some((id) => pattern.test(id)), pattern === own, `${tab}: ${pattern}`);
  }
  await clickWidget(page, 'tab/fit');
  await clickWidget(page, 'h200/2');
  assert.equal(await address(page), '?gpu=h200&count=2');
  await clickWidget(page, 'tab/what_if');
  await clickWidget(page, 'context/more');
  assert.match(await address(page), /^\?context=\d+&gpu=h200&count=2$/);
});

for (const key of ['context', 'sequences']) {
  pageTest(`dragging on the curve sets ${key}: one step of history`, async ({ page }) => {
    await openCanvas(page, 'weights=bf16');
    const count = () => page.evaluate(() => window.history.length);
    const entries = await count();
    const curve = await reach(page, `curve/${key}`);
    const at = (share_) => curve.x + 4 + (curve.width - 8) * share_;
    await page.mouse.move(at(0.3), curve.cy);
    await page.mouse.down();
    const seen = [];
    for (const part of [0.4, 0.5, 0.6, 0.7]) {
      await page.mouse.move(at(part), curve.cy, { steps: 3 });
      await becomes(async () => {
        const now = new URLSearchParams(await address(page)).get(key);
        return now !== null && now !== seen.at(-1);
      }, true, 'the address follows');
      seen.push(new URLSearchParams(await address(page)).get(key));
      await becomes(async () => (await value(page, key)).replace(/\D/g, ''), new URLSearchParams(await share(page)).get(key), 'and the form');
    }
    assert.deepEqual(seen.map(Number), [...seen.map(Number)].sort((a, b) => a - b));
    assert.equal(await count(), entries, 'no entry on the way');
    await page.mouse.move(at(0.7), curve.cy + 400);  // far below: it is still held
    await page.mouse.up();
    await becomes(count, entries + 1);
    const end = await address(page);
    assert.equal(end, `?${await share(page)}`);
    await page.goBack();
    await becomes(() => address(page), '?weights=bf16');
    await becomes(() => share(page), 'weights=bf16');
    await page.goForward();
    await becomes(() => address(page), end);
    await becomes(() => share(page), end.slice(1));
  });
}

pageTest('a long drag writes the address no oftener than browsers allow', async ({ page }) => {
  await openCanvas(page);
  await page.evaluate(() => {
    window.writes = 0;
    for (const name of ['replaceState', 'pushState']) {
      const own = window.history[name];
      window.history[name] = function write(...rest) { window.writes += 1; return own.apply(this, rest); };
    }
  });
  const curve = await reach(page, 'curve/context');
  await page.mouse.move(curve.x + 10, curve.cy);
  await page.mouse.down();
  const start = Date.now();
  for (let i = 0; Date.now() - start < 1500; i += 1) await page.mouse.move(curve.x + 10 + ((i * 7) % (curve.width - 20)), curve.cy);
  await page.mouse.up();
  await becomes(async () => `?${await share(page)}`, await address(page));
  const seconds = (Date.now() - start) / 1000;
  const writes = await page.evaluate(() => window.writes);
  // Safari: 100 in 30 seconds at its oldest; Chromium: 200 in 10.
  assert.ok(writes > 3 && writes <= 10 * seconds + 5, `${writes} in ${seconds} s`);
});

// --- the panel of inputs --------------------------------------------------------------------------------------------------

const type = async (page, id, text) => {
  await clickWidget(page, id);
  await page.keyboard.press('Control+a');
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
  await still(page);
};

pageTest('the panel: a model found by typing, an option by its name', async ({ page, origin }) => {
  await openAlone(page, origin);
  await clickWidget(page, 'input/model');
  await page.keyboard.type('qwen3 8b');
  await still(page);
  assert.ok((await ids(page)).includes('option/qwen3-8b'));
  assert.ok(!(await ids(page)).includes('option/llama-3.1-70b'), 'what does not match is gone');
  await page.keyboard.press('Enter');
  await still(page);
  await becomes(() => address(page), '?model=qwen3-8b');
  await clickWidget(page, 'input/weights');
  await clickWidget(page, 'option/bf16');
  await becomes(() => address(page), '?model=qwen3-8b&weights=bf16');
  await clickWidget(page, 'input/gpu');
  await page.keyboard.type('rtx 4090');
  await still(page);
  await clickWidget(page, 'option/rtx-4090');
  await becomes(() => address(page), '?model=qwen3-8b&weights=bf16&gpu=rtx-4090');
  await clickWidget(page, 'input/task');
  await page.keyboard.press('Escape');
  await still(page);
  assert.ok(!(await ids(page)).some((id) => id.startsWith('option/')), 'Escape closes the list');
  await clickWidget(page, 'reset');
  await becomes(() => address(page), '');
});

pageTest('the panel: figures as people write them', async ({ page, origin }) => {
  await openAlone(page, origin, 'method=worksheet');
  await type(page, 'input/context', '32k');
  await becomes(() => address(page), '?context=32768&method=worksheet');
  await type(page, 'input/sequences', 'many');
  assert.equal(await address(page), '?context=32768&method=worksheet', 'what is no figure changes nothing');
  await openAlone(page, origin, 'method=worksheet', 'es');
  const group = (await widgets(page)).filter((w) => w.id.startsWith('group/')).map((w) => w.id);
  for (const id of group.reverse()) {
    await clickWidget(page, id);
    if ((await ids(page)).includes('input/headroom')) break;
    await clickWidget(page, id);
  }
  await page.mouse.wheel(0, 400);
  await still(page);
  await type(page, 'input/headroom', '1,5');
  await becomes(() => address(page), '?method=worksheet&headroom=1.5');
});

pageTest('the panel: a slider is dragged: one step of history', async ({ page, origin }) => {
  await openAlone(page, origin, 'sequences=4');
  const entries = await page.evaluate(() => window.history.length);
  const slider = await widget(page, 'slider/context');
  await page.mouse.move(slider.x + slider.width * 0.5, slider.cy);
  await page.mouse.down();
  await page.mouse.move(slider.x + slider.width * 0.8, slider.cy, { steps: 6 });
  await still(page);
  const dragged = Number(new URLSearchParams(await share(page)).get('context'));
  assert.ok(dragged > 4096, `${dragged}`);
  await page.mouse.up();
  await still(page);
  await becomes(() => address(page), `?context=${dragged}&sequences=4`);
  assert.equal(await page.evaluate(() => window.history.length), entries + 1);
  await page.goBack();
  await becomes(() => address(page), '?sequences=4');
  await becomes(() => share(page), 'sequences=4');
});

pageTest('the panel: one\'s own cards at one\'s own prices', async ({ page, origin }) => {
  await openAlone(page, origin);
  await clickWidget(page, 'input/gpus');
  await clickWidget(page, 'option/');
  await type(page, 'input/own', 'h200:3.2,b200');
  await becomes(() => address(page), '?gpus=h200:3.2,b200');
  assert.deepEqual((await rows(page)).sort(), ['b200', 'h200']);
  assert.match(plain(await spoken(page)), /\$3\.20\/h/);
  await clickWidget(page, 'input/gpus');
  await clickWidget(page, 'option/consumer');
  await becomes(() => address(page), '?gpus=consumer');
});
