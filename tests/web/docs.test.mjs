// The documentation says all that the calculator does, and nothing else: its pages against the core's sources, the locale files and
// what the shipped module answers to random questions.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

import { weaknesses } from '../../web/build/docs/accuracy_html.mjs';
import { shareExamples } from '../../web/build/docs/examples.mjs';
import { conditions, tightBelow } from '../../web/build/docs/survey.mjs';
import { readLocales } from '../../web/locale_files.mjs';
import { viewKeys } from '../../web/page/address.mjs';
import { languages } from '../../web/text/messages.mjs';
import { createText, explain } from '../../web/text/explain.mjs';
import { dist, randomShare, randomSource, root, shippedCalculator } from './support.mjs';

const vramfit = await shippedCalculator();
const catalog = vramfit.catalog();
const pageNames = ['index', 'numbers', 'links', 'embed', 'accuracy', 'privacy'];
const page = (name, { path } = languages[0]) => readFileSync(join(dist, path, 'docs', `${name}.html`), 'utf8');
const idsOf = (html) => [...html.matchAll(/ id="([^"]+)"/g)].map((m) => m[1]);
const readable = (html) => html.replace(/<script[\s\S]*?<\/script>|<[^>]*>/g, ' ').replace(/&quot;/g, '"').replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&').replace(/\s+/g, ' ');
const plain = (text) => String(text).replace(/\s+/g, ' ').trim();

const coreSources = readdirSync(join(root, 'core', 'src'), { recursive: true }).filter((file) => /\.(cpp|h)$/.test(file)).map((file) => readFileSync(join(root, 'core', 'src', file), 'utf8').replace(/\/\/.*$/gm, '')).join('\n');
const english = readLocales('en');

const random = randomSource(20261130);
const answers = Array.from({ length: 3000 }, () => vramfit.estimate(randomShare(catalog, random)));
const answered = answers.filter((result) => !result.refused);

