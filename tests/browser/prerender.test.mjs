// The default answer stands in the HTML itself, and is the one the live page shows.
import assert from 'node:assert/strict';

import { compartments, open as openPage, pageTest, pages, plain, ready, sentence } from './support.mjs';

const expected = {
  en: "Llama 3.1 70B in FP8: 84 GB by the rule; of the article's cards, 1x H200",
  es: 'Llama 3.1 70B en FP8: 84 GB según la regla; de las tarjetas del artículo, 1x H200',
  'pt-BR': 'Llama 3.1 70B em FP8: 84 GB pela regra; das placas do artigo, 1x H200',
};

// Every text that depends on the result, and what the controls hold.
const shown = (page) => page.evaluate(() => ({
  regions: Object.fromEntries([...document.querySelectorAll('[data-region]')].map((r) => [r.dataset.region, [r.closest('[hidden]') !== null, r.innerHTML]])),
  form: [...document.querySelectorAll('#form [name], #form [data-own]')].map((c) => [c.name || c.dataset.own, c.value, c.closest('[hidden]') !== null]),
  labels: [...document.querySelectorAll('#form label, #form .hint, #form option, h1, h2:not(#log h2), button')].map((n) => n.textContent),
  title: document.title,
  lang: document.documentElement.lang,
}));

for (const lang of Object.keys(pages)) {
  pageTest(`${lang}: the answer is there without scripts`, { javaScriptEnabled: false }, async ({ page, origin }) => {
    await page.goto(`${origin}/${pages[lang]}`);
    assert.equal(plain(await page.locator('.sentence').textContent()), expected[lang]);
    assert.ok(await page.locator('.sentence').isVisible());
    assert.equal(await page.locator('.fit tbody tr').count(), 4);
    assert.equal(await page.locator('.compartments tbody').count(), 2);
    for (const place of ['#answer', '#canvas']) assert.ok(await page.locator(`${place} noscript p`).isVisible(), 'says why nothing can be changed');
    assert.ok(await page.locator('#copy').isHidden(), 'no button that cannot work');
  });

  pageTest(`${lang}: the live page shows what the HTML shows`, async ({ page, context, origin }) => {
    await openPage(page, '', lang);
    const live = await shown(page);
    const still = await context.newPage();
    await still.route('**/*.{js,mjs}', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
    await still.goto(`${origin}/${pages[lang]}`);
    const written = await shown(still);
    assert.deepEqual(written, live);
    assert.equal(await sentence(page), expected[lang]);
    assert.ok((await compartments(page)).length >= 3);
  });

  pageTest(`${lang}: the default page does not move while it loads`, async ({ page, origin }) => {
    await page.addInitScript(() => {
      window.shift = 0;
      new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.shift += entry.value; }).observe({ type: 'layout-shift', buffered: true });
    });
    await openPage(page, '', lang, `${origin}/`);
    assert.ok((await page.evaluate(() => window.shift)) < 0.01);
  });
}

pageTest('another configuration does not show the default answer first', async ({ page, origin }) => {
  // The module is held back until the first paint has been looked at.
  let release;
  const held = new Promise((go) => { release = go; });
  await page.route('**/vramfit-core.wasm', async (route) => { await held; await route.continue(); });
  await page.goto(`${origin}/?weights=bf16`, { waitUntil: 'commit' });
  await page.locator('.sentence').waitFor({ state: 'attached' });
  assert.ok(await page.locator('.sentence').isHidden());
  release();
  await ready(page);
  assert.ok(await page.locator('.sentence').isVisible());
  assert.match(await sentence(page), /^Llama 3\.1 70B in BF16/);
});
