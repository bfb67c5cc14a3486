// The hosted site without a network, and how a new version takes the place of an old one.
import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { filesBelow, keptFiles, writeOffline } from '../../web/build/offline.mjs';
import { becomesReady, openAlone } from './canvas_support.mjs';
import { address, becomes, dist, locales, pages, pageTest, ready, sentence, settled, value, violations } from './support.mjs';

// What the browser keeps of the site, as addresses below it.
const cached = (page) => page.evaluate(async () => {
  const root = new URL(document.documentElement.dataset.root, document.baseURI).href;
  const names = (await caches.keys()).filter((name) => name.endsWith(root));
  const keys = (await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))).flat();
  return keys.map(({ url }) => url.replace(root, './'));
});
const listed = (folder) => keptFiles(folder).map(({ url, revision }) => `${url}?__WB_REVISION__=${revision}`).sort();

// The page has the worker, and the worker has everything.
async function kept(page, folder) {
  await becomes(() => page.evaluate(() => navigator.serviceWorker.controller?.state), 'activated');
  assert.deepEqual((await cached(page)).sort(), listed(folder));
}

// A version of the site that can be told from others by its skip link and by a late text.
async function release(folder, name) {
  for (const path of Object.values(pages)) {
    const file = join(folder, path, 'index.html');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/<html /, `<html data-version="${name}" `).replace(/data-version="\w+" data-version="\w+"/, `data-version="${name}"`));
  }
  const late = join(folder, 'assets', 'what_if_view.js');
  writeFileSync(late, `${readFileSync(late, 'utf8').replace(/document\.documentElement\.dataset\.late="\w+";\n$/, '')}document.documentElement.dataset.late="${name}";\n`);
  await writeOffline(folder);
}
const version = (page) => page.evaluate(() => [document.documentElement.dataset.version, document.documentElement.dataset.late]);
const update = (page) => page.locator('#update');
const button = (page, name) => page.locator(`#update [data-update="${name}"]`);

pageTest('once it was open, the whole site works without a network', { own: 'some/deep path' }, async ({ page, context, site, open }) => {
  await open('model=qwen3-32b');
  await kept(page, site.folder);
  await site.close();
  await context.setOffline(true);
  for (const lang of ['en', 'es', 'pt-BR']) {
    await open('model=llama-3.1-70b&weights=fp8&context=32k', lang);
    assert.equal(await page.title(), locales[lang].page.title);
    assert.equal(await value(page, 'model'), 'Llama 3.1 70B');
    await page.evaluate(() => document.getElementById('canvas').scrollIntoView());
    await becomesReady(page);
  }
  await page.locator('#sources-fold summary').click();
  await page.waitForSelector('#catalog-sources h4');
  await open('weights=int8', 'en', `${site.at}index.html`);
  await open('lang=es');
  assert.equal(await page.getAttribute('html', 'lang'), 'es');
  await page.goto(`${site.at}es/docs/numbers.html`);
  assert.equal(await page.locator('h1').textContent(), locales.es.docs['numbers.title']);
  await page.goto(`${site.at}canvas.html?model=qwen3-32b`);
  await becomesReady(page);
});

pageTest('the canvas\'s own page keeps the site too', { own: true }, async ({ page, site, origin, open }) => {
  await openAlone(page, origin, 'model=qwen3-32b', 'es');
  await kept(page, site.folder);
  await site.close();
  await open('', 'pt-BR');
});

pageTest('everything of the site is kept but what only others ask for', async () => {
  const urls = new Set(keptFiles(dist).map(({ url }) => url.slice(2)));
  const left = filesBelow(dist).filter((file) => !urls.has(file.replace(/(^|\/)index\.html$/, '$1')));
  assert.deepEqual(left.filter((file) => !/^(sw\.js|vramfit\.html|robots\.txt|sitemap[\w-]*\.xml|((es|pt-br)\/)?embed\.html|examples\/.*|assets\/(preview\/|embed|vram-fit).*)$/.test(file)), []);
});

pageTest('a new version waits until the reader asks for it, and then all pages have it', { own: true }, async ({ page, context, site, open }) => {
  await release(site.folder, 'one');
  await open('model=qwen3-32b');
  await kept(page, site.folder);
  await page.reload();
  await settled(page);
  await becomes(() => version(page), ['one', 'one']);
  assert.equal(await update(page).innerHTML(), '');

  const before = listed(site.folder);
  await release(site.folder, 'two');
  await page.reload();
  await settled(page);
  // Browsers look for a new worker after a load, but when they please.
  await page.evaluate(async () => { await (await navigator.serviceWorker.getRegistration()).update(); });
  await page.locator('#form [name="context"]').focus();
  await becomes(() => update(page).locator('p').allTextContents(), [locales.en.offline.ready]);
  assert.equal(await page.evaluate(() => document.activeElement.name), 'context', 'the notice took the focus');
  await becomes(() => version(page), ['one', 'one']);
  assert.deepEqual(await violations(page), []);

  // Another page, opened now, is still of the old version; so is what loads late in it.
  const other = await context.newPage();
  await other.goto(`${site.at}es/?model=qwen3-8b&weights=int8`);
  await ready(other);
  await settled(other);
  await becomes(() => version(other), ['one', 'one']);
  await becomes(() => update(other).locator('p, button').allTextContents(), [locales.es.offline.ready, locales.es.offline.reload, locales.es.offline.later]);

  // The notice speaks the page's language and can be put away.
  await page.goto(`${site.at}?model=qwen3-32b&weights=int8&lang=pt-BR`);
  await ready(page);
  await becomes(() => update(page).locator('p').allTextContents(), [locales['pt-BR'].offline.ready]);
  await button(page, 'later').click();
  assert.equal(await update(page).innerHTML(), '');

  const reloaded = [page, other].map((p) => p.waitForEvent('domcontentloaded'));
  await button(other, 'now').focus();
  await other.keyboard.press('Enter');
  await Promise.all(reloaded);
  for (const p of [page, other]) {
    await ready(p);
    await settled(p);
    await becomes(() => version(p), ['two', 'two']);
  }
  assert.equal(await address(other), '?model=qwen3-8b&weights=int8');
  assert.equal(await address(page), '?model=qwen3-32b&weights=int8&lang=pt-BR');
  const after = listed(site.folder);
  await becomes(async () => (await cached(page)).sort(), after, 'the old version\'s files are gone');
  assert.notDeepEqual(before, after);
  assert.equal(await update(page).innerHTML(), '');
});

