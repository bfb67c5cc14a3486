// Without a pointer: every control is reached by Tab, shows that it has the focus, and does its work by keys.
import assert from 'node:assert/strict';

import { shippedModule } from '../web/support.mjs';
import { becomesReady } from './canvas_support.mjs';
import { address, becomes, drawn, pageTest, ready, settled, unfold } from './support.mjs';

const fields = JSON.parse((await shippedModule()).catalog()).fields;

// What can be operated now, each by a selector that finds it again. A list's opener is for the pointer: its field opens it by keys.
// Counts that cannot be chosen are reached by arrow keys.
const controls = (page) => page.evaluate(() => {
  const selector = (e) => {
    if (e.id) return `#${CSS.escape(e.id)}`;
    if (e.dataset.key) return `[data-key="${e.dataset.key}"]`;
    if (e.dataset.lang) return `[data-lang="${e.dataset.lang}"]`;
    if (e.tagName === 'SUMMARY') return `${e.parentElement.id ? `#${e.parentElement.id}` : `details[data-key="${e.parentElement.dataset.key}"]`} > summary`;
    if (e.tagName === 'VRAMFIT-CANVAS') return 'vramfit-canvas';
    return e.className ? `${e.tagName.toLowerCase()}.${e.className}` : e.outerHTML;
  };
  window.selectorOf = selector;
  return [...document.querySelectorAll('a[href], button, input, textarea, select, summary, vramfit-canvas, [tabindex="0"]')]
    .filter((e) => !e.matches('.combobox .open, [aria-disabled]') && !e.disabled && e.checkVisibility({ visibilityProperty: true }))
    .map(selector);
});

const states = ['', 'gpus=all&method=worksheet', 'model=nope', 'task=full&method=worksheet', 'task=qlora'];

for (const state of states) {
  pageTest(`Tab reaches everything, visibly: ${state || 'default'}`, async ({ page, open }) => {
    await open(state);
    await unfold(page);
    if (state !== 'model=nope') for (const late of ['#catalog-sources h4', '#log-text']) await page.waitForSelector(late);
    // The canvas is a stop of its own once it is there.
    await page.evaluate(() => document.getElementById('canvas').scrollIntoView());
    await becomesReady(page);
    await page.evaluate(() => window.scrollTo(0, 0));
    const expected = await controls(page);
    assert.ok(expected.length > 15);
    const reached = [];
    for (let i = 0; i < expected.length; i += 1) {
      await page.keyboard.press('Tab');
      const [name, outlined, inView] = await page.evaluate(() => {
        const e = document.activeElement;
        const style = getComputedStyle(e.shadowRoot?.activeElement ?? e);
        const box = e.getBoundingClientRect();
        const shown = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2 && style.outlineColor !== getComputedStyle(document.documentElement).backgroundColor;
        return [window.selectorOf(e), shown, box.bottom > 0 && box.top < window.innerHeight && box.right > 0 && box.left < window.innerWidth];
      });
      reached.push(name);
      assert.ok(outlined, `${name}: focus is not visible`);
      assert.ok(inView, `${name}: focused out of view`);
    }
    assert.deepEqual(reached, expected, 'in the order of the page');
    await page.keyboard.press('Shift+Tab');
    assert.equal(await page.evaluate(() => window.selectorOf(document.activeElement)), expected.at(-2));
  });
}

pageTest('the skip link leads to the answer', async ({ page, open }) => {
  await open();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'answer');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'copy');
});

// As a step through the history does, which is quicker than loading the page anew.
async function goTo(page, share) {
  await page.evaluate((query) => {
    window.history.replaceState(null, '', window.location.pathname + (query && `?${query}`));
    window.dispatchEvent(new PopStateEvent('popstate'));
    document.getElementById('copied').textContent = '';
  }, share);
  await drawn(page);
  await settled(page);
}

