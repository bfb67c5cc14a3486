// The model hub asked by a button: by its true name and under the shipped policy, where a stand-in answers as the hub does. Nothing is
// asked before, and what is asked stands on the page first; every answer is explained.
import assert from 'node:assert/strict';
import { after } from 'node:test';

import { openArticle, settled as elementSettled } from './element_support.mjs';
import { startHub } from './hub_stand_in.mjs';
import { gguf, sharded } from './model_files.mjs';
import { address, becomes, browserArguments, locales, pageTest, plain, sentence, unfold, violations } from './support.mjs';

const big = 9 * 2 ** 30;
const files = {
  ...sharded(3),
  'README.md': Buffer.from('# hello'),
  // Larger than a first piece, and its header too.
  'tiny-Q8_0.gguf': { ...gguf({ name: 'Tiny of the hub', vocabulary: 20000 }), size: big },
  'sub/other-Q8_0.gguf': gguf({ name: 'Another' }),
};
const hub = await startHub({
  'org/tiny': { main: files, 'refs/pr/1': { 'config.json': files['config.json'] } },
  'org/empty': { main: { 'README.md': Buffer.from('# nothing') } },
  'org/gated': { main: files },
}, { secure: true });
browserArguments.push(`--host-resolver-rules=${hub.rules}`, '--ignore-certificate-errors');
after(() => hub.close());

const clean = { ...hub.ways };
const part = (page, id) => page.locator(`#hub-${id}`);
const said = (page) => page.locator('#model-file-said').textContent().then(plain);
const told = (page, pattern) => becomes(async () => pattern.test(await said(page)) || said(page), true);
const asked = () => hub.asked.map(({ host, path, range }) => [host, path.replace('?signed=1', ''), range]);

// That the hub is asked is what these tests are about.
const atHub = /^request elsewhere: https:\/\/(huggingface\.co|cas-bridge\.xethub\.hf\.co)\//;
const refused = [/^answer 4\d\d: https:\/\/huggingface\.co/, /^console error: Failed to load resource/];
function hubTest(name, ...rest) {
  const body = rest.pop();
  pageTest(name, { ...rest[0], expect: [atHub, ...(rest[0]?.expect ?? [])] }, async (given) => {
    Object.assign(hub.ways, clean);
    hub.asked.length = 0;
    await body(given);
  });
}

async function openHub(page, model) {
  await page.locator('#model-file-fold > summary').click();
  await page.locator('#hub-fold > summary').click();
  await part(page, 'model').waitFor();
  if (model) await part(page, 'model').fill(model);
}

async function list(page, model = 'org/tiny') {
  await openHub(page, model);
  await part(page, 'list').click();
  await told(page, /\S/);
}

hubTest('nothing is asked before a button is pressed; what is asked stood on the page; the model is used', async ({ page, open }) => {
  await open('context=8192');
  await openHub(page, 'https://huggingface.co/org/tiny');
  const first = await page.locator('#hub-list-plan code').textContent();
  assert.equal(first, 'https://huggingface.co/api/models/org/tiny/tree/main?recursive=true');
  assert.deepEqual(hub.asked, []);
  await part(page, 'list').click();
  await told(page, /^8 files in org\/tiny \(main\); 4 can be read\.$/);
  assert.deepEqual(asked(), [['hub', first.slice('https://huggingface.co'.length), null]]);
  assert.equal(await page.evaluate(() => document.activeElement.id), 'hub-choice');

  await unfold(page);
  const planned = await page.locator('#hub-plan li code').allTextContents();
  assert.equal(planned.length, 5);
  assert.match(plain(await page.locator('#hub-plan').textContent()), /^Will be asked for: 5 files or their beginnings, about 0\.2 MB together\./);
  await part(page, 'read').click();
  await told(page, /^llama: 86,848 parameters in 2 layers, 0\.2 MB of weights\.$/);
  assert.deepEqual(hub.asked.slice(1).filter(({ host }) => host === 'hub').map(({ path }) => `https://huggingface.co${path}`).sort(), [...planned].sort());
  assert.ok(hub.asked.every(({ cookie, authorization, referer }) => cookie === null && authorization === null && referer === null), 'more was sent than the address');
  await page.locator('#model-file-go').click();
  await told(page, /is the model now\.$/);
  assert.match(await address(page), /shape=hidden64.*context=8192|context=8192.*shape=hidden64/);
  assert.doesNotMatch(await sentence(page), /refused|undefined/);
});

hubTest('a quantization of many gigabytes: its header, and no more, over the redirect', async ({ page, open }) => {
  await open();
  await list(page, 'https://huggingface.co/org/tiny/blob/main/tiny-Q8_0.gguf');
  assert.equal(await part(page, 'choice').inputValue(), 'tiny-Q8_0.gguf');
  assert.match(plain(await page.locator('#hub-plan').textContent()), /about 12 MB together.*the beginning, usually 12 MB or less, of 9\.7 GB/);
  await part(page, 'read').click();
  await told(page, /^Tiny of the hub: 2\.63M parameters/);
  const heads = asked().slice(1);
  assert.ok(heads.length >= 4 && heads.every(([, path, range]) => path.endsWith('/tiny-Q8_0.gguf') && /^bytes=\d+-\d+$/.test(range)), JSON.stringify(heads));
  assert.ok(heads.some(([host]) => host === 'cdn'));
  assert.ok(hub.asked.reduce((sum, { sent }) => sum + sent, 0) < 2e6);
});

