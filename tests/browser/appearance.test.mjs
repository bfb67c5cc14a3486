// Theme and units: the page's own keys, by control, by link and by what the system prefers.
import assert from 'node:assert/strict';

import { address, compartments, drawn, pageTest, ready, sentence } from './support.mjs';

const surface = (page) => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
const light = 'rgb(251, 251, 249)';
const dark = 'rgb(21, 24, 26)';

pageTest('the theme control', async ({ page, open }) => {
  await open();
  assert.equal(await surface(page), light);
  await page.locator('#theme').selectOption('dark');
  assert.equal(await surface(page), dark);
  assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme), 'dark');
  assert.equal(await address(page), '?theme=dark');
  await page.reload();
  await ready(page);
  assert.equal(await surface(page), dark);
  assert.equal(await page.locator('#theme').inputValue(), 'dark');
  await page.locator('#theme').selectOption('auto');
  assert.equal(await surface(page), light);
  assert.equal(await address(page), '');
});

pageTest('the system\'s preference, and a link that overrules it', { colorScheme: 'dark' }, async ({ page, open }) => {
  await open();
  assert.equal(await surface(page), dark);
  await open('theme=light');
  assert.equal(await surface(page), light);
});

pageTest('a link\'s theme is there at the first paint', async ({ page, origin }) => {
  await page.route('**/app.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
  await page.goto(`${origin}/?theme=dark`);
  assert.equal(await surface(page), dark);
  assert.equal(await page.evaluate(() => 'pending' in document.documentElement.dataset), false, 'the default answer may be shown');
});

pageTest('units', async ({ page, open }) => {
  await open();
  await page.locator('#units').selectOption('GiB');
  await drawn(page);
  assert.match(await sentence(page), /78\.2 GiB by the rule/);
  assert.deepEqual((await compartments(page)).at(-1), ['Total', '78.2 GiB']);
  assert.equal(await address(page), '?units=GiB');
  await page.locator('#units').selectOption('GB');
  await page.locator('[data-set="method"][data-value="worksheet"]').click();
  assert.match(await sentence(page), /84\.6 GB by the worksheet/);
  await page.locator('#units').selectOption('auto');
  await drawn(page);
  assert.match(await sentence(page), /78\.8 GiB by the worksheet/);
  assert.equal(await address(page), '?method=worksheet');
});

pageTest('compartments keep apart in both themes and in print', async ({ page, open }) => {
  await open('method=worksheet');
  const fills = () => page.locator('.bar rect:not(.track)').evaluateAll((rects) => rects.map((r) => getComputedStyle(r).fill));
  for (const theme of ['light', 'dark']) {
    await page.locator('#theme').selectOption(theme);
    const colours = await fills();
    assert.equal(colours.length, 5);
    assert.equal(new Set(colours).size, colours.length, theme);
  }
  await page.emulateMedia({ media: 'print' });
  assert.equal(await surface(page), 'rgb(255, 255, 255)', 'paper is white');
  assert.ok(await page.locator('#form .folds').isHidden());
  assert.ok(await page.locator('.sentence').isVisible());
});
