// What search engines and link previews read, with the site's address given to the build and without.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, test } from 'node:test';

import { languages } from '../../web/text/messages.mjs';
import { root } from './support.mjs';

const work = mkdtempSync(join(tmpdir(), 'vramfit-site-'));
after(() => rmSync(work, { recursive: true }));
const made = join(root, 'build', 'wasm');
const site = 'https://example.org/fit/';

function build(name, ...more) {
  const out = join(work, name);
  const { VRAMFIT_SITE_URL, ...env } = process.env;
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'web', 'build', 'main.mjs'), '--core', join(made, 'web'), '--canvas', join(made, 'shell'),
    '--licenses', join(made, 'generated', 'licenses.txt'), '--sources', join(made, 'generated', 'sources.json'), '--out', out, ...more], { encoding: 'utf8', env });
  return { out, status, stderr };
}

const addressed = build('addressed', '--site-url', 'https://example.org/fit');
const anywhere = build('anywhere');
assert.equal(addressed.status, 0, addressed.stderr);
assert.equal(anywhere.status, 0, anywhere.stderr);

const htmlFiles = (out) => readdirSync(out, { recursive: true, withFileTypes: true }).filter((f) => f.name.endsWith('.html')).map((f) => relative(out, join(f.parentPath ?? f.path, f.name)));
// Pages that are meant to be found.
const pages = htmlFiles(addressed.out).filter((file) => !/noindex/.test(readFileSync(join(addressed.out, file), 'utf8')));
const addressOf = (file) => site + file.replace(/(^|\/)index\.html$/, '$1');
const read = (built, file) => readFileSync(join(built.out, file), 'utf8');
const one = (html, pattern) => {
  const found = [...html.matchAll(pattern)].map((m) => m[1]);
  assert.equal(found.length, 1, `${pattern}: ${found}`);
  return found[0];
};
const pngSize = (path) => {
  const bytes = readFileSync(path);
  assert.equal(bytes.toString('latin1', 1, 4), 'PNG');
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
};

test('the page for frames is not to be found, and names the main page as its original where that has an address', () => {
  const canonical = /<link rel="canonical" href="([^"]+)">/g;
  assert.equal(one(read(addressed, 'embed.html'), canonical), site);
  assert.doesNotMatch(read(anywhere, 'embed.html'), canonical);
  for (const built of [addressed, anywhere]) assert.equal(one(read(built, 'embed.html'), /<meta name="robots" content="([^"]+)">/g), 'noindex');
});

test('every page says who it is, in its language and once', () => {
  assert.ok(pages.length >= 3 * 8);
  const titles = new Map();
  for (const file of pages) {
    const html = read(addressed, file);
    const title = one(html, /<title>([^<]+)<\/title>/g);
    const description = one(html, /<meta name="description" content="([^"]+)">/g);
    assert.ok(title.length <= 80 && description.length >= 70 && description.length <= 175, `${file}: ${title.length}, ${description.length}`);
    const key = `${html.match(/<html lang="([^"]+)"/)[1]} ${title}`;
    assert.ok(!titles.has(key), `${file} and ${titles.get(key)}: ${title}`);
    titles.set(key, file);
    assert.equal(one(html, /<meta property="og:title" content="([^"]+)">/g), title);
    assert.equal(one(html, /<meta property="og:description" content="([^"]+)">/g), description);
  }
});

test('with an address, pages name theirs and their image in full', () => {
  for (const file of pages) {
    const html = read(addressed, file);
    assert.equal(one(html, /<link rel="canonical" href="([^"]+)">/g), addressOf(file));
    assert.equal(one(html, /<meta property="og:url" content="([^"]+)">/g), addressOf(file));
    const image = one(html, /<meta property="og:image" content="([^"]+)">/g);
    assert.ok(image.startsWith(site));
    assert.deepEqual(pngSize(join(addressed.out, image.slice(site.length))), [1200, 630]);
    assert.equal(one(html, /<meta name="twitter:card" content="([^"]+)">/g), 'summary_large_image');
  }
});