hubTest('branches, and files in folders', async ({ page, open }) => {
  await open();
  await openHub(page, 'org/tiny');
  await part(page, 'branch').fill('refs/pr/1');
  assert.equal(await page.locator('#hub-list-plan code').textContent(), 'https://huggingface.co/api/models/org/tiny/tree/refs%2Fpr%2F1?recursive=true');
  await part(page, 'list').click();
  await told(page, /^1 file in org\/tiny \(refs\/pr\/1\); 1 can be read\.$/);
  await part(page, 'branch').fill('');
  await part(page, 'list').click();
  await told(page, /\(main\)/);
  await part(page, 'choice').selectOption('sub/other-Q8_0.gguf');
  await part(page, 'read').click();
  await told(page, /^Another: 86,848 parameters/);
});

hubTest('a server that ignores ranges is left as soon as the header is there', async ({ page, open }) => {
  await open();
  await list(page, 'org/tiny:Q8_0');
  hub.ways.ignoresRange = true;
  await part(page, 'choice').selectOption('tiny-Q8_0.gguf');
  await part(page, 'read').click();
  await told(page, /^Tiny of the hub/);
  await becomes(async () => hub.asked.reduce((sum, { sent }) => sum + sent, 0) < 200e6, true);
});

hubTest('answers that are none are explained', { expect: refused }, async ({ page, open }) => {
  await open();
  const { hub_error: words } = locales.en;
  const fill = (message, values) => message.replace(/\{(\w+)(?::[^}]*\|([^}]*))?\}/g, (_, name, other) => other ?? values[name]);
  await list(page, 'org/none');
  await told(page, /^The hub knows no public model org\/none\./);
  assert.equal(await said(page), fill(words.no_model, { model: 'org/none' }));
  const again = async (model, branch = '') => {
    await part(page, 'model').fill(model);
    await part(page, 'branch').fill(branch);
    await part(page, 'list').click();
  };
  await again('org/tiny', 'v9');
  await told(page, /^org\/tiny has no branch v9\.$/);
  await again('org/empty');
  await told(page, /^org\/empty \(main\) has no file that describes a model/);
  assert.equal(await part(page, 'listed').isVisible(), false);
  hub.ways.limited = {};
  await again('org/tiny');
  await told(page, /^huggingface\.co has had too many requests from your network\. It counts over five minutes/);
  // Where the answer lets a page see how long.
  hub.ways.limited = { 'Retry-After': '37', 'Access-Control-Expose-Headers': 'Retry-After' };
  await again('org/tiny');
  await told(page, /It takes more in 37 seconds\.$/);
  hub.ways.limited = null;
  hub.ways.gated = new Set(['org/gated']);
  await again('org/gated');
  await told(page, /can be read/);
  await part(page, 'read').click();
  await told(page, /^org\/gated is gated: its publisher asks you to sign in/);
  hub.ways.list = { body: '<!doctype html><title>Sign in</title>', type: 'text/html' };
  await again('org/tiny');
  await told(page, /^What came instead of the list of org\/tiny is no list of files \(text\/html\)\.$/);
  hub.ways.list = null;
  hub.ways.page = '<!doctype html><title>Sign in</title>';
  await again('org/tiny');
  await told(page, /can be read/);
  await part(page, 'read').click();
  await told(page, /^What came instead of .* is a page \(text\/html\)/);
  assert.equal(await page.locator('#model-file-found').textContent(), '');
});

hubTest('a hub that other sites\u2019 pages may not read, and a machine without a network', { expect: [/^console error: .*(CORS|ERR_FAILED|ERR_INTERNET_DISCONNECTED)/] }, async ({ page, open, context }) => {
  await open();
  hub.ways.withoutCors = new Set(['hub']);
  await list(page);
  await told(page, /^No answer from huggingface\.co reached this page\./);
  hub.ways.withoutCors = new Set(['cdn']);
  await part(page, 'list').click();
  await told(page, /can be read/);
  await part(page, 'choice').selectOption('tiny-Q8_0.gguf');
  await part(page, 'read').click();
  await told(page, /^No answer from huggingface\.co reached this page\./);
  await context.setOffline(true);
  await part(page, 'list').click();
  await told(page, /^This machine is offline\./);
  await context.setOffline(false);
});

