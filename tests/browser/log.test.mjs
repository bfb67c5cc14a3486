// "From your log": a log pasted, opened or dropped is held against the answer, the page goes on from it and back, and nothing is sent.
import assert from 'node:assert/strict';

import { openArticle, settled as elementSettled } from './element_support.mjs';
import { address, becomes, choose, locales, pageTest, pages, plain, sentence, unfold, value, violations } from './support.mjs';

const log = [
  "(APIServer pid=1) INFO 05-06 20:58:01 [utils.py:233] non-default args: {'model': 'meta-llama/Llama-3.1-8B-Instruct', 'max_model_len': 8192, 'gpu_memory_utilization': 0.95, 'max_num_seqs': 1024}",
  "(EngineCore pid=326) INFO 05-06 20:58:21 [core.py:58] Initializing a V1 LLM engine (v0.19.0) with config: model='meta-llama/Llama-3.1-8B-Instruct', dtype=torch.bfloat16, max_seq_len=8192, tensor_parallel_size=1, kv_cache_dtype=auto",
  '(EngineCore pid=326) INFO 05-06 20:58:41 [gpu_model_runner.py:4879] Model loading took 14.99 GiB memory and 5.420225 seconds',
  '(EngineCore pid=326) INFO 05-06 20:58:51 [gpu_worker.py:436] Available KV cache memory: 58.11 GiB',
  '(EngineCore pid=326) INFO 05-06 20:58:51 [kv_cache_utils.py:1286] GPU KV cache size: 476,000 tokens',
].join('\n');
const matching = 'model=llama-3.1-8b&weights=bf16&context=8192&gpu=h100-sxm&count=1&method=engine&vllm_version=0.17&gpu_memory_utilization=0.95&max_num_seqs=1024';

const part = (page, id) => page.locator(`#log-${id}`);
const said = (page) => part(page, 'said').textContent().then(plain);
const told = (page, pattern) => becomes(async () => pattern.test(await said(page)) || said(page), true);

async function openFold(page) {
  await page.locator('#log-fold > summary').click();
  await part(page, 'text').waitFor();
}

async function paste(page, text = log) {
  await part(page, 'text').fill(text);
  await told(page, /./);
}

// [[use, predicted, measured, difference]]
const rows = (page) => page.locator('#log .measured tbody tr').evaluateAll((trs) => trs.map((tr) => [tr.cells[0].textContent, ...[...tr.cells].slice(1, 4).map((td) => td.querySelector('div').textContent)]))
  .then((all) => all.map((row) => row.map(plain)));

pageTest('predicted, measured and difference, not by colour alone; a live region says the outcome', async ({ page, open }) => {
  await open(matching);
  await openFold(page);
  assert.equal(await page.locator('#log-found').textContent(), '');
  await paste(page);
  assert.match(await said(page), /^vLLM 0\.19\.0: 3 figures compared, [123] within the predicted range\.$/);
  assert.equal(await part(page, 'said').getAttribute('role'), 'status');
  const [weights, pool, tokens] = await rows(page);
  assert.deepEqual([weights[0], pool[0], tokens[0]], ['Weights', 'Cache pool', 'Tokens in the pool']);
  assert.match(weights[1], /^1[45]\.\d+ GiB/);
  assert.equal(weights[2], '14.99 GiB');
  assert.match(weights[3], /(within|outside) the range$/);
  assert.equal(tokens[2], '476,000');
  // The line itself, to be looked at.
  await page.locator('[data-key="log/weights"] summary').click();
  assert.match(await page.locator('[data-key="log/weights"] code').textContent(), /^\(EngineCore pid=326\) .* Model loading took 14\.99 GiB/);
  assert.equal(await page.locator('[data-key="log/weights"] summary').getAttribute('aria-label'), 'Line 3 of the log');
});

pageTest('what does not match is named with both values, and follows the configuration', async ({ page, open }) => {
  await open();
  await openFold(page);
  await paste(page);
  const mismatches = () => page.locator('#log .mismatches li').allTextContents().then((all) => all.map((text) => plain(text).replace(/Line \d+ of.*/, '').trim()));
  const before = await mismatches();
  assert.ok(before.includes('Model: Llama 3.1 8B in the log, Llama 3.1 70B here'), JSON.stringify(before));
  assert.ok(before.includes('Weights: BF16 in the log, FP8 here'));
  await choose(page, 'weights', 'bf16');
  await becomes(async () => (await mismatches()).some((text) => text.startsWith('Weights')), false);
  assert.ok((await mismatches()).includes('Model: Llama 3.1 8B in the log, Llama 3.1 70B here'));
});

