// The code that publishers paste: its shortest form, and what becomes of values that would break out of it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { SaxesParser } from 'saxes';

import { elementSnippet, frameSnippet } from '../../web/embed/snippets.mjs';
import { assets, randomShare, randomSource, shippedCalculator } from './support.mjs';

const site = 'https://example.org/fit/';
const vramfit = await shippedCalculator();
const catalog = vramfit.catalog();
const fields = catalog.fields.map(({ key }) => key);
const base = { share: 'model=qwen3-32b&weights=bf16', fields, lang: 'es', site, label: 'Memoria de GPU: Qwen3 32B' };

// [{name, attributes, text}] of the elements in a snippet, read as XML, which is stricter about quotes than HTML; names without values are
// given one first.
function elements(snippet) {
  const found = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => { throw error; });
  parser.on('opentag', ({ name, attributes }) => found.push({ name, attributes, text: '' }));
  parser.on('text', (text) => { if (text.trim()) found.at(-1).text += text.trim(); });
  parser.write(`<x>${snippet.replace('<iframe data-vramfit ', '<iframe data-vramfit="" ').replace(' async>', ' async="">')}</x>`).close();
  return found.slice(1);
}

test('the element in its shortest form', () => {
  assert.equal(elementSnippet(base), `<script type="module" src="https://example.org/fit/assets/vram-fit.js"></script>
<vram-fit model="qwen3-32b" weights="bf16" lang="es">
  <a href="https://example.org/fit/es/?model=qwen3-32b&amp;weights=bf16">Memoria de GPU: Qwen3 32B</a>
</vram-fit>`);
  assert.match(elementSnippet({ ...base, share: '', lang: 'en', view: 'compact', theme: 'auto', units: 'auto' }), /<vram-fit lang="en">\n {2}<a href="https:\/\/example\.org\/fit\/">/);
  assert.match(elementSnippet({ ...base, share: '', lang: null, view: 'full', theme: 'dark', units: 'GiB' }), /<vram-fit view="full" theme="dark" units="GiB">\n {2}<a href="https:\/\/example\.org\/fit\/\?units=GiB">/);
});

test('the frame in its shortest form', () => {
  assert.equal(frameSnippet(base), `<iframe data-vramfit src="https://example.org/fit/embed.html?model=qwen3-32b&amp;weights=bf16&amp;lang=es" title="Memoria de GPU: Qwen3 32B" width="100%" height="480" loading="lazy" frameborder="0"></iframe>
<script src="https://example.org/fit/assets/embed-parent.js" async></script>`);
  assert.match(frameSnippet({ ...base, share: '', lang: null, theme: 'light', view: 'compact', units: 'auto' }), / src="https:\/\/example\.org\/fit\/embed\.html" /);
  // Of frames light is the usual, and auto has to be said.
  assert.match(frameSnippet({ ...base, share: '', theme: 'auto', view: 'full', units: 'GB' }), /embed\.html\?lang=es&amp;theme=auto&amp;units=GB&amp;view=full" .* height="900" .* allow="clipboard-write"/);
});

test('the frame with the script in it', () => {
  const code = readFileSync(join(assets, 'embed-parent.js'), 'utf8');
  const snippet = frameSnippet({ ...base, parentScript: code });
  assert.ok(snippet.endsWith(`<script>\n${code.trim()}\n</script>`));
  assert.doesNotMatch(code, /<\/script|<!--/i, 'nothing in it ends the element');
  assert.ok(code.length < 1500, `${code.length} characters`);
});

test('nothing breaks out of an attribute or a text', () => {
  const evil = '"><script>alert(1)</script>\'&amp;<b x=';
  for (const make of [elementSnippet, frameSnippet]) {
    const snippet = make({ ...base, share: `model=${encodeURIComponent(evil)}&weights=${evil.replaceAll('&', '%26')}`, lang: evil, view: evil, theme: evil, units: evil, label: evil, site: `https://example.org/${evil}/` });
    assert.deepEqual(elements(snippet).map(({ name }) => name), make === elementSnippet ? ['script', 'vram-fit', 'a'] : ['iframe', 'script'], snippet);
  }
  const [, element, link] = elements(elementSnippet({ ...base, share: `model=${encodeURIComponent(evil)}`, label: evil }));
  assert.equal(element.attributes.model, evil);
  assert.equal(link.text, evil.trim());
});

test('only inputs become attributes', () => {
  const { share } = vramfit.estimate('model=qwen3-8b&onclick=alert(1)&style=color:red&slot=x&is=y&page-url=javascript:alert(1)&utm_source=z');
  const [, { attributes }] = elements(elementSnippet({ ...base, share }));
  assert.deepEqual(Object.keys(attributes), ['model', 'share', 'lang']);
  assert.match(attributes.share, /onclick=/, 'what is left is named by the core, not by the browser');
});

test('both say what was configured, for 300 random configurations', () => {
  const random = randomSource(20261130);
  for (let i = 0; i < 300; i += 1) {
    const { share } = vramfit.estimate(randomShare(catalog, random));
    const [, { attributes }, link] = elements(elementSnippet({ ...base, share }));
    const { lang, share: rest = '', ...own } = attributes;
    assert.equal(lang, 'es');
    assert.equal(vramfit.estimate([new URLSearchParams(own), rest].filter(String).join('&')).share, share);
    assert.equal(vramfit.estimate(new URL(link.attributes.href).search.slice(1)).share, share);
    const [frame] = elements(frameSnippet({ ...base, share }));
    const asked = vramfit.estimate(new URL(frame.attributes.src).search.slice(1));
    assert.deepEqual([asked.share, asked.view.lang], [share, 'es']);
  }
});
