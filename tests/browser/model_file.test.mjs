// "Your model's files": what is pasted, picked or dropped is understood here, the page goes on with that model and back, and nothing is
// sent.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { openArticle, settled as elementSettled } from './element_support.mjs';
import { config, gguf, sharded, whole } from './model_files.mjs';
import { address, becomes, locales, pageTest, pages, plain, sentence, unfold, value, violations } from './support.mjs';

const part = (page, id) => page.locator(`#model-file-${id}`);
const said = (page) => part(page, 'said').textContent().then(plain);
const told = (page, pattern) => becomes(async () => pattern.test(await said(page)) || said(page), true);
const found = (page) => part(page, 'found').textContent().then(plain);

async function openFold(page) {
  await page.locator('#model-file-fold > summary').click();
  await part(page, 'text').waitFor();
}

const asFile = (name, file, type = '') => ({ name, mimeType: type, buffer: whole(file) });
const pick = (page, files) => part(page, 'files').setInputFiles(files);
const tiny = () => asFile('tiny-Q8_0.gguf', gguf());

// Runs `use` with a folder of these files; {head, size} are as large as they say, with nothing on the disk behind the head.
async function withFolder(files, use) {
  const folder = mkdtempSync(join(tmpdir(), 'vramfit-model-'));
  try {
    for (const [path, file] of Object.entries(files)) {
      const at = join(folder, 'model', path);
      mkdirSync(dirname(at), { recursive: true });
      writeFileSync(at, Buffer.isBuffer(file) ? file : file.head);
      if (!Buffer.isBuffer(file)) truncateSync(at, file.size);
    }
    await use(join(folder, 'model'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

// [[cell, ...]] of a table of what was understood.
const table = (page, name) => page.getByRole('table', { name, exact: true }).locator('tbody tr').evaluateAll((trs) => trs.map((tr) => [...tr.cells].map((cell) => (cell.querySelector('div') ?? cell).textContent)))
  .then((rows) => rows.map((row) => row.map(plain)));

pageTest('a GGUF file is understood: layers, parameters by class, number formats; a live region says so', async ({ page, open }) => {
  await open();
  await openFold(page);
  assert.deepEqual([await said(page), await found(page), await part(page, 'go').isVisible()], ['', '', false]);
  await pick(page, [tiny()]);
  await told(page, /^Tiny: 86,848 parameters in 2 layers, 93\.2 kB of weights\.$/);
  assert.equal(await part(page, 'said').getAttribute('role'), 'status');
  await unfold(page);
  assert.deepEqual(await table(page, 'Layers'), [['Attention to all tokens', '2', 'Dense', '0.1 kB', '0-1']]);
  const classes = await table(page, 'Parameters by class');
  assert.deepEqual(classes.find(([name]) => name === 'Token embedding'), ['Token embedding', '6,400', '6.8 kB', '7%']);
  assert.equal(classes.length, 10);
  assert.deepEqual(await table(page, 'Number formats'), [['Q8_0', '86,528', '91.9 kB', '99%'], ['F32', '320', '1.3 kB', '1%']]);
  const facts = await found(page);
  for (const piece of ['Typellama', 'Read fromGGUF header', 'Longest context2,048 tokens', 'Explained by shape and formats93.2 kB, 100%']) assert.ok(facts.includes(piece), `${piece} in ${facts}`);
  assert.match(plain(await part(page, 'source').textContent()), /^tiny-Q8_0\.gguf, 0\.1 MB$/);
});

pageTest('a configuration is pasted; the page goes on with it, and back by the button or by the browser', async ({ page, open }) => {
  await open('model=qwen3-8b&context=1000&theme=dark');
  const start = await address(page);
  await openFold(page);
  await part(page, 'text').fill(JSON.stringify({ ...config, _name_or_path: 'org/tiny' }));
  await told(page, /86,848 parameters in 2 layers\.$/);
  await part(page, 'go').click();
  await told(page, /is the model now\.$/);
  const set = new URLSearchParams((await address(page)).slice(1));
  assert.match(set.get('shape'), /^hidden64,vocab100/);
  assert.deepEqual([set.get('context'), set.get('theme'), set.get('model')], ['1000', 'dark', null]);
  assert.match(await sentence(page), /84|MB|GB/);
  await part(page, 'undo').click();
  await becomes(() => address(page), start);
  assert.equal(await part(page, 'undo').isVisible(), false);
  assert.equal(await page.evaluate(() => document.activeElement.id), 'model-file-go');
  await part(page, 'go').click();
  await becomes(async () => /shape=/.test(await address(page)), true);
  await page.goBack();
  await becomes(() => address(page), start);
  // The link alone has the model.
  await page.goForward();
  await page.reload();
  await page.waitForSelector('html[data-ready]');
  assert.match(await address(page), /shape=hidden64/);
  assert.notEqual(await page.locator('.sentence').getAttribute('data-state'), 'refused');
});

pageTest('the form shows the model by its name, and a catalogue model takes its place', async ({ page, open }) => {
  await open();
  await openFold(page);
  await pick(page, [tiny()]);
  await told(page, /^Tiny/);
  await part(page, 'go').click();
  await told(page, /is the model now/);
  assert.equal(await value(page, 'model'), 'Tiny');
  assert.equal(await value(page, 'weights'), 'native');
  assert.match(await sentence(page), /^Tiny/);
  await page.locator('#form [name="model"]').fill('qwen3 8b');
  await page.locator('#l-model [data-id="qwen3-8b"]').click();
  await becomes(async () => /model=qwen3-8b/.test(await address(page)), true);
  assert.doesNotMatch(await address(page), /shape=|formats=|name=/);
  assert.match(await sentence(page), /^Qwen3 8B/);
});

pageTest('several files, a folder and a drop; where there are several models one is chosen', async ({ page, open }) => {
  await open();
  await openFold(page);
  const files = Object.entries(sharded(3));
  await pick(page, [...files.map(([name, file]) => asFile(name, file)), asFile('README.md', Buffer.from('hello'))]);
  await told(page, /86,848 parameters in 2 layers, 0\.2 MB of weights\.$/);
  assert.match(plain(await part(page, 'source').textContent()), /^5 files, .* 1 other file was not looked at\.$/);
  assert.equal(await part(page, 'choice').locator('option').count(), 2);
  await part(page, 'choice').selectOption('config.json');
  await told(page, /parameters in 2 layers\.$/);

  await withFolder({ ...sharded(2), 'gguf/tiny-Q8_0.gguf': gguf({ name: 'Tiny in a folder' }), 'tokenizer.json': Buffer.from('{}') }, async (folder) => {
    await part(page, 'folder').setInputFiles(folder);
    await told(page, /0\.2 MB of weights\.$/);
    const labels = await part(page, 'choice').locator('option').allTextContents();
    assert.ok(labels.map(plain).some((label) => /gguf\/tiny-Q8_0 · GGUF, 0\.1 MB$/.test(label)), JSON.stringify(labels));
    await part(page, 'choice').selectOption({ index: 1 });
    await told(page, /^Tiny in a folder/);
  });

  await part(page, 'clear').click();
  assert.deepEqual([await said(page), await found(page), await part(page, 'choices').isVisible()], ['', '', false]);
  await page.evaluate((bytes) => {
    const data = new DataTransfer();
    data.items.add(new File([Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))], 'dropped.gguf'));
    const over = new DragEvent('dragover', { bubbles: true, cancelable: true, dataTransfer: data });
    document.getElementById('model-file-text').dispatchEvent(over);
    if (!over.defaultPrevented) throw new Error('a drop would leave the page');
    document.getElementById('model-file-text').dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data }));
  }, whole(gguf({ name: 'Dropped' })).toString('base64'));
  await told(page, /^Dropped/);
  await pick(page, [asFile('a.txt', Buffer.from('a')), asFile('b.txt', Buffer.from('b'))]);
  await told(page, /^Nothing among these files describes a model\./);
});

