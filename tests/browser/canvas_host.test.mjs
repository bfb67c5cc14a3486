// The canvas as a guest: in a page of somebody else's, with fields around it, it takes no key and no wheel that is not meant for it.
import assert from 'node:assert/strict';

import { becomesReady, clickWidget, openAlone, openHost, reach, share, still, widget } from './canvas_support.mjs';
import { becomes, pageTest } from './support.mjs';

const both = async (page, origin, query) => {
  await openHost(page, origin, query);
  for (const id of ['#one', '#two']) await becomesReady(page, id);
};
const active = (page) => page.evaluate(() => document.activeElement.id || document.activeElement.tagName);
const inner = (page, at) => page.locator(at).evaluate((element) => element.shadowRoot.activeElement?.tagName ?? null);
const focusedLabel = (page, at) => page.locator(at).evaluate((element) => element.shadowRoot.querySelector('[role="status"]').textContent);

async function fieldsWork(page, when) {
  const say = (what) => `${what}, ${when}`;
  for (const [id, start] of [['before', ''], ['between', ''], ['after', '']]) {
    const field = page.locator(`#${id}`);
    await field.fill(start);
    await field.focus();
    await page.keyboard.type('a b  cd');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Delete');
    await page.keyboard.type('X');
    await page.keyboard.press('Home');
    await page.keyboard.type(' ');
    await page.keyboard.press('End');
    await page.keyboard.type('z');
    assert.equal(await field.inputValue(), ' a b Xcz', say(id));
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Backspace');
    assert.equal(await field.inputValue(), '', say(`${id}: select all`));
  }
  await page.locator('#between').focus();
  await page.keyboard.type('a');
  await page.keyboard.press('Enter');
  await page.keyboard.type('b');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.type('c');
  assert.equal(await page.locator('#between').inputValue(), 'ac\nb', say('lines'));
  await page.locator('#choice').selectOption('first');
  await page.locator('#choice').focus();
  await page.keyboard.press('ArrowDown');
  assert.equal(await page.locator('#choice').inputValue(), 'second', say('select'));
  await page.keyboard.press('ArrowUp');
  assert.equal(await page.locator('#choice').inputValue(), 'first', say('select'));
  await page.locator('#rich').evaluate((node) => { node.textContent = ''; node.focus(); });
  await page.keyboard.type('rich text');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.type('s ');
  assert.equal((await page.locator('#rich').textContent()).replace(/\u00a0/g, ' '), 'rich tes x', say('contenteditable'));
}

pageTest('fields of the page get every key, also after the canvas was clicked', async ({ page, origin }) => {
  await both(page, origin);
  await fieldsWork(page, 'before a click');
  const before = [await share(page, '#one'), await share(page, '#two')];
  await clickWidget(page, 'tab/fit', '#one');
  await clickWidget(page, 'tab/what_if', '#two');
  await fieldsWork(page, 'after a click');
  assert.deepEqual([await share(page, '#one'), await share(page, '#two')], before, 'and the canvases took none of them');
});

pageTest('fields get every key after text was typed into the canvas', async ({ page, origin }) => {
  await both(page, origin, '?alone');
  await clickWidget(page, 'tab/inputs', '#one').catch(() => {});
  await clickWidget(page, 'input/context', '#one');
  assert.equal(await inner(page, '#one'), 'INPUT', 'the canvas has a field open');
  await fieldsWork(page, 'with a field of the canvas open before');
});

// Where Tab and Shift+Tab go, from the first field of the page to the last.
async function walk(page, key, from, steps) {
  await page.locator(from).focus();
  const seen = [await active(page)];
  for (let i = 0; i < steps; i += 1) {
    await page.keyboard.press(key);
    seen.push(await active(page));
  }
  return seen;
}

pageTest('Tab goes into the canvas and out of it, both ways', async ({ page, origin }) => {
  await both(page, origin);
  const order = ['before', 'one', 'between', 'choice', 'rich', 'two', 'after'];
  for (const when of ['at first', 'after clicks']) {
    assert.deepEqual(await walk(page, 'Tab', '#before', order.length - 1), order, when);
    assert.deepEqual(await walk(page, 'Shift+Tab', '#after', order.length - 1), [...order].reverse(), when);
    for (const id of ['#one', '#two']) {
      await clickWidget(page, 'tab/fit', id);
      assert.equal(await active(page), id.slice(1), 'a click gives it the keyboard');
    }
  }
});

