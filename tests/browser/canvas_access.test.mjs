// For whoever does not see the canvas: its role, name and words, and that the words hold every figure of the page's tables.
import assert from 'node:assert/strict';

import { clickWidget, openAlone, openCanvas, spoken, spokenInDom, still, widgets } from './canvas_support.mjs';
import { becomes, choose, locales, pages, pageTest, plain, settled, violations } from './support.mjs';

// As the browser tells it to assistive technology.
async function accessible(page, context) {
  const session = await context.newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  return nodes.filter((node) => node.role?.value === 'application').map((node) => ({ name: node.name.value, description: node.description?.value, focusable: node.properties.some((p) => p.name === 'focusable' && p.value.value) }));
}

for (const lang of Object.keys(pages)) {
  pageTest(`${lang}: role, name, description and words; axe finds nothing`, async ({ page, context, origin }) => {
    for (const open of [() => openCanvas(page, 'method=worksheet', lang), () => openAlone(page, origin, 'method=worksheet', lang)]) {
      await open();
      const first = plain((await spoken(page)).split('\n')[0]);
      assert.deepEqual(await accessible(page, context).then((all) => all.map((a) => ({ ...a, name: plain(a.name) }))), [{ name: first, description: locales[lang].canvas.keys, focusable: true }]);
      assert.equal((await spokenInDom(page))[1], await spoken(page));
      assert.deepEqual(await violations(page), []);
    }
  });
}

pageTest('words and name are up to date after edits of either side', async ({ page, context }) => {
  await openCanvas(page);
  for (const edit of [() => choose(page, 'weights', 'bf16'), () => clickWidget(page, 'h200/2'), () => clickWidget(page, 'context/more')]) {
    const before = await spoken(page);
    await edit();
    assert.notEqual(await spoken(page), before);
    await becomes(async () => (await spokenInDom(page))[1], await spoken(page));
    assert.equal((await accessible(page, context))[0].name, (await spoken(page)).split('\n')[0]);
  }
});

pageTest('what the keyboard reaches is told by its label', async ({ page }) => {
  await openCanvas(page);
  const live = () => page.locator('vramfit-canvas').evaluate((e) => e.shadowRoot.querySelector('[aria-live="polite"]').textContent);
  await page.locator('#alone').focus();
  await page.keyboard.press('Tab');
  await still(page);
  const labels = new Set((await widgets(page)).map((w) => w.label));
  const seen = new Set();
  for (let i = 0; i < 6; i += 1) {
    const label = await live();
    assert.ok(labels.has(label), label);
    seen.add(label);
    await page.keyboard.press('ArrowDown');
    await still(page);
  }
  assert.ok(seen.size > 3, [...seen].join(' | '));
});

// --- side by side ---------------------------------------------------------------------------------------------------------

const configurations = [
  '', 'weights=bf16&gpus=all', 'method=worksheet', 'model=qwen3-30b-a3b&context=131072&method=worksheet&gpus=all', 'model=deepseek-v3&method=worksheet&count=8&context=32768',
  'task=full&method=worksheet', 'task=qlora', 'model=gemma-3-27b&context=131072&method=worksheet&units=GiB', 'weights=bf16&gpu=h100-sxm&count=3', 'weights=q4_k_m&gpus=consumer&units=GB',
  'params=70b&num_layers=80&num_kv_heads=8&head_dim=128&context=32k', 'gpus=h200:3.20,b200:4.75&sequences=8&method=worksheet', 'model=nope',
];

// Every figure in the page's tables of compartments and of GPUs, and the GPUs' names.
const domFigures = (page) => page.evaluate(() => {
  const texts = (selector) => [...document.querySelectorAll(selector)].map((node) => node.textContent);
  return {
    compartments: texts('.compartments :is(tbody, tfoot) .figure'),
    fit: [...[...document.querySelectorAll('.fit tbody th')].map((th) => th.firstChild.textContent), ...texts('.fit tbody .figure')],
  };
});

for (const lang of Object.keys(pages)) {
  pageTest(`${lang}: every figure of the page's tables is in the canvas's words`, async ({ page }) => {
    await openCanvas(page, '', lang);
    for (const configuration of configurations) {
      await page.evaluate((query) => {
        window.history.replaceState(null, '', query ? `?${query}` : window.location.pathname);
        window.dispatchEvent(new PopStateEvent('popstate'));
      }, configuration);
      await settled(page);
      await still(page);
      const own = configuration.split('&').filter((pair) => !pair.startsWith('units=')).join('&');
      await becomes(() => page.locator('vramfit-canvas').evaluate((e) => new URLSearchParams(e.share).size), new URLSearchParams(own.replace('32k', '32768')).size);
      const units = new URLSearchParams(configuration).get('units') ?? '';
      await becomes(() => page.locator('vramfit-canvas').evaluate((e) => e.units), units);
      const read = async () => plain(await spoken(page));
      const { compartments, fit } = await domFigures(page);
      if (configuration !== 'model=nope') assert.ok(compartments.length > 1 && fit.length > 1, configuration);
      await becomes(async () => {
        const said = await read();
        return [...compartments, ...fit].map(plain).filter((figure) => !said.includes(figure));
      }, [], configuration);
      assert.equal(plain((await spoken(page)).split('\n')[0]), plain(await page.locator('.sentence').textContent()), configuration);
    }
  });
}
