// The documentation's pages in a browser: without scripts, in every language, on a phone, by keyboard, and true about privacy.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { serve } from '../../web/cli/serve.mjs';
import { docsPages } from '../../web/build/docs/pages_html.mjs';
import { dist, field, locales, pageTest, pages, plain, settled, unfold, violations } from './support.mjs';

const addressOf = (origin, lang, { file }) => `${origin}/${pages[lang]}docs/${file}`;
// How far the page reaches beyond its window; less than nothing where room is kept for a scroll bar.
const wider = (page) => page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth));

for (const lang of Object.keys(pages)) {
  // Colours are those of every language.
  for (const colorScheme of lang === 'en' ? ['light', 'dark'] : ['light']) {
    pageTest(`${lang}, ${colorScheme}: accessible, one heading, in its language`, { colorScheme }, async ({ page, origin }) => {
      for (const docsPage of docsPages) {
        await page.goto(addressOf(origin, lang, docsPage));
        await unfold(page);
        assert.deepEqual(await violations(page), [], docsPage.id);
        assert.equal(plain(await page.locator('h1').textContent()), locales[lang].docs[`${docsPage.id}.title`]);
        for (const landmark of ['header', 'main', 'footer']) assert.equal(await page.locator(landmark).count(), 1);
        assert.equal(await wider(page), 0, docsPage.id);
      }
    });
  }

  pageTest(`${lang}: without scripts`, { javaScriptEnabled: false }, async ({ page, origin }) => {
    for (const docsPage of docsPages) {
      await page.goto(addressOf(origin, lang, docsPage));
      assert.ok(await page.locator('main section').first().isVisible(), docsPage.id);
      assert.equal(await page.locator('script:not([type="application/ld+json"])').count(), 0);
    }
  });

  pageTest(`${lang}: 320 pixels wide`, { viewport: { width: 320, height: 700 } }, async ({ page, origin }) => {
    for (const docsPage of docsPages) {
      await page.goto(addressOf(origin, lang, docsPage));
      await unfold(page);
      assert.equal(await wider(page), 0, docsPage.id);
      // Rows become blocks whose cells say what they are.
      const badly = await page.locator('.docs-table td .cell-label').evaluateAll((all) => all.filter((label) => label.getBoundingClientRect().height < 8 || label.scrollWidth > label.clientWidth + 1).map((label) => label.textContent));
      assert.deepEqual(badly, [], `${docsPage.id}: unseen, or across its value`);
    }
  });
}

pageTest('the languages of a page lead to the same page', async ({ page, origin }) => {
  await page.goto(`${origin}/docs/links.html`);
  for (const [lang, name] of [['es', 'Español'], ['pt-BR', 'Português'], ['en', 'English']]) {
    await page.getByRole('link', { name, exact: true }).click();
    await page.waitForURL(addressOf(origin, lang, { file: 'links.html' }));
    assert.equal(await page.locator('.switches [aria-current="page"]').textContent(), name);
  }
});

pageTest('from the calculator to the documentation and back, in its language', async ({ page, origin, open }) => {
  await open('', 'es');
  await page.getByRole('link', { name: locales.es.page['footer.docs'] }).click();
  await page.waitForURL(`${origin}/es/docs/`);
  await page.getByRole('link', { name: locales.es.docs['numbers.title'] }).last().click();
  await page.waitForURL(`${origin}/es/docs/numbers.html`);
  assert.equal(await page.locator('.pages [aria-current="page"]').textContent(), locales.es.docs['numbers.title']);
  await page.locator('.brand a').click();
  await page.waitForURL(`${origin}/es/`);
});

pageTest('an example leads to the calculator with its question', async ({ page, origin }) => {
  await page.goto(`${origin}/docs/links.html`);
  const link = page.locator('#examples tbody tr').nth(1);
  const answer = plain(await link.locator('td > span').last().textContent());
  await link.locator('a').click();
  await page.waitForSelector('html[data-ready]', { state: 'attached' });
  assert.equal(plain(await page.locator('.sentence').textContent()), answer);
});

pageTest('the first key leads past the navigation', async ({ page, origin }) => {
  await page.goto(`${origin}/docs/numbers.html`);
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.className), 'skip');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'content');
});

pageTest('a formula has an address of its own', async ({ page, origin }) => {
  await page.goto(`${origin}/docs/numbers.html#formula-kv-latent`);
  const top = await page.locator('#formula-kv-latent').evaluate((node) => node.getBoundingClientRect().top);
  assert.ok(top >= 0 && top < 100, `${top}`);
});

pageTest('the site works below any path', async ({ page, context, complaints }) => {
  const folder = mkdtempSync(join(tmpdir(), 'vramfit-below-'));
  symlinkSync(dist, join(folder, 'deep'));
  const site = await serve(folder, 0);
  try {
    const missed = [];
    context.on('response', (response) => { if (response.status() >= 400) missed.push(response.url()); });
    await page.goto(`${site.origin}/deep/pt-br/docs/embed.html`);
    assert.notEqual(await page.locator('main').evaluate((node) => getComputedStyle(node).paddingTop), '0px', 'its style is there');
    await page.locator('.brand a').click();
    await page.waitForURL(`${site.origin}/deep/pt-br/`);
    await page.waitForSelector('html[data-ready]', { state: 'attached' });
    await settled(page);
    assert.deepEqual(missed, []);
    // Nothing of it goes on asking.
    await page.goto('about:blank');
  } finally {
    await site.close();
    // All of it is elsewhere, which is what the guard looks for.
    complaints.splice(0);
    rmSync(folder, { recursive: true });
  }
});

pageTest('nothing is kept but the address, as the privacy page says', async ({ page, context, open }) => {
  await open();
  await field(page, 'weights').selectOption('bf16');
  await page.locator('#theme').selectOption('dark');
  await page.locator('#units').selectOption('GiB');
  assert.deepEqual(await context.cookies(), []);
  const kept = await page.evaluate(async () => [localStorage.length, sessionStorage.length, (await indexedDB.databases()).length]);
  assert.deepEqual(kept, [0, 0, 0]);
  assert.match(await page.evaluate(() => window.location.search), /weights=bf16.*theme=dark.*units=GiB/);
});