for (const what of ['a text field', 'a list', 'a list with a search']) {
  pageTest(`Tab and Shift+Tab leave ${what} that is open`, async ({ page, origin }) => {
    await both(page, origin, '?alone');
    const id = { 'a text field': 'input/context', 'a list': 'input/task', 'a list with a search': 'input/model' }[what];
    await clickWidget(page, 'tab/inputs', '#one').catch(() => {});
    for (const [key, to] of [['Tab', 'between'], ['Shift+Tab', 'before']]) {
      await clickWidget(page, id, '#one');
      if (what !== 'a list') assert.equal(await inner(page, '#one'), 'INPUT');
      await page.keyboard.press(key);
      assert.equal(await active(page), to, key);
      await still(page, '#one');
      assert.equal(await active(page), to, 'and stays there');
      await page.keyboard.press('Escape');
    }
    assert.deepEqual(await walk(page, 'Tab', '#before', 2), ['before', 'one', 'between'], 'it can be come back to');
  });
}

pageTest('arrows walk inside, Enter and space press, and what has the keyboard is shown', async ({ page, origin }) => {
  await both(page, origin);
  await page.locator('#before').focus();
  await page.keyboard.press('Tab');
  await still(page, '#one');
  const outline = await page.locator('#one').evaluate((element) => getComputedStyle(element.shadowRoot.querySelector('canvas')).outlineWidth);
  assert.equal(outline, '2px');
  const seen = new Set();
  const first = await focusedLabel(page, '#one');
  assert.ok(first, 'the first widget has the keyboard');
  seen.add(first);
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown', 'ArrowDown', 'ArrowLeft', 'ArrowUp']) {
    await page.keyboard.press(key);
    await still(page, '#one');
    seen.add(await focusedLabel(page, '#one'));
  }
  assert.ok(seen.size >= 4, [...seen].join(' | '));
  assert.equal(await page.evaluate(() => window.scrollY), 0, 'the page stays where it is');
  // To the tab of GPUs by keys alone.
  const label = (await widget(page, 'tab/fit', '#one')).label;
  for (let i = 0; i < 12 && (await focusedLabel(page, '#one')) !== label; i += 1) {
    await page.keyboard.press(i < 4 ? 'ArrowUp' : i % 2 ? 'ArrowRight' : 'ArrowLeft');
    await still(page, '#one');
    if (i > 4 && (await focusedLabel(page, '#one')) === label) break;
  }
  assert.equal(await focusedLabel(page, '#one'), label);
  await page.keyboard.press('Enter');
  await still(page, '#one');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await still(page, '#one');
  assert.ok(await focusedLabel(page, '#one'));
  await page.keyboard.press('Tab');
  assert.equal(await active(page), 'between');
  await still(page, '#one');
  assert.equal(await focusedLabel(page, '#one'), '', 'and says nothing once it is left');
});

pageTest('keys that mean nothing to the canvas are the page\'s', async ({ page, origin }) => {
  await both(page, origin);
  await page.evaluate(() => {
    window.keys = [];
    window.addEventListener('keydown', (event) => window.keys.push([event.key, event.defaultPrevented]));
  });
  await clickWidget(page, 'tab/fit', '#one');
  for (const key of ['F3', 'Escape', 'PageDown', 'Home', 'x', '5', 'Control+s', 'Control+a', 'Backspace', 'Alt+ArrowLeft']) await page.keyboard.press(key).catch(() => {});
  const keys = await page.evaluate(() => window.keys);
  assert.deepEqual(keys.filter(([, prevented]) => prevented), []);
  assert.ok(keys.length >= 10);
});

// --- wheel ----------------------------------------------------------------------------------------------------------------

const scrollY = (page) => page.evaluate(() => window.scrollY);

async function wheelScrolls(page, at, when) {
  await page.evaluate(() => window.scrollTo(0, 0));
  const box = await page.locator(at).boundingBox();
  await page.mouse.move(box.x + box.width / 2, Math.min(box.y + box.height / 2, page.viewportSize().height - 50));
  await page.mouse.wheel(0, 120);
  await becomes(async () => (await scrollY(page)) > 60, true, `the page scrolls, ${when}`);
}

