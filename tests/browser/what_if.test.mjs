// How far context and concurrency go: the figures are whatIf()'s, a value chosen is the page's new input, and the answer never waits.
import assert from 'node:assert/strict';

import { shippedCalculator } from '../web/support.mjs';
import { address, becomes, choose, field, locales, pageTest, pages, plain, sentence, settled, typeInto, unfold, value, violations } from './support.mjs';

const calculator = await shippedCalculator();
const button = (page, key) => page.locator(`#limits [data-key="${key}"]`);

// {field: [[kv label, ['fits up to 195,159 tight up to 216,674', ...]], ...]}
async function limits(page) {
  await settled(page);
  const tables = await page.locator('#limits .limits').evaluateAll((all) => all.map((table) => [table.getAttribute('aria-label'),
    [...table.tBodies[0].rows].map((tr) => [tr.cells[0].textContent, [...tr.cells].slice(1).map((td) => [...td.querySelectorAll('div > span')].map((s) => s.textContent).join(' '))])]));
  return Object.fromEntries(tables.map(([name, rows]) => [name, rows.map(([kv, cells]) => [kv, cells.map(plain)])]));
}

// The same from whatIf() itself.
function expected(share) {
  const most = Object.fromEntries(calculator.catalog().fields.map((f) => [f.key, f.maximum]));
  const { axes } = calculator.whatIf(share);
  const number = (n) => n.toLocaleString('en');
  const up = (verdict, n, max) => (n === max ? `${verdict} at any value` : `${verdict} up to ${number(n)}`);
  return Object.fromEntries(axes.map((axis) => [locales.en.field[axis.field], axis.lines.map((line) => [
    line.kv ? locales.en.choice[`kv.${line.kv}`] : locales.en.choice[`task.${calculator.estimate(share).inputs.task}`],
    line.limits.map(({ fits, runs }) => [fits > 0 && up('fits', fits, most[axis.field]), runs > fits && up('tight', runs, most[axis.field])].filter(Boolean).join(' ') || 'does not fit'),
  ])]));
}

for (const share of ['', 'method=worksheet&gpus=all', 'weights=q4_k_m&gpu=rtx-4090&count=2&method=worksheet', 'task=lora&method=worksheet', 'kv=int8&context=9']) {
  pageTest(`the limits are whatIf()'s: ${share || 'default'}`, async ({ page, open }) => {
    await open(share);
    assert.deepEqual(await limits(page), expected(share));
  });
}

pageTest('a limit holds: there it fits, one more and it does not', async ({ page, open }) => {
  await open('method=worksheet&gpu=h200&count=1');
  const limit = Number(plain(await button(page, 'context/bf16/h200/fits').textContent()).replace(/,/g, ''));
  await button(page, 'context/bf16/h200/fits').click();
  assert.equal(await value(page, 'context'), String(limit));
  assert.match(await sentence(page), /fits on 1x H200$/);
  await typeInto(page, 'context', String(limit + 1));
  assert.match(await sentence(page), /tight on 1x H200/);
});

pageTest('a value chosen sets its field, and what else its cell says', async ({ page, open }) => {
  await open();
  const [context, sequences] = calculator.whatIf('').axes;
  const at = (axis, kv) => axis.lines.find((l) => l.kv === kv).limits;
  await button(page, 'context/bf16/h200/fits').click();
  assert.equal(await address(page), `?context=${at(context, 'bf16')[0].fits}`);
  await open();
  await button(page, 'sequences/fp8/h200/fits').click();
  assert.equal(await address(page), `?kv=fp8&sequences=${at(sequences, 'fp8')[0].fits}`);
  await open();
  await button(page, 'sequences/bf16/b200/fits').click();
  assert.equal(await address(page), `?sequences=${at(sequences, 'bf16')[2].fits}&gpu=b200&count=1`);
  assert.match(await sentence(page), /fits on 1x B200$/);
  await open();
  await button(page, 'context/bf16/h200/tight').click();
  assert.match(await sentence(page), /tight on 1x H200/);
});

pageTest('by keys: the value chosen keeps the focus and is told as chosen', async ({ page, open }) => {
  await open();
  for (const key of ['context/fp8/h200/fits', 'context/fp8/b200/tight', 'context/int4/h200/fits']) {
    await button(page, key).focus();
    await page.keyboard.press('Enter');
    await becomes(() => button(page, key).getAttribute('aria-pressed'), 'true', key);
    await settled(page);
    assert.equal(await page.evaluate(() => document.activeElement.dataset.key), key);
  }
  assert.equal(await button(page, 'context/int4/h200/fits').getAttribute('aria-label'), `Context ${await button(page, 'context/int4/h200/fits').textContent()}, KV cache INT4, scale per token and head, 1x H200: fits`);
  assert.deepEqual(await violations(page), []);
});

