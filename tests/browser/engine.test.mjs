// The engine method on the page: chosen by keys, its knobs, what its log will say, why it does not fit and what settles that, in three
// languages, on a phone, and beside the other methods.
import assert from 'node:assert/strict';

import { shippedCalculator } from '../web/support.mjs';
import { address, becomes, choose, drawn, field, locales, open as openPage, pageTest, plain, sentence, typeInto, unfold, violations } from './support.mjs';

const vramfit = await shippedCalculator();
const shown = (page) => page.locator('#engine-fields [data-field]:not([hidden])').evaluateAll((fields) => fields.map((f) => f.dataset.field));
const log = async (page) => Object.fromEntries((await page.locator('.log > div').evaluateAll((rows) => rows.map((row) => [row.querySelector('dt').textContent, row.querySelector('dd').firstChild.textContent]))).map((pair) => pair.map(plain)));
const tight = 'method=engine&gpu=h200&count=1&sequences=64&context=32768';
const short = 'method=engine&weights=bf16&gpu=h100-sxm&count=1';

pageTest('an engine is chosen by keys alone, and its fields come without taking the focus', async ({ page, open }) => {
  await open();
  assert.equal(await page.locator('#engine-fields').evaluate((e) => e.childElementCount), 0);
  await page.locator('[data-key="method/engine"]').focus();
  await page.keyboard.press('Enter');
  await page.waitForSelector('#engine-fields [data-field="engine"]');
  await becomes(() => address(page), '?method=engine');
  assert.equal(await page.evaluate(() => document.activeElement.dataset.key), 'method/engine');
  await field(page, 'engine').focus();
  await page.keyboard.press('s');
  await becomes(async () => (await address(page)).includes('engine=sglang'), true);
  assert.equal(await page.evaluate(() => document.activeElement.name), 'engine');
  await becomes(async () => (await sentence(page)).includes('SGLang'), true);
});

pageTest('knobs are there for their engine only, as the calculator says', async ({ page, open }) => {
  await open('method=engine');
  await unfold(page);
  for (const engine of ['vllm', 'sglang', 'tensorrt-llm', 'transformers']) {
    await choose(page, 'engine', engine);
    const { applies } = vramfit.estimate(`method=engine&engine=${engine}`);
    const { fields } = vramfit.catalog();
    await becomes(async () => (await shown(page)).sort(), fields.filter((f) => f.group === 'engine' && applies.includes(f.key)).map((f) => f.key).sort(), engine);
  }
  await choose(page, 'weights', 'q4_k_m');
  await choose(page, 'engine', 'llama.cpp');
  await becomes(async () => (await shown(page)).includes('n_gpu_layers'), true);
  assert.ok(!(await shown(page)).includes('gpu_memory_utilization'));
  await page.locator('[data-key="method/rule"]').click();
  await becomes(() => shown(page), []);
});

pageTest('an engine\'s default stands in the empty field, and what is typed there counts', async ({ page, open }) => {
  await open('method=engine&gpu=h200&count=1');
  const { engine } = vramfit.estimate('method=engine&gpu=h200&count=1');
  assert.match(await field(page, 'gpu_memory_utilization').getAttribute('placeholder'), new RegExp(`^${engine.memory_share} `));
  assert.match(await field(page, 'max_num_seqs').getAttribute('placeholder'), new RegExp(`^${engine.max_num_seqs.toLocaleString('en')} `));
  const before = await log(page);
  await typeInto(page, 'gpu_memory_utilization', '0.5');
  await becomes(() => address(page), '?method=engine&gpu=h200&count=1&gpu_memory_utilization=0.5');
  await becomes(async () => (await log(page))['Memory for the KV cache'] !== before['Memory for the KV cache'], true);
});

pageTest('the log that is foretold is the calculator\'s', async ({ page, open }) => {
  await open('method=engine&gpu=h200&count=1&sequences=8&context=8192');
  const { engine } = vramfit.estimate('method=engine&gpu=h200&count=1&sequences=8&context=8192');
  const said = await log(page);
  assert.equal(said['KV cache size in tokens'], Math.round(engine.tokens.likely).toLocaleString('en'));
  assert.equal(said['Requests of 8,192 tokens at once'], engine.max_concurrency.likely.toLocaleString('en', { maximumFractionDigits: 2 }));
  assert.equal(said['Memory for the KV cache'], `${(engine.pool_bytes.likely / 2 ** 30).toLocaleString('en', { maximumFractionDigits: 1 })} GiB`);
  assert.match(await page.locator('.ending').textContent(), /^It starts/);
});

