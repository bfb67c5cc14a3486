// The panel's "Copy embed code", and that what it copies works where it is pasted.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { frameSnippet } from '../../web/embed/snippets.mjs';
import { contentSecurityPolicy } from '../../web/page/policy.mjs';
import { allowOthers, article, fits, frameHostPolicy, hostTest, inFrame } from './embed_support.mjs';
import { assets, becomes, locales, pageTest, plain, violations } from './support.mjs';

const panel = (page) => page.locator('dialog.share-panel');
const said = async (page) => plain(await panel(page).locator('[role="status"]').textContent());
const choose = (page, name, value) => panel(page).locator(`.share-embed [name="${name}"]`).selectOption(value);

async function openPanel(page) {
  await page.locator('#panel').click();
  await panel(page).locator('#share-embed').waitFor();
}

async function copied(page) {
  await panel(page).locator('[data-do="copy-embed"]').click();
  await becomes(async () => (await said(page)).length > 0, true);
  return page.evaluate(() => navigator.clipboard.readText());
}

const withClipboard = { permissions: ['clipboard-read', 'clipboard-write'] };
const sentenceIn = async (content) => plain(await content.locator('vram-fit .sentence').textContent());

for (const lang of ['en', 'es', 'pt-BR']) {
  hostTest(`copied code works on a page of another site: ${lang}`, withClipboard, async ({ page, context, origin, host, open, visit }) => {
    await open('model=qwen3-32b&weights=bf16&gpus=h200:3.20,b200:4.75', lang);
    const wanted = plain(await page.locator('.sentence').textContent());
    await openPanel(page);
    const element = await copied(page);
    assert.equal(await said(page), locales[lang].embed.copied);
    await choose(page, 'kind', 'frame');
    const frame = await copied(page);
    assert.equal(frame, await panel(page).locator('#share-embed').inputValue());
    assert.notEqual(frame, element);

    // As a frame: the host need allow frames and one script of the site.
    await visit(frame, { parent: false, policy: frameHostPolicy(origin).replace("script-src 'self'", `script-src 'self' ${origin}`), lang });
    await fits(page);
    assert.equal(await sentenceIn(await inFrame(page)), wanted);
    assert.deepEqual(await violations(page), []);

    // As an element, the site's files from another site.
    await allowOthers(context, origin);
    const policy = contentSecurityPolicy.replace("script-src 'self'", `script-src 'self' ${origin}`).replace("connect-src 'self'", `connect-src 'self' ${origin}`);
    await visit(element, { parent: false, policy, lang });
    await becomes(() => page.evaluate(() => document.querySelector('vram-fit').state), 'ready');
    assert.equal(await sentenceIn(page), wanted);
    assert.deepEqual(await violations(page), []);
  });
}

pageTest('copied code works under the strictest policy of the site\'s own origin, with and without scripts', withClipboard, async ({ page, context, origin, open }) => {
  await open('model=qwen3-32b', 'es');
  await openPanel(page);
  const element = await copied(page);
  await context.route(`${origin}/pasted`, (route) => route.fulfill({ body: article(element).replace('<link rel="stylesheet" href="/host.css">', ''), contentType: 'text/html', headers: { 'Content-Security-Policy': contentSecurityPolicy } }));
  await page.goto(`${origin}/pasted`);
  await becomes(() => page.evaluate(() => document.querySelector('vram-fit').state), 'ready');
  const bare = await (await context.browser().newContext({ javaScriptEnabled: false })).newPage();
  await bare.setContent(element);
  const link = bare.locator('vram-fit a');
  assert.equal(await link.textContent(), 'Memoria de GPU: Qwen3 32B');
  assert.equal(await link.getAttribute('href'), `${origin}/es/?model=qwen3-32b`);
  await bare.context().close();
});

hostTest('with the script in the page: its hash is all the policy needs', async ({ page, origin, visit }) => {
  const snippet = frameSnippet({ share: 'model=qwen3-8b', lang: 'en', site: `${origin}/`, label: 'x', parentScript: readFileSync(join(assets, 'embed-parent.js'), 'utf8') });
  const code = snippet.match(/<script>([\s\S]*)<\/script>/)[1];
  const hash = createHash('sha256').update(code).digest('base64');
  await visit(snippet, { parent: false, policy: frameHostPolicy(origin).replace("script-src 'self'", `script-src 'self' 'sha256-${hash}'`) });
  await fits(page);
});

pageTest('choices change the code; its hint says what the host needs', async ({ page, open }) => {
  await open('model=qwen3-32b&units=GiB', 'pt-BR');
  await openPanel(page);
  const code = () => panel(page).locator('#share-embed').inputValue();
  const hint = async () => plain(await panel(page).locator('#share-embed-hint').textContent());
  assert.match(await code(), /<vram-fit model="qwen3-32b" lang="pt-BR" units="GiB">/);
  assert.equal(await hint(), locales['pt-BR'].embed['hint.element']);
  await choose(page, 'theme', 'dark');
  await choose(page, 'view', 'full');
  assert.match(await code(), /<vram-fit model="qwen3-32b" lang="pt-BR" view="full" theme="dark" units="GiB">/);
  assert.equal(await hint(), locales['pt-BR'].embed['hint.element_full']);
  await choose(page, 'kind', 'frame');
  assert.match(await code(), /embed\.html\?model=qwen3-32b&amp;lang=pt-BR&amp;theme=dark&amp;units=GiB&amp;view=full"/);
  assert.equal(await hint(), locales['pt-BR'].embed['hint.frame']);
  assert.deepEqual(await violations(page), []);
});

pageTest('where copying is refused the code is selected and says so', async ({ page, open }) => {
  await open();
  await page.evaluate(() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no')); });
  await openPanel(page);
  await panel(page).locator('[data-do="copy-embed"]').click();
  await becomes(() => said(page), locales.en.embed.refused);
  const [selected, code] = await page.evaluate(() => {
    const { value, selectionStart, selectionEnd } = document.activeElement;
    return [value.slice(selectionStart, selectionEnd), document.getElementById('share-embed').value];
  });
  assert.equal(selected, code);
});

pageTest('a refused configuration can be embedded too, and the code says what it is', async ({ page, open }) => {
  await open('model=no-such-model');
  await openPanel(page);
  assert.match(await panel(page).locator('#share-embed').inputValue(), new RegExp(`<vram-fit model="no-such-model" lang="en">\n.*>${locales.en.embed.open}</a>`));
});