test('the languages of a page name one another, and themselves', () => {
  for (const file of pages) {
    const found = Object.fromEntries([...read(addressed, file).matchAll(/<link rel="alternate" hreflang="([^"]+)" href="([^"]+)">/g)].map((m) => [m[1], m[2]]));
    assert.deepEqual(Object.keys(found), [...languages.map((l) => l.lang), 'x-default']);
    assert.ok(Object.values(found).includes(addressOf(file)), file);
    for (const href of Object.values(found)) assert.ok(pages.some((other) => addressOf(other) === href), href);
  }
});

test('without an address nothing names one', () => {
  for (const file of htmlFiles(anywhere.out)) {
    const head = read(anywhere, file).split('</head>')[0];
    assert.doesNotMatch(head, /canonical|og:url|og:image|example\.org/);
    for (const [, href] of head.matchAll(/<link rel="alternate"[^>]*href="([^"]+)"/g)) assert.match(href, /^\.{1,2}\//, file);
  }
  assert.ok(!existsSync(join(anywhere.out, 'sitemap.xml')));
  assert.equal(read(anywhere, 'robots.txt'), 'User-agent: *\nAllow: /\n');
});

test('the sitemap lists every page with its languages, and robots.txt leads there', () => {
  const map = read(addressed, 'sitemap.xml');
  const listed = [...map.matchAll(/<loc>([^<]+)<\/loc>/g)].map((m) => m[1]);
  assert.deepEqual([...listed].sort(), pages.map(addressOf).sort());
  assert.equal(map.match(/hreflang="pt-BR"/g).length, listed.length);
  assert.equal(map.match(/hreflang="x-default"/g).length, listed.length);
  assert.ok(read(addressed, 'robots.txt').includes(`Sitemap: ${site}sitemap.xml\n`));
});

test('structured data is what the page is', () => {
  for (const built of [addressed, anywhere]) for (const { lang, path } of languages) {
    const data = (file) => JSON.parse(one(read(built, path + file), /<script type="application\/ld\+json">([\s\S]*?)<\/script>/g));
    const app = data('index.html');
    assert.deepEqual([app['@context'], app['@type'], app.inLanguage, app.offers.price, app.url], ['https://schema.org', 'WebApplication', lang, 0, built === addressed ? site + path : undefined]);
    const article = data('docs/numbers.html');
    assert.deepEqual([article['@type'], article.inLanguage, article.about['@type']], ['TechArticle', lang, 'WebApplication']);
  }
});

test('icons have the sizes that their names say', () => {
  const icon = (name) => pngSize(join(anywhere.out, 'assets', 'icons', name));
  assert.deepEqual(['icon-32.png', 'icon-192.png', 'icon-512.png', 'icon-maskable-512.png', 'apple-touch-icon.png'].map(icon), [32, 192, 512, 512, 180].map((n) => [n, n]));
  for (const [, href] of read(anywhere, 'es/docs/links.html').matchAll(/<link rel="(?:icon|apple-touch-icon)" href="([^"]+)"/g)) assert.ok(existsSync(join(anywhere.out, 'es', 'docs', href)), href);
});

test('each language has a preview of its own', () => {
  const bytes = languages.map(({ lang }) => readFileSync(join(anywhere.out, 'assets', 'preview', `vramfit-${lang}.png`)).toString('base64'));
  assert.equal(new Set(bytes).size, languages.length);
});

test('what is no address of a site stops the build by name', () => {
  for (const wrong of ['example.org', 'ftp://example.org/', 'https://example.org/?a=b', 'https://me@example.org/']) {
    const { status, stderr, out } = build('wrong', '--site-url', wrong);
    assert.equal(status, 64, wrong);
    assert.ok(stderr.includes(wrong), stderr);
    assert.ok(!existsSync(out), 'and nothing is written');
  }
});
