// The fit table seen otherwise: sorted, filtered, with what is left announced, by pointer and by keys, in every language.
import assert from 'node:assert/strict';

import { address, becomes, choose, fitTable, locales, pageTest, pages, plain, typeInto, violations } from './support.mjs';

const look = (page, name) => page.locator(`[data-look="${name}"]`);
const names = async (page) => Object.keys(await fitTable(page));
const shown = async (page) => plain(await page.locator('[data-region="fit_shown"]').textContent());
const choices = (page, name) => look(page, name).locator('option').allTextContents();
const sorted = (page) => page.locator('.fit th[aria-sort]').evaluateAll((all) => all.map((th) => [th.textContent, th.getAttribute('aria-sort')]));

pageTest('orders', async ({ page, open }) => {
  await open();
  const byFit = ['H200 SXM', 'B200 180GB', 'L40S 48GB', 'H100 SXM 80GB'];
  assert.deepEqual(await names(page), byFit);
  assert.deepEqual(await choices(page, 'sort'), ['Best fit', 'Most room left', 'Lowest cost per hour', 'Most memory']);
  assert.deepEqual(await sorted(page), []);
  const orders = {
    headroom: [['B200 180GB', 'H100 SXM 80GB', 'H200 SXM', 'L40S 48GB'], ['Smallest that fits', 'descending']],
    cost: [['L40S 48GB', 'H200 SXM', 'B200 180GB', 'H100 SXM 80GB'], ['Smallest that fits', 'ascending']],
    memory: [['B200 180GB', 'H200 SXM', 'H100 SXM 80GB', 'L40S 48GB'], ['Memory', 'descending']],
  };
  for (const [sort, [order, head]] of Object.entries(orders)) {
    await look(page, 'sort').selectOption(sort);
    assert.deepEqual(await names(page), order, sort);
    assert.deepEqual(await sorted(page), [head]);
  }
  await look(page, 'sort').selectOption('fit');
  assert.deepEqual(await names(page), byFit);
  assert.equal(await address(page), '', 'a view of the table is no part of the link');
});

pageTest('each filter keeps what it says', async ({ page, open }) => {
  await open('gpus=all&model=mistral-small-3.2-24b&weights=bf16');
  const total = Number((await shown(page)).match(/of (\d+) cards/)[1]);
  assert.equal(await shown(page), `${total} of ${total} cards`);
  assert.deepEqual(await choices(page, 'vendor'), ['Any', 'AMD', 'Apple', 'Intel', 'NVIDIA']);
  const rows = () => page.locator('.fit tbody tr').evaluateAll((all) => all.map((tr) => [tr.cells[0].textContent, tr.cells[1].lastChild.textContent, tr.dataset.fit]));
  const each = {
    vendor: ['amd', ([name]) => /Instinct|Radeon/.test(name)],
    kind: ['superchip', ([name]) => /superchip/.test(name)],
    memory: ['141', ([, memory]) => parseInt(memory, 10) >= 141],
    verdict: ['fits', ([, , fit]) => fit === 'fits'],
  };
  for (const [name, [choice, belongs]] of Object.entries(each)) {
    await look(page, name).selectOption(choice);
    const left = await rows();
    assert.ok(left.length > 0 && left.length < total, name);
    assert.deepEqual(left.filter((row) => !belongs(row)), [], name);
    assert.equal(await shown(page), `${left.length} of ${total} cards`);
    await page.locator('#unfilter').click();
    assert.equal(await look(page, name).inputValue(), '');
    assert.equal(await shown(page), `${total} of ${total} cards`);
  }
});

pageTest('fits, or fits or tight', async ({ page, open }) => {
  const verdicts = () => page.locator('.fit tbody tr').evaluateAll((all) => [...new Set(all.map((tr) => tr.dataset.fit))]);
  await open('gpus=all&model=mimo-v2-flash');
  assert.deepEqual(await choices(page, 'verdict'), ['Any', 'Fits', 'Fits or tight']);
  assert.deepEqual(await verdicts(), ['fits', 'tight', 'none']);
  await look(page, 'verdict').selectOption('tight');
  assert.deepEqual(await verdicts(), ['fits', 'tight']);
  await look(page, 'verdict').selectOption('fits');
  assert.deepEqual(await verdicts(), ['fits']);
});

pageTest('only what makes a difference is offered', async ({ page, open }) => {
  await open();
  assert.equal(await look(page, 'vendor').count(), 0, 'one vendor');
  assert.equal(await look(page, 'verdict').count(), 0, 'all fit');
  assert.deepEqual(await choices(page, 'memory'), ['Any', '80 GB or more', '141 GB or more', '180 GB or more']);
  await open('gpus=h200');
  assert.equal(await page.locator('[data-look]').count(), 0, 'one row needs no order');
  assert.equal(await shown(page), '');
});

