// The address is the state: canonical, shareable, and kept apart from how the page is viewed.
import assert from 'node:assert/strict';

import { address, becomes, choose, compartments, field, open as openPage, pageTest, ready, sentence, typeInto, value } from './support.mjs';

const state = async (page) => ({
  sentence: await sentence(page),
  compartments: await compartments(page),
  inputs: await page.locator('#form [name]').evaluateAll((controls) => controls.map((c) => [c.name, c.value])),
});

pageTest('the address is canonical: fixed order, defaults left out', async ({ page, open }) => {
  await open('context=131072&model=qwen2.5-32b&weights=fp8&sequences=1&v=1&task=serve&count=');
  assert.equal(await address(page), '?model=qwen2.5-32b&context=131072');
  await open('context=32k&params=7000m&model=');
  assert.equal(await address(page), '?params=7b&context=32768');
});

pageTest('reloading and opening the link elsewhere restore everything', async ({ page, context, open }) => {
  await open();
  await field(page, 'model').fill('deepseek v3.2');
  await page.keyboard.press('Enter');
  await choose(page, 'gpus', 'datacenter');
  await typeInto(page, 'context', '32k');
  await page.locator('[data-set="method"][data-value="worksheet"]').click();
  await page.locator('[data-key="b200/8"]').click();
  const wanted = await state(page);
  const link = await address(page);
  assert.equal(link, '?model=deepseek-v3.2&context=32768&method=worksheet&gpus=datacenter&gpu=b200&count=8');
  await page.reload();
  await ready(page);
  assert.deepEqual(await state(page), wanted);
  const other = await context.newPage();
  await openPage(other, link);
  assert.deepEqual(await state(other), wanted);
  assert.equal(await address(other), link);
});

pageTest('back and forward walk through finished changes', async ({ page, open }) => {
  await open();
  await choose(page, 'weights', 'bf16');
  await field(page, 'context').press('End');
  await page.keyboard.type('00');  // an entry for the finished figure, none for what was typed on the way
  await field(page, 'context').press('Enter');
  assert.equal(await address(page), '?weights=bf16&context=409600');
  await page.goBack();
  await becomes(() => address(page), '?weights=bf16');
  await becomes(() => value(page, 'context'), '4096');
  assert.match(await sentence(page), /168 GB/);
  await page.goBack();
  await becomes(() => address(page), '');
  await becomes(() => value(page, 'weights'), 'fp8');
  await page.goForward();
  await page.goForward();
  await becomes(() => address(page), '?weights=bf16&context=409600');
  await becomes(() => value(page, 'context'), '409600');
});

for (const typed of ['abc', '5000']) {
  pageTest(`a step back gives up a change that was being typed (${typed})`, async ({ page, open }) => {
    await open();
    await choose(page, 'weights', 'bf16');
    await field(page, 'context').fill(typed);
    await page.goBack();
    await becomes(() => value(page, 'weights'), 'fp8');
    assert.equal(await value(page, 'context'), '4096');
    assert.ok(await page.locator('#e-context').isHidden());
    assert.equal(await address(page), '');
    await page.goForward();
    await becomes(() => value(page, 'weights'), 'bf16');
  });
}

pageTest('a step back gives up a name that was being typed', async ({ page, open }) => {
  await open();
  await choose(page, 'weights', 'bf16');
  await field(page, 'model').fill('qwen');
  await page.goBack();
  await becomes(() => value(page, 'weights'), 'fp8');
  assert.equal(await value(page, 'model'), 'Llama 3.1 70B');
  assert.equal(await address(page), '');
  await page.goForward();
  await becomes(() => value(page, 'weights'), 'bf16');
});

pageTest('the same grammar is read after #', async ({ page, open }) => {
  await open('#model=qwen3-8b&weights=bf16');
  assert.match(await sentence(page), /^Qwen3 8B in BF16/);
  assert.equal(await address(page), '?model=qwen3-8b&weights=bf16');
  await page.evaluate(() => { window.location.hash = 'model=qwen3-14b'; });
  await becomes(() => value(page, 'model'), 'Qwen3 8B', 'what stands behind ? goes first');
  await open('#answer');
  assert.equal(await address(page), '#answer', 'a plain anchor is left alone');
});

pageTest('a changed # is read when nothing stands behind ?', async ({ page, open }) => {
  await open();
  await page.evaluate(() => { window.location.hash = 'model=qwen3-14b'; });
  await becomes(() => value(page, 'model'), 'Qwen3 14B');
  assert.equal(await address(page), '?model=qwen3-14b');
});

pageTest('unknown keys are kept and named', async ({ page, open }) => {
  await open('flavour=vanilla&weights=bf16');
  assert.equal(await address(page), '?weights=bf16&flavour=vanilla');
  await page.locator('[data-region="notices"]', { hasText: '“flavour” is not an input' }).waitFor();
  await choose(page, 'weights', 'fp8');
  assert.equal(await address(page), '?flavour=vanilla');
});

pageTest('view keys stand apart and after the inputs', async ({ page, open }) => {
  await open('units=GiB&weights=bf16&theme=dark&lang=es');
  assert.equal(await address(page), '?weights=bf16&lang=es&theme=dark&units=GiB');
  assert.match(await sentence(page), /^Llama 3\.1 70B en BF16: 156 GiB según/);
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'es');
  assert.equal(await page.title(), (await page.evaluate(() => fetch('assets/locales/es.json').then((r) => r.json()))).page.title);
  await choose(page, 'weights', 'fp8');
  assert.equal(await address(page), '?lang=es&theme=dark&units=GiB');
});

pageTest('a language link keeps the configuration', async ({ page, open }) => {
  await open('weights=bf16&flavour=vanilla&units=GiB');
  await page.locator('[data-lang="pt-BR"]').click();
  await page.waitForURL(/\/pt-br\//);
  await ready(page);
  assert.equal(await address(page), '?weights=bf16&flavour=vanilla&units=GiB');
  assert.match(await sentence(page), /^Llama 3\.1 70B em BF16: 156 GiB pela regra/);
});

pageTest('the site works from any path', async ({ page, origin }) => {
  const seen = [];
  await page.route('**/*', async (route) => {
    const { pathname, search } = new URL(route.request().url());
    seen.push(pathname);
    if (!pathname.startsWith('/some/where/')) return route.abort();
    return route.fulfill({ response: await route.fetch({ url: origin + pathname.slice('/some/where'.length) + search }) });
  });
  await openPage(page, 'weights=bf16', 'es', `${origin}/some/where/`);
  assert.match(await sentence(page), /^Llama 3\.1 70B en BF16/);
  await page.locator('[data-lang="en"]').click();
  await page.waitForURL(`${origin}/some/where/?weights=bf16`);
  await ready(page);
  assert.deepEqual(seen.filter((path) => !path.startsWith('/some/where/')), []);
});
