// The canvas by a publisher's price list: given before it is ready or after, taken away, in every language, under the strictest policy.
import assert from 'node:assert/strict';

import { readPriceList } from '../../web/price_list.mjs';
import { shippedCalculator } from '../web/support.mjs';
import { becomesReady, openHost, spoken, spokenInDom, still } from './canvas_support.mjs';
import { becomes, pageTest } from './support.mjs';

const vramfit = await shippedCalculator();
const { prices, problems } = readPriceList({
  schema: 'vramfit-prices/1', currency: 'USD', provider: 'Nube Ñandú', date: '2026-11-30', prices: [{ gpu: 'h200', usd_per_gpu_hour: 77 }],
}, vramfit.catalog());
assert.deepEqual(problems, []);

const give = (page, at, list) => page.locator(at).evaluate((canvas, value) => { canvas.prices = value; }, list);
const speaks = (page, at, words) => async () => (await spokenInDom(page, at)).join('\n').includes(words);

pageTest('a price list given to a canvas that is ready, and taken away', async ({ page, origin }) => {
  await openHost(page, origin);
  for (const at of ['#one', '#two']) await becomesReady(page, at);
  const market = vramfit.estimate('model=llama-3.1-70b&weights=fp8').fit.find((row) => row.gpu === 'h200').price.usd_per_gpu_hour;
  const before = await spoken(page, '#one');
  assert.ok(before.includes(`$${market.toFixed(2)}/h`));
  await give(page, '#one', prices);
  assert.deepEqual(await page.locator('#one').evaluate((canvas) => canvas.prices.provider), 'Nube Ñandú');
  await still(page, '#one');
  const by = await spoken(page, '#one');
  assert.ok(by.includes('Price per GPU $77.00/h'), by);
  assert.equal(by.match(/Price per GPU/g).length, 1, 'no other GPU has a price');
  await becomes(speaks(page, '#one', '$77.00/h'), true);
  assert.ok(!(await spoken(page, '#two')).includes('77,00'), 'the other canvas goes by its own');
  await page.locator('#one').evaluate((canvas) => { canvas.share = 'gpus=h200:5,b200'; });
  await still(page, '#one');
  assert.ok((await spoken(page, '#one')).includes('$5.00/h'));
  await page.locator('#one').evaluate((canvas) => { canvas.share = 'model=llama-3.1-70b&weights=fp8'; canvas.prices = null; });
  await still(page, '#one');
  assert.equal(await spoken(page, '#one'), before);
});

pageTest('a price list given before the canvas is there, and kept when it is put in anew', async ({ page, origin }) => {
  await openHost(page, origin, '?none');
  const put = () => page.evaluate((list) => {
    const canvas = window.kept ??= Object.assign(document.createElement('vramfit-canvas'), { id: 'late', lang: 'es', share: 'gpus=article', prices: list });
    document.getElementById('first').append(canvas);
  }, prices);
  for (const when of ['at first', 'again']) {
    await put();
    await becomesReady(page, '#late');
    const said = (await spoken(page, '#late')).replace(/\s/g, ' ');
    assert.match(said, /77,00/, when);
    assert.equal(said.match(/Precio por GPU/g).length, 1, when);
    await page.evaluate(() => window.kept.remove());
  }
});