// Values that differ from every default.
const typed = { params: '13b', context: '9000', headroom: '12.5', batched_tokens: '2048', count: '2' };
// For each state, the fields it shows that no other does are what it is there for.
const forms = ['', 'method=worksheet&weights=int4-awq', 'task=full&method=worksheet', 'task=qlora', 'model=&params=7b'];

// An engine's knobs are made as these are; engine.test.mjs has theirs.
pageTest('every field of the form does its work by keys', async ({ page, open }) => {
  const operated = new Set();
  for (const state of forms) {
    await open(state);
    await unfold(page);
    for (const field of fields) {
      if (operated.has(field.key)) continue;
      await goTo(page, state);
      const control = page.locator(`#form [name="${field.key}"]`);
      if (!(await control.isVisible())) continue;
      const before = await address(page);
      await control.focus();
      if ((await control.getAttribute('role')) === 'combobox') {
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Enter');
      } else if (field.kind === 'choice' || field.kind === 'gpu-list') {
        const at = await control.evaluate((s) => s.selectedIndex);
        await page.keyboard.press(at === 0 ? 'ArrowDown' : 'ArrowUp');
      } else {
        await page.keyboard.press('ControlOrMeta+a');
        await page.keyboard.type(typed[field.key] ?? '3');
        await page.keyboard.press('Enter');
      }
      const was = new URLSearchParams(before).get(field.key);
      await becomes(async () => new URLSearchParams(await address(page)).get(field.key) !== was, true, `${field.key}: nothing happened`);
      operated.add(field.key);
    }
  }
  assert.deepEqual([...operated].sort(), fields.filter((f) => f.group !== 'engine' && f.kind !== 'text').map((f) => f.key).sort(), 'every field of the table');
});

pageTest('every button, fold and switch does its work by keys', { permissions: ['clipboard-write'] }, async ({ page, open }) => {
  await open('weights=bf16');
  await unfold(page);
  const all = (await controls(page)).filter((name) => /^#(copy|reset|theme|units)$|summary$|^\[data-key="(?!look)/.test(name));  // fit_view.test.mjs does the table's own
  assert.ok(all.length > 25, `${all.length}`);
  for (const name of all) {
    await goTo(page, 'weights=bf16');
    const control = page.locator(name);
    const look = () => control.evaluate((e) => [window.location.search, document.getElementById('copied').textContent, e.parentElement.open ?? null].join(' '));
    await control.focus();
    const before = await look();
    const chosen = (await control.getAttribute('aria-pressed')) === 'true' && !/\[data-key="[\w-]+\/\d"\]/.test(name);
    await page.keyboard.press(/theme|units/.test(name) ? 'ArrowDown' : /summary$/.test(name) ? 'Space' : 'Enter');
    await becomes(async () => (await look()) === before, chosen, name);
  }
});

pageTest('arrow keys go from count to count, and an excluded one says why', async ({ page, open }) => {
  await open();
  await page.locator('[data-key="h200/2"]').focus();
  const focused = () => page.evaluate(() => [document.activeElement.dataset.key, document.activeElement.getAttribute('aria-label'), getComputedStyle(document.activeElement, '::after').content]);
  const words = '3x H200: not usable, 64 attention heads do not divide by 3';
  await page.keyboard.press('ArrowRight');
  const [key, label, shown] = await focused();
  assert.deepEqual([key, label], ['h200/3', words]);
  assert.ok(shown.includes(words), 'it can be read without a screen reader');
  const before = await address(page);
  await page.keyboard.press('Enter');
  assert.equal(await address(page), before, 'and does nothing');
  await page.keyboard.press('ArrowRight');
  assert.equal((await focused())[0], 'h200/4');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  assert.equal((await focused())[0], 'h200/1');
  await page.keyboard.press('ArrowLeft');
  assert.equal((await focused())[0], 'h200/1', 'the row ends');
});

pageTest('a language is chosen by keys', async ({ page, open }) => {
  await open('weights=bf16');
  await page.locator('[data-lang="es"]').focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/es\/\?weights=bf16$/);
  await ready(page);
  await becomes(() => page.evaluate(() => document.documentElement.lang), 'es');
});