pageTest('going on sets the fields, and is undone by the button or by the browser', async ({ page, open }) => {
  await open('weights=q4_k_m&context=1000&theme=dark');
  const start = await address(page);
  await openFold(page);
  await paste(page);
  await part(page, 'go').click();
  await told(page, /^The log's values are set\.$/);
  const set = new URLSearchParams((await address(page)).slice(1));
  for (const [key, wanted] of Object.entries({ model: 'llama-3.1-8b', weights: 'bf16', context: '8192', method: 'engine', engine: 'vllm', vllm_version: '0.17', measured_weights_gib: '14.99', theme: 'dark' })) assert.equal(set.get(key), wanted, key);
  assert.equal(await value(page, 'context'), '8192');
  assert.match(await sentence(page), /Llama 3\.1 8B/);
  await becomes(async () => (await rows(page))[0][3], '0 GiB 0% within the range');
  await part(page, 'undo').click();
  await becomes(() => address(page), start);
  await becomes(() => part(page, 'undo').isVisible(), false);
  await becomes(() => page.evaluate(() => document.activeElement.id), 'log-go');
  await part(page, 'go').click();
  await becomes(async () => /measured_weights_gib/.test(await address(page)), true);
  await page.goBack();
  await becomes(() => address(page), start);
  await becomes(async () => plain(await part(page, 'text').inputValue()).length > 100, true);
});

pageTest('a file is opened or dropped; what is no log says so, and clearing leaves nothing', async ({ page, open }) => {
  await open(matching);
  await openFold(page);
  await part(page, 'file').setInputFiles({ name: 'server.log', mimeType: 'text/plain', buffer: Buffer.from(`\ufeff${log.replaceAll('\n', '\r\n')}`, 'utf16le') });
  await told(page, /^vLLM 0\.19\.0: 3 figures/);
  assert.match(plain(await part(page, 'source').textContent()), /^From server\.log, /);
  await part(page, 'clear').click();
  assert.deepEqual([await said(page), await page.locator('#log-found').textContent(), await part(page, 'go').isVisible()], ['', '', false]);
  await page.evaluate((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], 'dropped.log', { type: 'text/plain' }));
    const over = new DragEvent('dragover', { bubbles: true, cancelable: true, dataTransfer: data });
    document.getElementById('log-text').dispatchEvent(over);
    if (!over.defaultPrevented) throw new Error('a drop would leave the page');
    document.getElementById('log-text').dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data }));
  }, log);
  await told(page, /^vLLM 0\.19\.0: 3 figures/);
  assert.match(plain(await part(page, 'source').textContent()), /^From dropped\.log, /);
  await paste(page, 'one\ntwo');
  await told(page, /^2 lines read, none of an engine that is known here\.$/);
  assert.equal(await part(page, 'go').isVisible(), false);
});

pageTest('nothing leaves the machine: with a log in hand nothing but the page’s own files is asked for', async ({ page, open, context }) => {
  await open(matching);
  await openFold(page);
  const asked = [];
  context.on('request', (request) => asked.push(`${request.method()} ${request.url()} ${request.postData() ?? ''}`));
  await paste(page);
  await part(page, 'go').click();
  await told(page, /values are set/);
  assert.deepEqual(asked.filter((request) => !/^GET [^?]*\/assets\/[\w./-]+ $/.test(request)), []);
});

pageTest('a hostile log is text', async ({ page, open }) => {
  await open(matching);
  await openFold(page);
  const evil = '<img src=x onerror=alert(1)><script>alert(2)</script>';
  await paste(page, log.replaceAll('meta-llama/Llama-3.1-8B-Instruct', evil).replace('Model loading', `${evil} Model loading`));
  await unfold(page);
  assert.equal(await page.locator('#log img, #log script').count(), 0);
  assert.ok((await page.locator('#log .mismatches').textContent()).includes(evil));
});

