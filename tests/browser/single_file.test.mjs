// vramfit.html, the page as one file: from a disk, without a network, with everything in it.
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { becomesReady, cssColour, picture, spoken } from './canvas_support.mjs';
import { address, becomes, choose, compartments, dist, fieldError, fitTable, locales, notices, pageTest, plain, ready, sentence, settled, typeInto, unfold, value, violations } from './support.mjs';

const name = 'vramfit.html';
const inFile = { file: name, locale: 'en-US' };

async function openFile(page, at, behind = '') {
  if (page.url().startsWith(at)) await page.goto('about:blank');
  await page.goto(at + behind);
  await ready(page);
  await settled(page);
}

const toCanvas = (page) => page.evaluate(() => document.getElementById('canvas').scrollIntoView());

pageTest('it asks for nothing, answers, and draws', inFile, async ({ page, context, site, complaints }) => {
  const asked = [];
  context.on('request', (request) => { if (!request.url().startsWith('data:')) asked.push(request.url()); });
  await openFile(page, site.at);
  assert.match(await sentence(page), /^Llama 3.1 70B in FP8: 84 GB/);
  await typeInto(page, 'context', '32k');
  await unfold(page);
  await choose(page, 'method', 'worksheet');
  assert.equal((await compartments(page)).at(-1)[0], locales.en.page.total);
  assert.equal(Object.keys(await fitTable(page)).length > 3, true);
  await settled(page);
  assert.ok(await page.locator('#limits table').count() > 0);

  await page.waitForSelector('#catalog-sources h4');
  await toCanvas(page);
  await becomesReady(page);
  const drawn = await picture(page);
  assert.ok(drawn.colours.size > 100);
  for (const colour of ['surface', 'ink', 'c-weights', 'c-kv_cache']) assert.ok(drawn.colours.get(await cssColour(page, `--${colour}`)) > 100, colour);

  assert.deepEqual(asked, [site.at], 'it asked for something');
  assert.deepEqual(complaints, []);
  assert.equal(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations().catch(() => [])).length), 0);
  assert.equal(await page.locator('link[rel="manifest"], link[rel="stylesheet"], script[src]').count(), 0);
  assert.deepEqual(await violations(page), []);
});

pageTest('a link is read behind # and behind ?, and written behind #', inFile, async ({ page, site }) => {
  await openFile(page, site.at, '#model=qwen3-32b&weights=int8&theme=dark&units=GiB');
  assert.deepEqual([await value(page, 'model'), await value(page, 'weights')], ['Qwen3 32B', 'int8']);
  assert.equal(await page.getAttribute('html', 'data-theme'), 'dark');
  assert.equal(await page.locator('#units').inputValue(), 'GiB');

  await page.goto('about:blank');
  await page.goto(`${site.at}?model=qwen3-8b&context=8192`);
  await page.waitForURL(/#model=qwen3-8b/);
  await ready(page);
  assert.equal(await value(page, 'model'), 'Qwen3 8B');
  assert.equal(await address(page), '#model=qwen3-8b&context=8192');
  await choose(page, 'weights', 'int8');
  assert.equal(await address(page), '#model=qwen3-8b&weights=int8&context=8192');
  await page.reload();
  await ready(page);
  assert.equal(await value(page, 'weights'), 'int8');
  await choose(page, 'weights', 'bf16');
  await page.goBack();
  await becomes(() => value(page, 'weights'), 'int8');
  await page.goForward();
  await becomes(() => value(page, 'weights'), 'bf16');
  await page.locator('#reset').click();
  await becomes(() => address(page), '');
  await page.evaluate(() => { window.location.hash = 'weights=no-such'; });
  await becomes(async () => /no-such/.test(await fieldError(page, 'weights')), true);
  await page.evaluate(() => { window.location.hash = 'model=qwen3-8b&model=qwen3-32b'; });
  await becomes(() => address(page), '#model=qwen3-8b');
  await settled(page);
  assert.match((await notices(page)).join(), /more than once/);
});

pageTest('links within the page leave the configuration where it is', inFile, async ({ page, site }) => {
  await openFile(page, site.at, '#model=qwen3-32b');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'answer');
  assert.equal(await address(page), '#model=qwen3-32b');
  await page.locator('.actions a[href="#canvas"]').click();
  await becomesReady(page);
  assert.equal(await address(page), '#model=qwen3-32b');
});