pageTest('the needs behind the curves: whole octaves, each precision, folded until asked for', async ({ page, open }) => {
  await open('method=worksheet');
  const fold = page.locator('details[data-key="need/context"]');
  assert.equal(await fold.evaluate((d) => d.open), false);
  await fold.locator('summary').click();
  const { axes: [axis] } = calculator.whatIf('method=worksheet');
  const rows = await fold.locator('tbody tr').evaluateAll((all) => all.map((tr) => [...tr.cells].map((c) => c.textContent)));
  const gib = (n) => `${(n / 2 ** 30).toLocaleString('en', { maximumFractionDigits: n / 2 ** 30 < 100 ? 1 : 0 })} GiB`;
  assert.deepEqual(rows.map((row) => row.map(plain)), [1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072].map((tokens) =>
    [tokens.toLocaleString('en'), ...axis.lines.map((line) => gib(line.need_bytes[axis.values.indexOf(tokens)]))]));
  await choose(page, 'weights', 'int8');
  await settled(page);
  assert.equal(await fold.evaluate((d) => d.open), true, 'it stays open over a change');
});

pageTest('the answer does not wait for it, and typing asks only once', async ({ page, open }) => {
  await open();
  const told = await page.evaluate(() => new Promise((done) => {
    const place = document.getElementById('limits');
    const input = document.querySelector('[name=context]');
    const seen = { fills: 0 };
    const before = place.textContent;
    // Looked at in the task that writes the answer, however long a frame takes here.
    new MutationObserver((_, observer) => {
      if (!document.querySelector('.compartments')?.textContent.includes('85.9')) return;
      observer.disconnect();
      seen.waits = place.textContent === before && place.getAttribute('aria-busy') === 'true';
    }).observe(document.querySelector('.compartments').closest('[data-region]'), { childList: true, subtree: true, characterData: true });
    new MutationObserver(() => {
      seen.fills += 1;
      setTimeout(() => done(seen), 400);  // longer than the page waits before it asks: a second one would be seen
    }).observe(place, { childList: true });
    const type = (text) => { input.value = text; input.dispatchEvent(new Event('input', { bubbles: true })); };
    for (const text of ['2', '26', '262', '2621', '26214', '262144']) type(text);
  }));
  assert.deepEqual(told, { fills: 1, waits: true });
  assert.match(await page.locator('#limits h3').first().textContent(), /262,144/);
});

pageTest('nothing of another configuration stands under an answer', async ({ page, open, origin }) => {
  await page.addInitScript(() => {
    window.seen = new Set();
    new MutationObserver(() => {
      const place = document.getElementById('limits');
      const root = document.documentElement;
      if (place && !('pending' in root.dataset) && 'ready' in root.dataset) window.seen.add(place.querySelector('h3')?.textContent ?? '');
    }).observe(document, { subtree: true, childList: true, attributes: true });
  });
  await open('context=8192', 'en', `${origin}/`);
  assert.deepEqual((await page.evaluate(() => [...window.seen])).filter(Boolean), ['Context: now 8,192 tokens']);
});

pageTest('refused, nothing fits, no shape, a count that cannot be', async ({ page, open }) => {
  const text = async () => plain(await page.locator('#limits').textContent());
  await open('model=nope');
  assert.ok(await page.locator('#what-if').isHidden());
  await open('model=kimi-k3&weights=bf16');
  assert.match(await text(), /Not even the smallest value fits on 1x B200 or 1x H200\./);
  assert.equal(await page.locator('#limits button').count(), 0);
  await open('model=&params=70b');
  assert.match(await text(), /A lower bound: KV cache.* cannot be counted without the model's shape/);
  await open('gpu=h200&count=3');
  assert.match(await text(), /3x H200: not usable, 64 attention heads do not divide by 3/);
  await open('task=full');
  assert.match(await text(), /Micro-batch: now 1This method does not count it, so it sets no limit/);
  assert.deepEqual(await violations(page), []);
});

pageTest('it comes back after a refusal', async ({ page, open }) => {
  await open('weights=bf16');
  const before = await limits(page);
  await field(page, 'model').fill('nope');
  await field(page, 'model').press('Tab');
  await becomes(() => page.locator('#what-if').isHidden(), true);
  await page.goBack();
  await becomes(() => page.locator('#what-if').isHidden(), false);
  assert.deepEqual(await limits(page), before);
});

for (const lang of Object.keys(pages)) {
  pageTest(`${lang}: in its words, and on a phone within the screen`, { viewport: { width: 360, height: 740 } }, async ({ page, open }) => {
    await open('gpus=all&method=worksheet', lang);
    await unfold(page);
    const words = locales[lang].page;
    assert.equal(await page.locator('#what-if h2').textContent(), words.what_if);
    const [first] = await page.locator('#limits h3').allTextContents();
    assert.equal(plain(first), plain(words['what_if.now'].replace('{field}', locales[lang].field.context).replace('{value}', `${(4096).toLocaleString(lang)} tokens`)));
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth), false);
    assert.deepEqual(await violations(page), []);
  });

  pageTest(`${lang}: the default's limits are in the HTML`, { javaScriptEnabled: false }, async ({ page, origin }) => {
    await page.goto(`${origin}/${pages[lang]}`);
    const { axes: [axis] } = calculator.whatIf('');
    assert.ok(plain(await page.locator('#limits').textContent()).includes(axis.lines[0].limits[0].fits.toLocaleString(lang)));
  });
}
