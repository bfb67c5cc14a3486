// What the browser tests share: one browser and one server per file, a page that is watched, and ways to read what it shows.
//
//   pageTest('what it shows', async ({ page, open }) => { await open('weights=bf16'); ... });
//
// Every page is watched from its first byte: console errors and warnings, uncaught errors, policy violations, failed answers and
// requests to anywhere else fail its test, whatever else the test looks at.
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { after, test } from 'node:test';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { chromium } from 'playwright-core';

import { readLocales } from '../../web/locale_files.mjs';
import { serve } from '../../web/cli/serve.mjs';
import { assets, dist, root } from '../web/support.mjs';

export { assets, dist, root };
export const locales = Object.fromEntries(['en', 'es', 'pt-BR'].map((lang) => [lang, readLocales(lang)]));
export const pages = { en: '', es: 'es/', 'pt-BR': 'pt-br/' };
// Only a guard against waiting for ever; no test measures time.
const patience = Number(process.env.VRAMFIT_PATIENCE || 20000);

let browser, site;

async function started() {
  assert.ok(existsSync(join(assets, 'app.js')), 'dist/ is not built: run ./dev build');
  site ??= await serve(dist, 0);
  browser ??= await chromium.launch({
    executablePath: process.env.VRAMFIT_CHROMIUM || '/usr/bin/chromium',
    args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run', '--site-per-process'],
  });
}

after(async () => {
  await browser?.close();
  await site?.close();
});

// The site in a folder of its own that a test may change, on a server that it may close. `below`: the path at which it stands; `fill`
// puts it there.
async function ownSite(below, fill = (folder) => cpSync(dist, folder, { recursive: true })) {
  const top = mkdtempSync(join(tmpdir(), 'vramfit-'));
  const folder = join(top, below);
  fill(folder);
  const { origin, close } = await serve(top, 0);
  return { folder, origin, at: `${origin}/${below && `${below}/`}`, close, remove: () => close().finally(() => rmSync(top, { recursive: true })) };
}

// One file of the site on a disk, with nothing beside it.
function ownFile(name) {
  const folder = mkdtempSync(join(tmpdir(), 'vramfit file é '));
  cpSync(join(dist, name), join(folder, name));
  const origin = pathToFileURL(folder).href;
  return { folder, origin, at: `${origin}/${name}`, remove: () => rmSync(folder, { recursive: true }) };
}

// Everything a page did that it should not have.
export async function watch(context, origin) {
  const complaints = [];
  await context.exposeBinding('reportViolation', (_, what) => complaints.push(`policy: ${what}`));
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (e) => window.reportViolation(`${e.violatedDirective} ${e.blockedURI}`));
  });
  context.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !url.startsWith('data:')) complaints.push(`request elsewhere: ${url}`);
  });
  context.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`answer ${response.status()}: ${response.url()}`);
  });
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(`console ${message.type()}: ${message.text()}`);
  });
  context.on('weberror', (error) => complaints.push(`error: ${error.error().message}`));
  return complaints;
}

// Violations are told in a task of their own: wait until it has passed.
const reported = (page) => page.evaluate(() => new Promise((done) => { setTimeout(() => requestAnimationFrame(() => setTimeout(done))); })).catch(() => {});

// Runs `body` with a fresh context. `expect` lists patterns of complaints that the test provokes on purpose; each must turn up. With
// `own` (a path, or true for none) the test has the site to itself, and only then does it have its service worker; with `file` it has
// that file of the site on a disk, and no network.
export function pageTest(name, ...rest) {
  const body = rest.pop();
  const { expect = [], timeout = 6 * patience, own = false, fill, file = null, ...contextOptions } = rest[0] ?? {};
  test(name, { timeout }, async () => {
    await started();
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-US', ...contextOptions });
    context.setDefaultTimeout(patience);
    const used = file ? ownFile(file) : own ? await ownSite(own === true ? '' : own, fill) : site;
    if (file) await context.setOffline(true);
    if (!own && !file) await context.addInitScript(() => { delete Navigator.prototype.serviceWorker; });
    const complaints = await watch(context, used.origin);
    try {
      const page = await context.newPage();
      await body({ page, context, complaints, origin: used.origin, site: used, open: (share, lang, at = used.at) => open(page, share, lang, at) });
      if (contextOptions.javaScriptEnabled !== false) await Promise.all(context.pages().map(reported));
      const unexpected = complaints.filter((c) => !expect.some((pattern) => pattern.test(c)));
      assert.deepEqual(unexpected, [], 'the page did what it should not');
      for (const pattern of expect) assert.ok(complaints.some((c) => pattern.test(c)), `expected to see ${pattern}`);
    } catch (error) {
      if (complaints.length > 0) error.message += `\nMeanwhile:\n  ${complaints.join('\n  ')}`;
      throw error;
    } finally {
      // What a page asks for late must not answer into the next test.
      await Promise.all([context, ...context.pages()].map((asked) => asked.unrouteAll({ behavior: 'ignoreErrors' })));
      await context.close();
      await used.remove?.();
    }
  });
}

