// The language follows the link, then the page, then the browser; figures follow the region.
import assert from 'node:assert/strict';

import { openCanvas, spoken } from './canvas_support.mjs';
import { address, becomes, choose, fitTable, locales, notices, pageTest, plain, ready, sentence, settled, typeInto, value } from './support.mjs';

const lang = (page) => page.evaluate(() => document.documentElement.lang);
const root = async (page, origin, query = '') => {
  await page.goto(`${origin}/${query}`);
  await ready(page);
  await settled(page);
};

// The browser's language, what the root page speaks, the sentence's beginning, and a price as its region writes it.
for (const [locale, spokenThere, begins, price] of [
  ['es-MX', 'es', /^Llama 3\.1 70B en FP8: 84 GB según la regla/, 'USD 5.40'],
  ['es-ES', 'es', /^Llama 3\.1 70B en FP8/, '5,40 US$'],
  ['es-AR', 'es', /^Llama 3\.1 70B en FP8/, 'US$ 5,40'],
  ['pt-PT', 'pt-BR', /^Llama 3\.1 70B em FP8: 84 GB pela regra/, '5,40 US$'],
  ['en-GB', 'en', /^Llama 3\.1 70B in FP8: 84 GB by the rule/, 'US$5.40'],
  ['fr-FR', 'en', /^Llama 3\.1 70B in FP8/, '$5.40'],
]) {
  pageTest(`a browser in ${locale}: the root page speaks ${spokenThere}`, { locale }, async ({ page, origin }) => {
    await root(page, origin);
    assert.equal(await lang(page), spokenThere);
    assert.equal(await page.title(), locales[spokenThere].page.title);
    assert.match(await sentence(page), begins);
    assert.equal(plain((await fitTable(page))['H200 SXM'].price.split('/h')[0]), price);
    assert.equal(await address(page), '', 'no redirect, nothing added');
    assert.equal(await page.locator('[aria-current="page"]').getAttribute('data-lang'), spokenThere);
  });
}

pageTest('nothing is shown in a language that is about to be replaced', { locale: 'es-MX' }, async ({ page, origin }) => {
  let release;
  const held = new Promise((done) => { release = done; });
  await page.route('**/assets/app.js', async (route) => {
    await held;
    await route.continue();
  });
  const shown = () => page.evaluate(() => [...document.querySelectorAll('.sentence, h1, label, header a')].some((node) => node.checkVisibility({ visibilityProperty: true })));
  for (const [query, expected] of [['', false], ['?lang=pt', false], ['?lang=en', true], ['es/', true], ['pt-br/', true], ['es/?lang=en', false]]) {
    await page.goto(`${origin}/${query}`, { waitUntil: 'commit' });
    await page.waitForSelector('footer p', { state: 'attached' });
    assert.equal(await shown(), expected, query);
  }
  release();
  await root(page, origin);
  assert.ok(await shown());
  assert.equal(await lang(page), 'es');
});

pageTest('a page with a language of its own keeps it; its figures are the reader\'s', { locale: 'es-MX' }, async ({ page, origin, open }) => {
  await open('', 'pt-BR');
  assert.match(await sentence(page), /pela regra/);
  assert.equal(plain((await fitTable(page))['H200 SXM'].price.split('/h')[0]), 'US$ 5,40');
  await open('model=kimi-k3&weights=bf16', 'es');
  assert.match(await sentence(page), /6,720 GB según la regla/);
  assert.match(plain(await page.locator('main').innerText()), /Margen del 20%/);
  await root(page, origin, '?lang=en');
  assert.match(await sentence(page), /by the rule/);
});