pageTest('files of many gigabytes: their beginning is read, and no more', async ({ page, open }) => {
  await open();
  await openFold(page);
  await withFolder({ 'big.gguf': { ...gguf({ vocabulary: 200000 }), size: 9 * 2 ** 30 } }, async (folder) => {
    await pick(page, [join(folder, 'big.gguf')]);
    await told(page, /^(Tiny: 25\.67M parameters in 2 layers, 27\.3 MB of weights\.)$/);
    assert.match(await found(page), /big\.gguf|9\.7 GB/);
  });
});

pageTest('what is being read shows how far it is, and can be stopped', async ({ page, open }) => {
  await open();
  await openFold(page);
  // A file that never comes.
  await page.evaluate(() => {
    Blob.prototype.slice = function slice() { return { arrayBuffer: () => new Promise(() => {}) }; };
  });
  await pick(page, [tiny()]);
  await part(page, 'cancel').waitFor();
  assert.match(plain(await part(page, 'progress').textContent()), /^Reading tiny-Q8_0\.gguf/);
  await part(page, 'cancel').click();
  await told(page, /^Stopped\./);
  assert.equal(await part(page, 'progress').isVisible(), false);
  assert.equal(await page.evaluate(() => document.activeElement.id), 'model-file-text');
});

pageTest('refusals name file, place and value; what was found before is gone', async ({ page, open }) => {
  await open();
  await openFold(page);
  for (const [text, pieces] of [
    ['{"model_type": "llama", ', ['config.json']],
    [JSON.stringify({ ...config, model_type: 'never-heard-of' }), ['never-heard-of']],
    [JSON.stringify({ ...config, hidden_size: -5 }), ['hidden_size', '-5']],
    [JSON.stringify({ ...config, num_hidden_layers: undefined }), ['num_hidden_layers']],
  ]) {
    await pick(page, [tiny()]);
    await told(page, /^Tiny/);
    await part(page, 'text').fill(text);
    await told(page, /^Not understood: 1 point has to be settled first\.$/);
    const remarks = await page.locator('#model-file-found [data-severity="error"]').allTextContents();
    for (const piece of pieces) assert.ok(remarks.some((remark) => remark.includes(piece)), `${piece} in ${JSON.stringify(remarks)}`);
    assert.doesNotMatch(remarks.join(), /import-|undefined|\{\w+\}/);
    assert.equal(await part(page, 'go').isVisible(), false);
    assert.equal(await page.getByRole('table', { name: 'Layers', exact: true }).count(), 0);
  }
  for (const [name, bytes] of [['old.gguf', whole(gguf({ version: 1 }))], ['cut.gguf', whole(gguf()).subarray(0, 200)], ['noise.gguf', Buffer.alloc(5000, 0xa5)], ['empty.safetensors', Buffer.alloc(0)]]) {
    await pick(page, [asFile(name, bytes)]);
    await told(page, /^Not understood/);
    assert.ok((await found(page)).includes(name), name);
    assert.doesNotMatch(await found(page), /import-[a-z]/, name);
  }
});