// Opens a share string (or '#...') in a language's page and waits until the page is live and complete.
export async function open(page, share = '', lang = 'en', at = `${site.origin}/`) {
  const query = share && !/^[?#]/.test(share) ? `?${share}` : share;
  const url = `${at}${pages[lang]}${query}`;
  // Only a change behind '#' loads nothing, so leave the page first.
  if (page.url().split('#')[0] === url.split('#')[0]) await page.goto('about:blank');
  await page.goto(url);
  await ready(page);
  await settled(page);
}

export const ready = (page) => page.waitForSelector('html[data-ready]', { state: 'attached' });

// What is drawn after the answer is drawn too.
export const settled = (page) => page.waitForSelector('#limits:not([aria-busy])', { state: 'attached' });

// While something is typed the page draws in the next frame.
export const drawn = (page) => page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => done()); }));

// Waits until `read()` gives `expected`; fails showing what it gave last.
export async function becomes(read, expected, what) {
  const end = Date.now() + patience;
  for (;;) {
    const got = await read();
    try {
      return assert.deepEqual(got, expected, what);
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((next) => { setImmediate(next); });
    }
  }
}

// --- what the page shows -------------------------------------------------------------------------------------------------

// Without the narrow spaces that some languages put into figures.
export const plain = (text) => text.replace(/[\s\u00a0\u202f]+/g, ' ').trim();

export async function sentence(page) {
  await drawn(page);
  return plain(await page.locator('.sentence').textContent());
}

export const address = (page) => page.evaluate(() => window.location.search + window.location.hash);

// [[use, per GPU, ...]], the total last.
export async function compartments(page) {
  await drawn(page);
  const rows = await page.locator('.compartments').evaluate((table) =>
    [...table.querySelectorAll('tbody tr:not(.terms), tfoot tr')].map((tr) => [...tr.cells].map((cell) => cell.textContent)));
  return rows.map((row) => row.map(plain).filter(Boolean));
}

// {gpu name: {counts: {1: verdict, ...}, smallest, price}}
export async function fitTable(page) {
  await drawn(page);
  const rows = await page.locator('.fit tbody tr').evaluateAll((trs) => trs.map((tr) => {
    const name = tr.querySelector('th').firstChild.textContent;
    const counts = Object.fromEntries([...tr.querySelectorAll('.chip')].map((chip) => [chip.textContent.match(/\d/)[0], chip.dataset.verdict]));
    const smallest = tr.cells[4].querySelector('div, .hint').textContent;
    return [name, { counts, smallest, price: tr.cells[2].querySelector('div, .hint').textContent }];
  }));
  return Object.fromEntries(rows.map(([name, row]) => [name, { ...row, smallest: plain(row.smallest), price: plain(row.price) }]));
}

export const field = (page, key) => page.locator(`#form [name="${key}"]`);
export const value = (page, key) => field(page, key).inputValue();
export const fieldError = async (page, key) => plain(await page.locator(`#e-${key}`).textContent());
export const notices = async (page) => (await page.locator('[data-region="notices"] li').allTextContents()).map(plain);

// Opens the folds that hold the less common fields.
export const unfold = (page) => page.evaluate(() => { for (const d of document.querySelectorAll('details')) d.open = true; });

// Types into a number field as a person would, and leaves it.
export async function typeInto(page, key, text) {
  await field(page, key).fill(text);
  await field(page, key).press('Tab');
  await drawn(page);
}

export async function choose(page, key, id) {
  await field(page, key).selectOption(id);
  await drawn(page);
}

// --- accessibility --------------------------------------------------------------------------------------------------------

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

// The rules of WCAG 2.2 AA that a machine can check, run from outside so that the page's policy stays in force.
export async function violations(page) {
  await page.evaluate(`${axeSource}; undefined`);
  const { violations: found } = await page.evaluate(() => window.axe.run(document, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
    resultTypes: ['violations'],
  }));
  return found.map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.target.join(' ')).join(', ')}`);
}