pageTest('a tight answer names its cause, and each remedy is one', async ({ page, open }) => {
  await open(tight);
  await becomes(async () => /holds .* of 64 requests/.test(await page.locator('.help').textContent()), true);
  const remedies = await page.locator('.help button').evaluateAll((buttons) => buttons.map((b) => b.dataset.change));
  assert.ok(remedies.length >= 2);
  for (const change of remedies) {
    const keys = new URLSearchParams(tight);
    for (const [key, value] of new URLSearchParams(change)) keys.set(key, value);
    assert.equal(vramfit.estimate(keys.toString()).chosen.verdict, 'fits', change);
  }
  await page.locator('.help button').first().click();
  await becomes(() => page.locator('.sentence').getAttribute('data-state'), 'fits');
});

for (const lang of ['en', 'es', 'pt-BR']) {
  pageTest(`causes are readable in the fit table: ${lang}`, async ({ page, open }) => {
    await open(short, lang);
    const cause = locales[lang].cause.weights;
    const chip = page.locator('.chip[data-pick="h100-sxm"][data-count="1"]');
    assert.ok((await chip.getAttribute('aria-label')).endsWith(cause));
    assert.equal(await chip.getAttribute('title'), await chip.getAttribute('aria-label'));
    assert.ok(!(await page.locator('body').innerText()).match(/\b(undefined|NaN|null)\b/));
    // No id of a text stands where the text should.
    const ids = await page.locator('#engine-fields, .log, .compartments, .help').evaluateAll((all) => all.map((e) => e.innerText).join(' ').match(/\b(help_field|compartment|engine|because|cause|formula)\.[a-z_]+/g));
    assert.equal(ids, null);
  });
}

pageTest('why the three methods differ is told for the configuration shown, and follows it', async ({ page, open }) => {
  await open('weights=bf16');
  assert.equal(await page.evaluate(() => performance.getEntriesByType('resource').some(({ name }) => name.includes('vramfit-full'))), false);
  await page.locator('#differ > summary').click();
  await page.waitForSelector('.differ tbody tr');
  const cells = () => page.locator('.differ [data-row="weights"] td').evaluateAll((all) => all.slice(0, 3).map((td) => td.lastChild.textContent));
  const before = (await cells()).map(plain);
  const { methods } = vramfit.estimate('weights=bf16');
  for (const [i, id] of ['rule', 'worksheet', 'engine'].entries()) {
    const bytes = methods[id].compartments.find((c) => c.id === 'weights').per_gpu_bytes.likely;
    assert.equal(before[i], `${(bytes / 2 ** 30).toLocaleString('en', { maximumFractionDigits: bytes >= 99.95 * 2 ** 30 ? 0 : 1 })} GiB`, id);
  }
  await choose(page, 'weights', 'fp8');
  await becomes(async () => (await cells()).map(plain)[0] !== before[0], true);
  await choose(page, 'task', 'full');
  await becomes(() => page.locator('.differ').count(), 0);
});

pageTest('the choice survives the way back, and a change of language', async ({ page, open }) => {
  await open('method=engine');
  await choose(page, 'engine', 'sglang');
  await becomes(async () => (await address(page)).includes('engine=sglang'), true);
  await page.goBack();
  await becomes(() => field(page, 'engine').inputValue(), 'auto');
  await openPage(page, 'method=engine&engine=vllm', 'es');
  assert.equal(plain(await page.locator('#engine-fields label[for="f-gpu_memory_utilization"]').textContent()), locales.es.field.gpu_memory_utilization);
});

for (const lang of ['en', 'es', 'pt-BR']) {
  pageTest(`at 360 and 320 px nothing is wider than the screen: ${lang}`, { viewport: { width: 360, height: 740 } }, async ({ page, open }) => {
    await open(tight, lang);
    await unfold(page);
    await page.waitForSelector('.differ tbody tr');
    for (const width of [360, 320]) {
      await page.setViewportSize({ width, height: 740 });
      await drawn(page);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth), true, String(width));
    }
  });
}

for (const colorScheme of ['light', 'dark']) {
  pageTest(`axe finds nothing: ${colorScheme}`, { colorScheme }, async ({ page, open }) => {
    await open(short);
    await unfold(page);
    await page.waitForSelector('.differ tbody tr');
    assert.deepEqual(await violations(page), []);
  });
}

pageTest('without the texts of engines the page says what is the matter, and tries again', { expect: [/engine\.en\.json/, /404|Failed|console error/] }, async ({ page, context, open }) => {
  await context.route('**/locales/engine.en.json', (route) => route.fulfill({ status: 404, body: '' }));
  await open();
  await page.locator('[data-key="method/engine"]').click();
  await page.waitForSelector('#retry:not([hidden])');
  await context.unroute('**/locales/engine.en.json');
  await page.locator('#retry button').click();
  await page.waitForSelector('#engine-fields [data-field="engine"]');
});