pageTest('by keyboard alone', async ({ page, open }) => {
  await open(matching);
  await page.locator('#log-fold > summary').focus();
  await page.keyboard.press('Enter');
  await part(page, 'text').waitFor();
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'log-text');
  await page.keyboard.insertText(log);
  await told(page, /3 figures/);
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'log-file');
  for (let i = 0; i < 30 && await page.evaluate(() => document.activeElement.id) !== 'log-go'; i += 1) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await told(page, /values are set/);
});

for (const lang of ['en', 'es', 'pt-BR']) {
  pageTest(`${lang}: accessible, within 320 pixels, in its own words`, { viewport: { width: 320, height: 800 } }, async ({ page, open }) => {
    await open('model=qwen3-8b', lang);
    await openFold(page);
    await paste(page);
    await unfold(page);
    assert.equal(plain(await page.locator('#log summary h2').textContent()), locales[lang].page.log);
    assert.deepEqual(await violations(page), []);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
    assert.doesNotMatch(await page.locator('#log').textContent(), /undefined|NaN|\[object|\{\w+\}|log\.\w/);
    assert.ok(pages[lang] !== undefined);
  });
}

pageTest('accessible in the dark', { colorScheme: 'dark' }, async ({ page, open }) => {
  await open(matching);
  await openFold(page);
  await paste(page);
  assert.deepEqual(await violations(page), []);
});

pageTest('the one-file page reads logs too, without a network', { file: 'vramfit.html' }, async ({ page, open }) => {
  await open('#model=llama-3.1-8b&weights=bf16');
  await openFold(page);
  await paste(page);
  assert.match(await said(page), /^vLLM 0\.19\.0: 3 figures compared/);
  await part(page, 'go').click();
  await told(page, /values are set/);
  assert.match(await address(page), /^#.*measured_weights_gib=14\.99/);
});

pageTest('a refused configuration has no such section; it comes back with the answer', async ({ page, open }) => {
  await open();
  assert.equal(await page.locator('#log').isVisible(), true);
  await page.locator('#form [name="model"]').waitFor();
  await open('model=nope');
  assert.equal(await page.locator('#log').isVisible(), false);
});

pageTest('going on to what is refused can be undone', async ({ page, open }) => {
  await open('weights=fp8&method=engine&engine=vllm');
  await openFold(page);
  // Nothing says what the file's weights are, and llama.cpp reads no FP8.
  await paste(page, 'build: 6182 (1fe00296) with cc\nload_tensors:        CUDA0 model buffer size =  4403.49 MiB');
  await part(page, 'go').click();
  await becomes(() => page.locator('.sentence').getAttribute('data-state'), 'refused');
  await becomes(() => part(page, 'undo').isVisible(), true);
  assert.equal(await page.locator('#log .measured').count(), 0);
  await part(page, 'undo').click();
  await becomes(() => address(page), '?method=engine&engine=vllm');
  await becomes(() => page.locator('#log .measured').count(), 1);
});

pageTest('where the section’s script cannot be had it says so, and tries again', { expect: [/log_view/, /ERR_FAILED|Failed to fetch/] }, async ({ page, open }) => {
  await open(matching);
  await page.route('**/log_view*', (route) => route.abort());
  await page.locator('#log-fold > summary').click();
  await page.locator('#log [role="alert"]').waitFor();
  await page.unroute('**/log_view*');
  await page.locator('#log-fold > summary').click();
  await page.locator('#log-fold > summary').click();
  await part(page, 'text').waitFor();
});

pageTest('in an article the whole calculator has it, undone without a history; the compact one has not', async ({ page, origin }) => {
  await openArticle(page, origin, { body: '<vram-fit view="full" lang="es" share="model=llama-3.1-8b&amp;weights=bf16"></vram-fit>' });
  await elementSettled(page);
  await openFold(page);
  await paste(page);
  assert.match(await said(page), /^vLLM 0\.19\.0: 3 cifras comparadas/);
  await part(page, 'go').click();
  await told(page, /^Los valores del log están puestos\.$/);
  assert.equal(await page.locator('#form [name="context"]').inputValue(), '8192');
  await part(page, 'undo').click();
  await becomes(() => page.locator('#form [name="context"]').inputValue(), '4096');
  await openArticle(page, origin, { body: '<vram-fit share="model=llama-3.1-8b"></vram-fit>' });
  await elementSettled(page);
  assert.equal(await page.locator('#log').count(), 0);
});