pageTest('the wheel over the canvas scrolls the page', async ({ page, origin }) => {
  await both(page, origin);
  await page.evaluate(() => {
    window.prevented = [];
    window.addEventListener('wheel', (event) => window.prevented.push(event.defaultPrevented), { passive: true });
  });
  await wheelScrolls(page, '#one', 'untouched');
  await page.evaluate(() => window.scrollTo(0, 0));
  await clickWidget(page, 'tab/fit', '#one');
  await wheelScrolls(page, '#one', 'after a click');
  assert.ok((await page.evaluate(() => window.prevented)).every((p) => !p));
});

pageTest('an open list takes the wheel, and only while it is open', async ({ page, origin }) => {
  await both(page, origin);
  await clickWidget(page, 'tab/fit', '#one');
  await page.evaluate(() => window.scrollTo(0, 0));
  await clickWidget(page, 'sort', '#one');
  const { cx, cy } = await widget(page, 'option/cost', '#one');
  await page.mouse.move(cx, cy);
  await page.mouse.wheel(0, 200);
  await still(page, '#one');
  assert.equal(await scrollY(page), 0);
  await page.keyboard.press('Escape');
  await still(page, '#one');
  await wheelScrolls(page, '#one', 'once it is closed');
});

pageTest('Ctrl and the wheel zoom the page: never prevented, alone or not', async ({ page, origin }) => {
  const ctrlWheel = (at) => page.locator(at).evaluate((element) => {
    const event = new WheelEvent('wheel', { deltaY: -100, ctrlKey: true, bubbles: true, composed: true, cancelable: true });
    element.shadowRoot.querySelector('canvas').dispatchEvent(event);
    return event.defaultPrevented;
  });
  await both(page, origin);
  assert.equal(await ctrlWheel('#one'), false);
  await clickWidget(page, 'tab/fit', '#one');
  await clickWidget(page, 'sort', '#one');
  assert.equal(await ctrlWheel('#one'), false, 'with a list open');
  await openAlone(page, origin);
  assert.equal(await ctrlWheel('vramfit-canvas'), false);
});

pageTest('on its own page the wheel scrolls what it is over', { viewport: { width: 1280, height: 600 } }, async ({ page, origin }) => {
  await openAlone(page, origin, 'gpus=all&method=worksheet');
  const wheel = async (id, by) => {
    const { cx, cy } = await reach(page, id);
    await page.mouse.move(cx, cy);
    await page.mouse.wheel(0, by);
    await still(page);
  };
  const top = (id) => widget(page, id).then((w) => w.y);
  const before = await top('input/context');
  await wheel('input/context', 150);
  assert.ok((await top('input/context')) < before, 'the inputs');
  await clickWidget(page, 'tab/fit').catch(() => {});
  const rows = () => page.locator('vramfit-canvas').evaluate((e) => e.widgets().filter((w) => w.id.startsWith('gpu/')).map((w) => w.id));
  const first = await rows();
  await wheel(first[1], 300);
  assert.notDeepEqual(await rows(), first, 'the table');
  assert.equal(await scrollY(page), 0);
});

// --- several ----------------------------------------------------------------------------------------------------------------

pageTest('two canvases have nothing in common', async ({ page, origin }) => {
  await both(page, origin);
  const words = async () => Promise.all(['#one', '#two'].map((id) => page.locator(id).evaluate((e) => e.spoken())));
  const [one, two] = await words();
  assert.match(one, /^Llama 3\.1 70B in FP8/);
  assert.match(two, /^Qwen3 8B en BF16/);
  await clickWidget(page, 'tab/fit', '#one');
  await clickWidget(page, 'h200/2', '#one');
  assert.equal(await share(page, '#one'), 'gpu=h200&count=2');
  assert.equal((await words())[1], two);
  assert.equal(await share(page, '#two'), 'model=qwen3-8b&weights=bf16');
  const events = await page.evaluate(() => window.events.filter(([, name]) => name === 'vramfit-share'));
  assert.deepEqual(events, [['one', 'vramfit-share', { share: 'gpu=h200&count=2', finished: true }]]);
  await page.locator('#two').evaluate((e) => { e.lang = 'pt-BR'; e.units = 'GiB'; });
  await becomes(async () => /^Qwen3 8B em BF16: [\d,]+\sGiB/.test((await words())[1]), true);
  assert.match((await words())[0], /^Llama 3\.1 70B in FP8: 84 GB/);
});