pageTest('a version that could not be had whole changes nothing', { own: true }, async ({ page, site, open }) => {
  await release(site.folder, 'one');
  await open();
  await kept(page, site.folder);
  await release(site.folder, 'two');
  // Of what is new, a file is missing at the host; another is not what was built.
  const late = join(site.folder, 'assets', 'what_if_view.js');
  const built = readFileSync(late);
  for (const spoil of [() => rmSync(late), () => writeFileSync(late, `${built}\n`)]) {
    spoil();
    await page.reload();
    await ready(page);
    const gaveUp = await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      const worker = registration.installing ?? await new Promise((done) => { registration.addEventListener('updatefound', () => done(registration.installing)); registration.update(); });
      while (worker.state !== 'redundant') await new Promise((done) => { worker.addEventListener('statechange', done, { once: true }); });
      return registration.waiting === null;
    });
    assert.ok(gaveUp);
    assert.equal(await update(page).innerHTML(), '');
  }
  await site.close();
  await open('model=qwen3-32b');
  await becomes(() => version(page), ['one', 'one']);
  await page.evaluate(() => document.getElementById('canvas').scrollIntoView());
  await becomesReady(page);
  await page.locator('#sources-fold summary').click();
  await page.waitForSelector('#catalog-sources h4');
});

pageTest('frames and pages of others have no worker of ours and get no files from it', { own: true }, async ({ page, site, open }) => {
  // A page that frames the site registers nothing.
  const head = '<!doctype html><title>x</title><link rel="icon" href="data:,">';
  await page.route(`${site.at}article.html`, (route) => route.fulfill({ contentType: 'text/html', body: `${head}<iframe src="./?model=qwen3-32b"></iframe>` }));
  await page.goto(`${site.at}article.html`);
  const frame = page.frames()[1];
  await frame.waitForSelector('html[data-ready]', { state: 'attached' });
  await page.waitForTimeout(2500);  // longer than the page waits before it registers
  assert.equal(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length), 0);

  // Below a site that was opened before, a page of somebody else's sees what the server has.
  await open();
  await kept(page, site.folder);
  writeFileSync(join(site.folder, 'assets', 'licenses.txt'), 'new');
  const read = () => page.evaluate(async () => (await fetch(new URL('assets/licenses.txt', document.baseURI))).text());
  assert.notEqual(await read(), 'new');
  await page.unroute(`${site.at}article.html`);
  writeFileSync(join(site.folder, 'article.html'), head);
  await page.goto(`${site.at}article.html`);
  assert.equal(await page.evaluate(() => navigator.serviceWorker.controller?.state), 'activated');
  assert.equal(await read(), 'new');
});

for (const lang of Object.keys(pages)) {
  pageTest(`${lang}: the page can be installed`, { own: 'here' }, async ({ page, site, open }) => {
    await open('', lang);
    const link = await page.locator('link[rel="manifest"]').evaluate((node) => node.href);
    assert.equal(link, `${site.at}${pages[lang]}manifest.webmanifest`);
    const session = await page.context().newCDPSession(page);
    const { data, errors } = await session.send('Page.getAppManifest');
    assert.deepEqual(errors, []);
    const manifest = JSON.parse(data);
    assert.equal(manifest.lang, lang);
    assert.equal(manifest.description, locales[lang].page.description);
    assert.equal(new URL(manifest.start_url, link).href, site.at + pages[lang]);
    assert.equal(new URL(manifest.scope, link).href, site.at);
    const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
    assert.deepEqual(installabilityErrors.map((e) => e.errorId).filter((id) => id !== 'in-incognito'), []);
    const sizes = await page.evaluate(async ({ icons, at }) => Promise.all(icons.map(async ({ src, purpose }) => {
      const image = new Image();
      image.src = new URL(src, at);
      await image.decode();
      return `${purpose} ${image.naturalWidth}x${image.naturalHeight}`;
    })), { icons: manifest.icons, at: link });
    assert.deepEqual(manifest.icons.map((icon) => `${icon.purpose} ${icon.sizes}`), sizes);
    for (const wanted of ['any 192x192', 'any 512x512', 'maskable 512x512']) assert.ok(sizes.includes(wanted), wanted);
    for (const { url } of manifest.shortcuts) assert.equal((await page.request.get(new URL(url, link).href)).status(), 200);
  });
}
