// On paper: the answer and what it rests on, light, with nothing to press, and a page as it was afterwards.
import assert from 'node:assert/strict';

import { locales, pageTest, plain } from './support.mjs';

const share = 'method=worksheet&weights=q4_k_m&gpus=all&count=3&kv=q8_0&theme=dark';

// As between the browser's two events around printing.
async function onPaper(page, look) {
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  await page.emulateMedia({ media: 'print' });
  try {
    return await look();
  } finally {
    await page.emulateMedia({ media: null });
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  }
}

for (const [lang, locale] of Object.entries(locales)) {
  // A sheet of A4 without its margins.
  pageTest(`${lang}: what is on paper and what is not`, { viewport: { width: 688, height: 1000 }, colorScheme: 'dark' }, async ({ page, open }) => {
    await open(share, lang);
    const before = await page.evaluate(() => document.body.innerHTML);
    await onPaper(page, async () => {
      for (const selector of ['.sentence', '.methods', '.compartments', '.bar', '.fit', '.precision', '#sources .hint, #sources li', 'footer']) assert.ok(await page.locator(selector).first().isVisible(), selector);
      for (const selector of ['form', '.switches', '.actions', '.fit-view', '#what-if', '#canvas', '.method button', '.skip', 'summary h3']) assert.equal(await page.locator(selector).filter({ visible: true }).count(), 0, selector);

      const inputs = await page.locator('.printed dl > div').evaluateAll((all) => Object.fromEntries(all.map((div) => [div.querySelector('dt').firstChild.textContent.trim(), div.querySelector('dd').textContent])));
      assert.equal(inputs[locale.field.weights], 'Q4_K_M');
      assert.equal(inputs[locale.field.kv], locale.choice['kv.q8_0']);
      assert.equal(inputs[locale.field.model], 'Llama 3.1 70B');
      assert.equal(inputs[locale.field.gpus], locale.choice['gpus.all']);
      assert.equal(inputs[locale.field.count], '3');
      assert.ok(!(locale.field.headroom in inputs), 'nothing typed, nothing said');
      assert.ok(!(locale.field.lora_rank in inputs), 'no part in it');

      const footer = page.locator('footer');
      assert.ok(plain(await footer.textContent()).endsWith(page.url()), 'the link at the foot');
      const [dated] = locale.page.footer.split('{date}');
      assert.ok(await page.locator('.date').isVisible());
      assert.ok(plain(await page.locator('.date').textContent()).startsWith(dated), 'the date of the data above it');

      // Every formula and its source can be read.
      const terms = page.locator('.terms li');
      assert.ok((await terms.count()) > 4);
      for (const term of await terms.all()) assert.ok(await term.isVisible());

      const looks = await page.evaluate(() => ({
        surface: getComputedStyle(document.documentElement).backgroundColor,
        ink: getComputedStyle(document.documentElement).color,
        weights: getComputedStyle(document.querySelector('.c-weights')).fill,
        exact: getComputedStyle(document.querySelector('.bar')).printColorAdjust,
        across: document.documentElement.scrollWidth - document.documentElement.clientWidth,
        table: getComputedStyle(document.querySelector('.fit tbody tr')).display,
        whole: [...document.querySelectorAll('.fit tbody tr')].every((tr) => getComputedStyle(tr).breakInside === 'avoid'),
      }));
      assert.deepEqual(looks, { surface: 'rgb(255, 255, 255)', ink: 'rgb(27, 29, 31)', weights: 'rgb(31, 95, 168)', exact: 'exact', across: 0, table: 'table-row', whole: true });
    });
    assert.equal(await page.evaluate(() => document.body.innerHTML), before, 'as it was before');
  });
}

pageTest('what a reader unfolded stays so, and two beginnings are one', async ({ page, open }) => {
  await open();
  const first = page.locator('.terms details').first();
  await first.locator('summary').click();
  await page.evaluate(() => { window.dispatchEvent(new Event('beforeprint')); window.dispatchEvent(new Event('beforeprint')); });
  assert.equal(await page.locator('section.printed').count(), 1);
  assert.equal(await page.locator('.terms details:not([open])').count(), 0);
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  assert.equal(await page.locator('.printed').count(), 0);
  assert.deepEqual(await page.locator('.terms details').evaluateAll((all) => all.map((d) => d.open)), [true, false]);
});

pageTest('a real print goes through it and leaves nothing behind', async ({ page, open }) => {
  await open('gpus=h200:3.2,l40s');
  await page.evaluate(() => {
    window.passed = [];
    window.addEventListener('beforeprint', () => window.passed.push(document.querySelectorAll('.printed').length));
    window.addEventListener('afterprint', () => window.passed.push(document.querySelectorAll('.printed').length));
  });
  const pdf = await page.pdf({ format: 'A4', preferCSSPageSize: true });
  assert.equal(pdf.subarray(0, 5).toString(), '%PDF-');
  const sheets = String(pdf.toString('latin1')).match(/\/Type\s*\/Page\b/g).length;
  assert.ok(sheets >= 1 && sheets <= 3, `${sheets} sheets`);
  assert.deepEqual(await page.evaluate(() => window.passed), [2, 0]);
});

pageTest('without scripts the form itself says the inputs', { javaScriptEnabled: false }, async ({ page, origin }) => {
  await page.emulateMedia({ media: 'print' });
  await page.goto(`${origin}/es/`);
  assert.ok(await page.locator('#f-weights').isVisible());
  assert.equal(await page.locator('.actions, .switches, #canvas').filter({ visible: true }).count(), 0);
});

pageTest('a refusal prints its reason', async ({ page, open }) => {
  await open('model=nope');
  await onPaper(page, async () => {
    assert.ok(await page.locator('.sentence').isVisible());
    assert.equal(await page.locator('.printed dd').nth(1).textContent(), 'nope');
  });
});