pageTest('a hostile file is text', async ({ page, open }) => {
  await open();
  await openFold(page);
  const evil = '<img src=x onerror=alert(1)><script>alert(2)</script>';
  await pick(page, [asFile(`${evil.replaceAll('/', '')}.gguf`, gguf({ name: evil }))]);
  await told(page, /parameters/);
  assert.ok((await said(page)).includes(evil));
  await part(page, 'go').click();
  await told(page, /is the model now/);
  await unfold(page);
  assert.equal(await page.locator('#model-file img, #model-file script, #answer img').count(), 0);
  assert.ok((await sentence(page)).includes('<img'));
});

pageTest('nothing leaves the machine: with files in hand nothing but the page\u2019s own files is asked for', async ({ page, open, context }) => {
  await open();
  const asked = [];
  context.on('request', (request) => asked.push(`${request.method()} ${request.url()} ${request.postData() ?? ''}`));
  await openFold(page);
  await pick(page, [tiny()]);
  await told(page, /^Tiny/);
  await part(page, 'go').click();
  await told(page, /is the model now/);
  await page.locator('#hub-fold > summary').click();
  await page.locator('#hub-model').waitFor();
  await page.locator('#hub-model').fill('org/name');
  assert.ok(asked.length > 3);
  assert.deepEqual(asked.filter((request) => !/^GET [^?]*\/assets\/[\w./-]+ $/.test(request)), []);
});

pageTest('by keyboard alone', async ({ page, open }) => {
  await open();
  await page.locator('#model-file-fold > summary').focus();
  await page.keyboard.press('Enter');
  await part(page, 'text').waitFor();
  const focused = () => page.evaluate(() => document.activeElement.id);
  const order = [];
  for (let i = 0; i < 3; i += 1) {
    await page.keyboard.press('Tab');
    order.push(await focused());
  }
  assert.deepEqual(order, ['model-file-files', 'model-file-folder', 'model-file-text']);
  await page.keyboard.insertText(JSON.stringify(config));
  await told(page, /parameters/);
  for (let i = 0; i < 10 && await focused() !== 'model-file-go'; i += 1) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await told(page, /is the model now/);
});