for (const language of languages) {
  const { lang } = language;
  const numbers = new Set(idsOf(page('numbers', language)));

  test(`${lang}: every formula, source and reason that the core's sources name is on the page`, () => {
    const inSources = [...coreSources.matchAll(/make_term\(\s*"([\w-]+)"/g)].map((m) => m[1]);
    assert.ok(inSources.length > 10);
    const formulas = new Set([...inSources, ...Object.keys(english.formula)]);
    assert.deepEqual([...formulas].filter((id) => !numbers.has(`formula-${id}`)), []);
    assert.deepEqual(Object.keys(english.cite).filter((id) => id !== 'other' && !numbers.has(`source-${id}`)), []);
    assert.deepEqual(Object.keys(english.reason).filter((id) => id !== 'other' && !numbers.has(`reason-${id}`)), []);
    assert.deepEqual(Object.keys(english.split).filter((id) => !numbers.has(`split-${id}`)), []);
  });

  test(`${lang}: whatever the module answers is on the page`, () => {
    const missing = new Set();
    const want = (kind, id) => id && !numbers.has(`${kind}-${id}`) && missing.add(`${kind}-${id}`);
    for (const result of answered) {
      for (const [id, method] of Object.entries(result.methods)) {
        want('method', id);
        want('source', method.split_source);
        want('split', method.split);
        for (const layout of method.layouts) if (!layout.usable) want('reason', layout.reason);
        for (const c of method.compartments) for (const term of c.terms) {
          want('formula', term.formula);
          want('source', term.source);
          want('source', term.format_source);
        }
      }
    }
    assert.ok(answered.length > 1000);
    assert.deepEqual([...missing], []);
  });

  test(`${lang}: every weight and cache format has its row`, () => {
    for (const f of catalog.fields) {
      if (f.key === 'weights') assert.deepEqual(f.choices.filter((id) => id !== 'native' && !numbers.has(`format-${id}`)), []);
      if (f.key === 'kv') assert.deepEqual(f.choices.filter((id) => !numbers.has(`kv-${id}`)), []);
    }
  });

  test(`${lang}: every key of a link is described, and is an attribute`, () => {
    const links = new Set(idsOf(page('links', language)));
    const attributes = new Set(idsOf(page('embed', language)));
    const keys = catalog.fields.map((f) => f.key);
    assert.deepEqual([...keys, ...viewKeys].filter((key) => !links.has(`key-${key}`)), []);
    assert.deepEqual(keys.filter((key) => !attributes.has(`attribute-${key}`)), []);
    const text = readable(page('links', language));
    for (const f of catalog.fields) for (const id of f.choices ?? []) assert.ok(text.includes(` ${id} `), `${f.key}: ${id}`);
    for (const { id } of [...catalog.models, ...catalog.gpus]) assert.ok(text.includes(` ${id} `), id);
  });

  test(`${lang}: the examples stand beside the answers the module gives`, () => {
    const text = readable(page('links', language));
    const words = createText(readLocales(lang), lang, { strict: true });
    for (const share of shareExamples) assert.ok(text.includes(plain(explain(vramfit.estimate(share), catalog, words).sentence)), share);
  });

  test(`${lang}: links lead somewhere, ids are used once, headings go down step by step`, () => {
    for (const name of pageNames) {
      const html = page(name, language);
      const ids = idsOf(html);
      assert.equal(new Set(ids).size, ids.length, `${name}: ${ids.filter((id, i) => ids.indexOf(id) !== i)}`);
      const folder = join(dist, language.path, 'docs');
      // Where the site's own address is known, these alone name it.
      const linked = html.replace(/<link rel="(?:canonical|alternate)"[^>]*>/g, '');
      for (const [, href] of linked.matchAll(/ (?:href|src)="([^"]+)"/g)) {
        const [path, fragment] = href.replace(/\?[^#]*/, '').split('#');
        assert.doesNotMatch(href, /^(\w+:|\/)/, `${name}: ${href} is relative, so that the site works under any path`);
        let file = path ? join(folder, path) : join(folder, `${name}.html`);
        if (path.endsWith('/')) file = join(file, 'index.html');
        assert.ok(existsSync(file), `${name}: ${href}`);
        if (fragment) assert.ok(idsOf(readFileSync(file, 'utf8')).includes(fragment), `${name}: ${href}`);
      }
      const levels = [...html.matchAll(/<h(\d)/g)].map((m) => Number(m[1]));
      assert.equal(levels.filter((level) => level === 1).length, 1, name);
      levels.reduce((before, level) => (assert.ok(level <= before + 1, `${name}: h${before}, then h${level}`), level));
      assert.match(html, new RegExp(`<html lang="${lang}"`));
    }
  });
}

test('the rule for tight is the one the fit table goes by', () => {
  const share = tightBelow(vramfit);
  let seen = 0;
  // Engines have verdicts of their own.
  for (const result of answered.filter(({ method }) => method !== 'engine')) {
    const { layouts, missing } = result.methods[result.method];
    for (const row of result.fit) row.verdicts.forEach((verdict, i) => {
      const free = 1 - layouts[i].need_bytes.likely / row.capacity_bytes;
      if (verdict === 'fits') assert.ok(free >= share - 1e-9 && missing.length === 0, result.share);
      else if (verdict === 'tight') assert.ok(free < share + 1e-9 || missing.length > 0, result.share);
      else if (verdict === 'does-not-fit') assert.ok(layouts[i].floor_bytes > row.capacity_bytes, result.share);
      else return;
      seen += 1;
    });
  }
  assert.ok(seen > 10000);
});

test('when a key plays a part is as the page says', () => {
  const needs = conditions(vramfit);
  for (const { inputs, applies } of answers) {
    const at = { ...inputs, model: inputs.model ? 'catalogue' : 'bare' };
    for (const [key, factors] of Object.entries(needs)) {
      const expected = Object.entries(factors).every(([factor, values]) => values.includes(at[factor]));
      // A format or task that there is not plays by no rule.
      if (!catalog.fields.every((f) => !f.choices?.length || f.kind !== 'choice' || f.choices.includes(String(inputs[f.key])))) continue;
      assert.equal(applies.includes(key), expected, `${key} in ${JSON.stringify(at)}`);
    }
  }
});

test('the accuracy page has every published figure', () => {
  const measured = JSON.parse(readFileSync(join(root, 'assets', 'accuracy', 'measured.json'), 'utf8'));
  assert.deepEqual(JSON.parse(readFileSync(join(dist, 'assets', 'accuracy', 'measured.json'), 'utf8')), measured);
  assert.equal(measured.schema, 'vramfit-accuracy/2');
  assert.ok(measured.quantities.length > 20 && measured.engines.length > 60 && measured.verdicts.length > 4);
  for (const language of languages) {
    const html = page('accuracy', language);
    const text = readable(html);
    const { quantity } = readLocales(language.lang);
    for (const row of measured.quantities) assert.ok(quantity[row.compartment], row.compartment);
    for (const file of measured.files) assert.ok(text.includes(file.name), file.name);
    for (const row of measured.worst) assert.ok(text.includes(plain(row.source)), row.id);
    for (const row of measured.fitted_on) assert.ok(text.includes(row.source), row.source);
    const rows = measured.quantities.length + measured.engines.filter((row) => row.basis === 'catalogue').length + measured.verdicts.length + measured.files.length + weaknesses(measured.quantities).length
      + measured.bars.length + measured.fitted.filter((row) => row.fitted_count > 0).length + measured.worst.length;
    assert.equal(html.match(/<tr><th scope="row">/g).length, rows);
  }
});

test('what is weak follows from the figures', () => {
  const row = (more) => ({ basis: 'catalogue', count: 20, median_error: 0.01, median_width: 0.2, coverage: 0.9, compartment: 'x', ...more });
  assert.deepEqual(weaknesses([row()]), []);
  assert.deepEqual(weaknesses([row({ median_error: 0.11 })]).map((w) => w.kind), ['error']);
  assert.deepEqual(weaknesses([row({ coverage: 0.79 })]).map((w) => w.kind), ['range']);
  assert.deepEqual(weaknesses([row({ coverage: 0, median_width: 0 })]), [], 'a single figure is no range');
  assert.deepEqual(weaknesses([row({ count: 9, median_error: 1 }), row({ basis: 'size', median_error: 1 })]), []);
  assert.deepEqual(weaknesses([row({ median_error: 0.2, compartment: 'a' }), row({ median_error: 0.3, compartment: 'b' })]).map((w) => w.compartment), ['b', 'a'], 'the worst first');
});

test('the main page leads to the documentation in its language, and back', () => {
  for (const { path } of languages) {
    const main = readFileSync(join(dist, path, 'index.html'), 'utf8');
    const [, href] = main.match(/<a href="([^"]+)" data-t="page\.footer\.docs"/);
    assert.ok(existsSync(join(dist, path, href, 'index.html')));
    const [, back] = page('index', { path }).match(/class="brand"><a href="([^"]+)"/);
    assert.equal(join(dist, path, 'docs', back), join(dist, path, '/'));
  }
});