hubTest('a redirect to elsewhere is not followed, and named', { expect: [/^policy: connect-src/, /^console error: .*(Content Security Policy|violates)/, /^request elsewhere: https:\/\/elsewhere\.example/] }, async ({ page, open }) => {
  await open();
  await list(page);
  hub.sendsTo('https://elsewhere.example');
  await part(page, 'choice').selectOption('tiny-Q8_0.gguf');
  await part(page, 'read').click();
  await told(page, /^The hub sent the request on to a host that this page does not allow itself to ask/);
  assert.ok(asked().every(([host]) => host === 'hub'));
  hub.sendsTo('https://cas-bridge.xethub.hf.co');
});

hubTest('asking can be stopped', async ({ page, open }) => {
  await open();
  hub.ways.held = true;
  await openHub(page, 'org/tiny');
  await part(page, 'list').click();
  await page.locator('#model-file-cancel').click();
  await told(page, /^Stopped\. Nothing was changed\.$/);
  assert.equal(await page.evaluate(() => document.activeElement.id), 'hub-list');
  hub.ways.held = false;
  await part(page, 'list').click();
  await told(page, /can be read/);
});

pageTest('what is typed wrong is said at the field, and nothing is asked', async ({ page, open }) => {
  hub.asked.length = 0;
  await open();
  await openHub(page);
  for (const [model, branch, pattern, field] of [
    ['', '', /^Type a model as ORG\/NAME/, 'model'], ['a b', '', /^This names no model\./, 'model'], ['https://example.com/a/b', '', /^Only models on huggingface\.co/, 'model'],
    ['org/tiny', 'a..b', /^No branch can have that name\.$/, 'branch'],
  ]) {
    await part(page, 'model').fill(model);
    await part(page, 'branch').fill(branch);
    await part(page, 'model').press('Enter');
    assert.match(await part(page, 'typed').textContent(), pattern);
    assert.equal(await part(page, field).getAttribute('aria-invalid'), 'true');
    assert.equal(await page.evaluate(() => document.activeElement.id), `hub-${field}`);
    assert.equal(await page.locator('#hub-list-plan').textContent(), '');
  }
  assert.deepEqual(hub.asked, []);
});

hubTest('by keyboard alone', async ({ page, open }) => {
  await open();
  const focused = () => page.evaluate(() => document.activeElement.id);
  const tabTo = async (id) => {
    for (let i = 0; i < 12 && await focused() !== id; i += 1) await page.keyboard.press('Tab');
    assert.equal(await focused(), id);
  };
  await page.locator('#model-file-fold > summary').focus();
  await page.keyboard.press('Enter');
  await page.locator('#model-file-text').waitFor();
  await tabTo('model-file-text');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await part(page, 'model').waitFor();
  await tabTo('hub-model');
  await page.keyboard.type('org/tiny');
  await page.keyboard.press('Enter');
  await told(page, /can be read/);
  assert.equal(await focused(), 'hub-choice');
  await tabTo('hub-read');
  await page.keyboard.press('Enter');
  await told(page, /86,848 parameters/);
  await tabTo('model-file-go');
  await page.keyboard.press('Enter');
  await told(page, /is the model now/);
});

for (const [lang, scheme] of [['en', 'light'], ['es', 'dark'], ['pt-BR', 'light']]) {
  hubTest(`${lang}, ${scheme}: accessible, within 320 pixels, in its own words`, { viewport: { width: 320, height: 800 }, colorScheme: scheme }, async ({ page, open }) => {
    await open('', lang);
    await list(page, 'org/tiny');
    await part(page, 'listed').waitFor();
    await unfold(page);
    assert.deepEqual(await violations(page), []);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
    assert.doesNotMatch(await page.locator('#model-file').textContent(), /undefined|NaN|\[object|\{\w+\}|hub[._]\w|import[._]\w/);
    assert.equal(await part(page, 'list').textContent(), locales[lang].hub.list);
  });
}

pageTest('the policy of pages that have no hub lets nothing there', { expect: [/^policy: connect-src/, /^console error: .*(Content Security Policy|violates)/] }, async ({ page, origin }) => {
  hub.asked.length = 0;
  for (const path of ['canvas.html', 'docs/privacy.html', 'embed.html']) {
    await page.goto(`${origin}/${path}`);
    assert.equal(await page.locator('#hub-fold').count(), 0, path);
    assert.equal(await page.evaluate(() => fetch('https://huggingface.co/api/models/org/tiny/tree/main').then(() => 'answered', () => 'kept away')), 'kept away', path);
  }
  assert.deepEqual(hub.asked, []);
});

pageTest('the element has no hub, nor has the frame', async ({ page, origin }) => {
  await openArticle(page, origin, { body: '<vram-fit view="full" lang="en"></vram-fit>' });
  await elementSettled(page);
  await page.locator('#model-file-fold > summary').click();
  await page.locator('#model-file-text').waitFor();
  assert.equal(await page.locator('#hub-fold').count(), 0);
  await page.goto(`${origin}/embed.html?view=full`);
  await page.locator('#model-file-fold > summary').click();
  await page.locator('#model-file-text').waitFor();
  assert.equal(await page.locator('#hub-fold').count(), 0);
});