pageTest('it exports what it answers', { ...inFile, acceptDownloads: true }, async ({ page, site }) => {
  await openFile(page, site.at, '#model=qwen3-32b&weights=int8');
  await page.locator('#panel').click();
  const panel = page.locator('dialog.share-panel');
  await panel.waitFor();
  assert.equal(await panel.locator('h2').textContent(), locales.en.share.title);
  assert.equal(await panel.locator('#share-link').inputValue(), `${site.at}#model=qwen3-32b&weights=int8`);
  assert.equal(await panel.evaluate((dialog) => getComputedStyle(dialog.querySelector('.share-head')).display), 'flex', 'the panel has its style');
  assert.equal(await panel.locator('section').count(), 2, 'the link and the files, and no code to embed a page of the disk');
  for (const [extension, starts] of [['svg', '<svg'], ['png', '\x89PNG'], ['csv', ''], ['json', '{'], ['md', '']]) {
    const [download] = await Promise.all([page.waitForEvent('download'), panel.locator(`[data-file="${extension}"]`).click()]);
    const bytes = readFileSync(await download.path());
    assert.ok(bytes.length > 300 && bytes.toString('latin1').startsWith(starts), extension);
  }
});

for (const [lang, locale] of [['en', 'de-DE'], ['es', 'es-MX'], ['pt-BR', 'pt-PT']]) {
  pageTest(`a browser of ${locale} reads it in ${lang}, and can choose another language`, { file: name, locale }, async ({ page, site }) => {
    await openFile(page, site.at);
    assert.equal(await page.title(), locales[lang].page.title);
    assert.equal(await page.getAttribute('html', 'lang'), lang);
    assert.equal(await page.locator('#reset').textContent(), locales[lang].page.reset);
    assert.equal(await page.locator('nav [aria-current]').getAttribute('data-lang'), lang);
    for (const other of ['es', 'pt-BR', 'en'].filter((l) => l !== lang)) {
      await page.locator(`a[data-lang="${other}"]`).click();
      await becomes(() => page.title(), locales[other].page.title);
      await settled(page);
      await toCanvas(page);
      await becomesReady(page);
      await becomes(async () => (await spoken(page)).includes(locales[other].field.weights), true);
      assert.match(await address(page), new RegExp(`lang=${other}`));
    }
    await openFile(page, site.at, '#lang=es&weights=int8');
    assert.equal(plain(await page.locator('#copy').textContent()), locales.es.page.link);
  });
}

pageTest('it shows its own page of nothing else: no link leads beside it', inFile, async ({ page, site }) => {
  await openFile(page, site.at);
  const links = await page.locator('a[href]:visible').evaluateAll((found) => found.map((a) => a.getAttribute('href')));
  assert.deepEqual(links.filter((href) => !/^(#|https:)/.test(href)), []);
});

pageTest('served by a host it works as it does from a disk', async ({ page, context, origin }) => {
  const asked = [];
  context.on('request', (request) => { if (!request.url().startsWith('data:')) asked.push(request.url()); });
  await openFile(page, `${origin}/${name}`, '#model=qwen3-32b');
  assert.equal(await value(page, 'model'), 'Qwen3 32B');
  assert.deepEqual(asked, [`${origin}/${name}`]);
});

pageTest('where there is no JavaScript it says so beside the default answer', { ...inFile, javaScriptEnabled: false }, async ({ page, site }) => {
  await page.goto(site.at);
  assert.match(plain(await page.locator('.sentence').textContent()), /84 GB/);
  assert.equal(await page.locator('noscript').first().isVisible(), true);
});

pageTest('the page offers it, and it is no larger than it need be', async ({ page, open }) => {
  assert.ok(statSync(join(dist, name)).size < 1e6);
  assert.match(readFileSync(join(dist, name), 'utf8'), /SIL OPEN FONT LICENSE/i);
  await open('', 'es');
  const link = page.locator('footer a[download]');
  assert.equal(await link.textContent(), locales.es.page['footer.file']);
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
  assert.ok(readFileSync(await download.path()).equals(readFileSync(join(dist, name))));
});