pageTest('the view outlives edits, links do not carry it, and nothing left says so', async ({ page, open }) => {
  await open('gpus=all');
  await look(page, 'vendor').selectOption('apple');
  await look(page, 'sort').selectOption('memory');
  await typeInto(page, 'context', '32k');
  await choose(page, 'weights', 'int4');
  assert.equal(await look(page, 'vendor').inputValue(), 'apple');
  assert.ok((await names(page)).every((name) => /^(Apple )?M\d/.test(name)));
  await choose(page, 'gpus', 'article');
  assert.deepEqual(await names(page), []);
  assert.equal(await shown(page), '0 of 4 cards');
  assert.equal(plain(await page.locator('[data-region="fit"]').textContent()), 'No card passes these filters.');
  assert.deepEqual(await choices(page, 'vendor'), ['Any', 'Apple'], 'what is in force can be seen');
  assert.deepEqual(await violations(page), []);
  assert.equal(await address(page), '?weights=int4&context=32768');
  await page.locator('#unfilter').click();
  assert.equal((await names(page)).length, 4);
  assert.equal(await look(page, 'sort').inputValue(), 'memory', 'the order stays');
  assert.ok(await page.locator('#unfilter').isHidden());
  assert.equal(await page.evaluate(() => document.activeElement.dataset.look), 'sort', 'the focus is not lost with the button');
});

pageTest('a long table still folds what does not hold it, in the same order', async ({ page, open }) => {
  await open('gpus=all');
  await look(page, 'sort').selectOption('memory');
  const folded = await page.locator('details[data-key="unfit"] .fit tbody tr').evaluateAll((all) => all.map((tr) => parseInt(tr.cells[1].lastChild.textContent, 10)));
  assert.ok(folded.length > 5);
  assert.deepEqual(folded, [...folded].sort((a, b) => b - a));
});

pageTest('by keys: the control keeps the focus, the count is announced in the same place', async ({ page, open }) => {
  await open('gpus=all');
  const region = page.locator('[data-region="fit_shown"]');
  assert.equal(await region.getAttribute('role'), 'status');
  await region.evaluate((node) => { node.dataset.mark = '1'; });
  await look(page, 'vendor').focus();
  await look(page, 'vendor').evaluate((node) => { node.dataset.mark = '1'; });
  await page.keyboard.press('ArrowDown');
  await becomes(() => look(page, 'vendor').inputValue(), 'amd');
  assert.equal(await shown(page), '12 of 134 cards');
  assert.equal(await region.getAttribute('data-mark'), '1');
  assert.deepEqual(await page.evaluate(() => [document.activeElement.dataset.look, document.activeElement.dataset.mark]), ['vendor', '1'], 'the very control');
  await page.locator('#unfilter').focus();
  await page.keyboard.press('Enter');
  assert.equal(await shown(page), '134 of 134 cards');
});

pageTest('every excluded count says why, by name and by title', async ({ page, open }) => {
  await open('gpus=h200,rtx-4090,gb10&method=worksheet');
  const excluded = await page.locator('.chip[aria-disabled]').evaluateAll((all) => all.map((chip) => [chip.getAttribute('aria-label'), chip.title]));
  assert.ok(excluded.length > 8);
  for (const [label, title] of excluded) {
    assert.match(label, /^\dx .+: not usable, (64 attention heads do not divide by \d|at most \d per host|one per host)$/);
    assert.equal(title, label);
  }
  assert.match(plain(await page.locator('.legends').textContent()), /not usable: 64 attention heads do not divide by 3, 5, 6, or 7/, 'the legend too');
});

for (const lang of Object.keys(pages)) {
  pageTest(`${lang}: labels, choices and counts in the page's language, on a phone without scrolling`, { viewport: { width: 360, height: 740 } }, async ({ page, open }) => {
    await open('gpus=all', lang);
    const fit = locales[lang].page;
    const labels = await page.locator('.fit-view label > span').allTextContents();
    assert.deepEqual(labels, [fit['fit.sort'], fit['fit.vendor'], fit['fit.kind'], fit['fit.memory'], fit['fit.verdict']]);
    assert.deepEqual((await choices(page, 'vendor'))[0], fit['fit.any']);
    await look(page, 'vendor').selectOption('amd');
    assert.equal(await shown(page), plain(fit['fit.shown'].other.replace('{shown}', '12').replace('{count}', '134')));
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth), false);
    await page.locator('.chip[aria-disabled]').nth(3).focus();
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth), false, 'nor does a reason stick out');
    assert.deepEqual(await violations(page), []);
  });
}