pageTest('English sticks where the browser speaks otherwise', { locale: 'es-MX' }, async ({ page, origin }) => {
  await page.goto(`${origin}/es/?weights=bf16`);
  await ready(page);
  await page.locator('[data-lang="en"]').click();
  await page.waitForURL(`${origin}/?weights=bf16&lang=en`);
  await ready(page);
  assert.match(await sentence(page), /^Llama 3\.1 70B in BF16/);
  await choose(page, 'weights', 'fp8');
  assert.equal(await address(page), '?lang=en');
  await page.reload();
  await ready(page);
  assert.equal(await lang(page), 'en');
  assert.match(await page.locator('#alone').evaluate((a) => a.href), /canvas\.html\?lang=en$/);
  await page.locator('[data-lang="es"]').click();
  await page.waitForURL(`${origin}/es/`);
  await ready(page);
  assert.equal(await lang(page), 'es');
});

pageTest('a browser that speaks English gets plain links', async ({ page, origin, open }) => {
  await open('', 'es');
  assert.equal(await page.locator('[data-lang="en"]').evaluate((a) => a.href), `${origin}/`);
});

pageTest('a link\'s region writes the figures, on the page, in its fields and on the canvas', async ({ page }) => {
  const query = 'weights=bf16&context=131072&method=worksheet&headroom=12.5&gpus=all&gpu=h200&count=8&lang=es-MX';
  await openCanvas(page, query);
  assert.equal(await address(page), `?${query}`);
  assert.equal(await lang(page), 'es');
  assert.match(await sentence(page), /según la hoja de cálculo/);
  assert.match(await page.locator('main').innerText(), /131,072 tokens/);
  assert.equal(await value(page, 'headroom'), '12.5');
  const words = plain(await spoken(page));
  assert.match(words, /131,072 tokens/);
  assert.match(words, /USD \d+\.\d\d\/h/);
  assert.doesNotMatch(words, /\d US\$|\d %/);
  await page.evaluate(() => { window.location.search = '?lang=es&weights=bf16'; });
  await becomes(() => value(page, 'headroom'), '');
  await page.goto(page.url().replace(/\?.*/, '?method=worksheet&headroom=12.5&lang=es-AR'));
  await ready(page);
  assert.equal(await value(page, 'headroom'), '12,5');
  await page.locator('[data-group="method"] summary').click();
  for (const typed of ['13.5', '13,5']) {
    await typeInto(page, 'headroom', typed);
    assert.equal(await value(page, 'headroom'), '13,5');
    assert.match(await address(page), /headroom=13\.5&/);
  }
});

pageTest('the canvas\'s own page follows the browser too, and the link first', { locale: 'es-MX' }, async ({ page, origin }) => {
  const at = async (path) => {
    await page.goto(`${origin}/${path}`);
    await page.waitForSelector('html[data-ready]', { state: 'attached' });
    await page.waitForSelector('vramfit-canvas[data-state="ready"]', { state: 'attached' });
    return plain(await spoken(page));
  };
  assert.match(await at('canvas.html?gpu=h200'), /según la regla[^]*USD 5\.40\/h/);
  assert.equal(await lang(page), 'es');
  assert.match(await at('canvas.html?gpu=h200&lang=es-ES'), /5,40 US\$\/h/);
  assert.match(await at('canvas.html?lang=en'), /by the rule/);
  assert.match(await at('pt-br/canvas.html'), /pela regra/);
  assert.match(await at('canvas.html?lang=tlh'), /según la regla/);
  const named = await page.locator('#copied').textContent();
  assert.ok(named.includes('“lang=tlh”'), named);
});

pageTest('a language that nobody here speaks is named', async ({ page, open }) => {
  for (const tag of ['tlh', 'es_MX', 'e', '-', 'x'.repeat(100)]) {
    await open(`lang=${tag}&weights=bf16`, 'es');
    assert.equal(await lang(page), 'es');
    assert.ok((await notices(page)).some((text) => text.includes(`“lang=${tag}”`)), tag);
    assert.match(await sentence(page), /^Llama 3\.1 70B en BF16/);
  }
  // A language with a region that nobody has heard of is that language.
  for (const tag of ['es-!!', 'es-', 'ES-XX', 'es-MX-u-nu-arab']) {
    await open(`lang=${tag}&weights=bf16`);
    assert.equal(await lang(page), 'es', tag);
    assert.match(await sentence(page), /^Llama 3\.1 70B en BF16: 168 GB/, tag);
  }
});
