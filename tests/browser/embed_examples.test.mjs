// The example articles: in three languages, on the desk, on a telephone and in the dark, every widget answers.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { readPriceList } from '../../web/price_list.mjs';
import { shippedCalculator } from '../web/support.mjs';
import { fits, inFrame } from './embed_support.mjs';
import { becomes, dist, locales, pages, pageTest, plain, violations } from './support.mjs';

const files = { en: 'en.html', es: 'es.html', 'pt-BR': 'pt-br.html' };
const looks = { desk: {}, telephone: { viewport: { width: 320, height: 640 }, hasTouch: true }, dark: { colorScheme: 'dark' } };

async function openExample(page, origin, lang) {
  await page.goto(`${origin}/examples/${files[lang]}`);
  await page.locator('iframe').scrollIntoViewIfNeeded();  // it loads then
  await becomes(() => page.evaluate(() => [...document.querySelectorAll('vram-fit')].map((element) => element.state)), ['ready', 'ready', 'ready']);
  return inFrame(page);
}

for (const lang of Object.keys(files)) {
  for (const [look, options] of Object.entries(looks)) {
    pageTest(`${lang}, ${look}: every widget answers in the language, nothing sticks out`, options, async ({ page, origin }) => {
      const content = await openExample(page, origin, lang);
      await fits(page);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), true, 'nothing to scroll sideways');
      assert.equal(await content.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), true);
      const sentences = (await Promise.all([page, content].map((where) => where.locator('vram-fit .sentence').allTextContents()))).flat().map(plain);
      assert.equal(sentences.length, 4);
      const rule = locales[lang].answer['need.rule'].replace('{need}', '').trim();
      for (const sentence of sentences.slice(0, 3)) assert.ok(sentence.includes(rule), sentence);
      assert.deepEqual(await page.locator('vram-fit [data-region="notices"] li').allTextContents(), [], 'nothing to complain about');
      assert.deepEqual(await violations(page), []);
      assert.equal(await content.evaluate(() => document.documentElement.lang), lang);
    });
  }

  pageTest(`${lang}: the last widget goes by the provider's own prices, and all links lead to this language's page`, async ({ page, origin }) => {
    const content = await openExample(page, origin, lang);
    const last = page.locator('vram-fit').last();
    const list = JSON.parse(readFileSync(join(dist, 'examples', 'prices.json'), 'utf8'));
    assert.match(plain(await last.locator('[data-region="best"]').textContent()), new RegExp(list.provider));
    const prices = await last.evaluate((element) => element.result.fit.map(({ gpu, price }) => ({ gpu, usd_per_gpu_hour: price.usd_per_gpu_hour, provider: price.provider })));
    assert.equal(prices.length, 4);
    for (const { gpu, usd_per_gpu_hour: usd, provider } of prices) assert.deepEqual([gpu, usd, provider], [gpu, list.prices.find((row) => row.gpu === gpu).usd_per_gpu_hour, list.provider]);
    const links = [...await page.locator('vram-fit').evaluateAll((all) => all.flatMap((e) => [...e.shadowRoot.querySelectorAll('a[href]')].map((a) => a.href))), ...await page.locator('vram-fit > a, footer a').evaluateAll((all) => all.map((a) => a.href))];
    assert.ok(links.length >= 7);
    for (const link of links) assert.equal(new URL(link).pathname, `/${pages[lang]}`);
    const [framed] = await content.locator('vram-fit a[href]').evaluateAll((all) => all.map((a) => a.href));
    assert.equal(new URL(framed).searchParams.get('lang'), lang);
  });

  pageTest(`${lang}: without scripts every widget is a link to its own answer`, { javaScriptEnabled: false }, async ({ page, origin }) => {
    await page.goto(`${origin}/examples/${files[lang]}`);
    const links = await page.locator('vram-fit > a:visible').evaluateAll((all) => all.map((a) => a.href));
    assert.equal(links.length, 3);
    for (const link of links) assert.match(link, new RegExp(`^${origin}/${pages[lang]}\\?model=`));
  });
}

pageTest('by keyboard: every link of the widgets and of the frame is reached in the article\'s order', async ({ page, origin }) => {
  await openExample(page, origin, 'en');
  await fits(page);
  await page.locator('header').click();
  const passed = [];
  for (let i = 0; i < 12; i += 1) {
    await page.keyboard.press('Tab');
    passed.push(await page.evaluate(() => document.activeElement.localName));
  }
  const widgets = passed.filter((name, at) => ['vram-fit', 'iframe'].includes(name) && name !== passed[at - 1]);
  assert.deepEqual(widgets.filter((name, at) => name !== widgets[at - 1]), ['vram-fit', 'iframe', 'vram-fit'], passed.join(' '));
  assert.equal(passed.filter((name) => name === 'vram-fit').length, 3);
});

pageTest('the language links lead to each other', async ({ page, origin }) => {
  await openExample(page, origin, 'en');
  await page.locator('header a[hreflang="es"]').click();
  await page.waitForURL('**/examples/es.html');
  assert.equal(await page.locator('h1').textContent(), locales.es.example.title);
  assert.equal(await page.locator('header a[aria-current]').getAttribute('lang'), 'es');
});

pageTest('the example\'s price list is one without a fault', async () => {
  const { prices, problems } = readPriceList(JSON.parse(readFileSync(join(dist, 'examples', 'prices.json'), 'utf8')), (await shippedCalculator()).catalog());
  assert.deepEqual(problems, []);
  assert.ok(prices.rows.length >= 5);
});