for (const lang of ['en', 'es', 'pt-BR']) {
  pageTest(`${lang}: accessible, within 320 pixels, in its own words`, { viewport: { width: 320, height: 800 } }, async ({ page, open }) => {
    await open('model=qwen3-8b', lang);
    await openFold(page);
    const clean = async () => {
      await unfold(page);
      assert.deepEqual(await violations(page), []);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
      assert.doesNotMatch(await page.locator('#model-file').textContent(), /undefined|NaN|\[object|\{\w+\}|import[._-]\w|hub[._]\w/);
    };
    assert.equal(plain(await page.locator('#model-file-fold > summary').textContent()), locales[lang].page.model_file);
    await pick(page, [tiny()]);
    await told(page, /^Tiny/);
    await clean();
    await pick(page, [asFile('noise.gguf', Buffer.alloc(5000, 0xa5))]);
    await told(page, /./);
    await clean();
    assert.ok(pages[lang] !== undefined);
  });
}

pageTest('accessible in the dark', { colorScheme: 'dark' }, async ({ page, open }) => {
  await open();
  await openFold(page);
  await pick(page, [tiny()]);
  await told(page, /^Tiny/);
  await unfold(page);
  assert.deepEqual(await violations(page), []);
});

pageTest('its words follow the language of the page', async ({ page, open }) => {
  await open();
  await openFold(page);
  await pick(page, Object.entries(sharded(2)).map(([name, file]) => asFile(name, file)));
  await told(page, /2 layers/);
  await page.locator('a[data-lang="es"]').click();
  await page.waitForSelector('html[lang="es"][data-ready]');
  await openFold(page);
  assert.equal(await page.locator('label[for="model-file-text"]').textContent(), locales.es.import.field);
});

pageTest('the one-file page reads model files too, without a network, and knows no hub', { file: 'vramfit.html' }, async ({ page, open }) => {
  await open('#context=8192');
  await openFold(page);
  await pick(page, [tiny()]);
  await told(page, /^Tiny: 86,848/);
  await part(page, 'go').click();
  await told(page, /is the model now/);
  assert.match(await address(page), /^#.*shape=hidden64/);
  assert.equal(await page.locator('#hub-fold').count(), 0);
});

pageTest('in an article the whole calculator has it, without the hub and undone without a history; the compact one has not', async ({ page, origin }) => {
  await openArticle(page, origin, { body: '<vram-fit view="full" lang="es" share="model=llama-3.1-8b&amp;weights=bf16"></vram-fit>' });
  await elementSettled(page);
  await openFold(page);
  await pick(page, [tiny()]);
  await told(page, /^Tiny: 86[.,\s]?848 parámetros en 2 capas/);
  assert.equal(await page.locator('#hub-fold').count(), 0);
  await part(page, 'go').click();
  await told(page, /^El modelo ahora es Tiny\.$/);
  assert.equal(await page.locator('#form [name="model"]').inputValue(), 'Tiny');
  await part(page, 'undo').click();
  await becomes(() => page.locator('#form [name="model"]').inputValue(), 'Llama 3.1 8B');
  await openArticle(page, origin, { body: '<vram-fit share="model=llama-3.1-8b"></vram-fit>' });
  await elementSettled(page);
  assert.equal(await page.locator('#model-file').count(), 0);
});

pageTest('a refused configuration keeps the section: a model of one\u2019s own may be what settles it', async ({ page, open }) => {
  await open('model=nope');
  assert.equal(await page.locator('.sentence').getAttribute('data-state'), 'refused');
  await openFold(page);
  await pick(page, [tiny()]);
  await told(page, /^Tiny/);
  await part(page, 'go').click();
  await becomes(async () => (await page.locator('.sentence').getAttribute('data-state')) === 'refused', false);
  assert.match(await sentence(page), /^Tiny/);
});

pageTest('where the section\u2019s script cannot be had it says so, and tries again', { expect: [/model_file_view/, /ERR_FAILED|Failed to fetch/] }, async ({ page, open }) => {
  await open();
  await page.route('**/model_file_view*', (route) => route.abort());
  const summary = page.locator('#model-file-fold > summary');
  await summary.click();
  await becomes(() => page.locator('#model-file-body').textContent(), locales.en.page['panel.failed']);
  await page.unroute('**/model_file_view*');
  await summary.click();
  await summary.click();
  await part(page, 'text').waitFor();
});

pageTest('where the importer cannot be had it says so, and tries again', { expect: [/ERR_FAILED/, /Failed to fetch/] }, async ({ page, open }) => {
  await open();
  await openFold(page);
  await page.route('**/vramfit-import.wasm*', (route) => route.abort());
  await pick(page, [tiny()]);
  await told(page, /^The importer could not be loaded\. Try again\.$/);
  await page.unroute('**/vramfit-import.wasm*');
  await pick(page, [tiny()]);
  await told(page, /^Tiny/);
});
