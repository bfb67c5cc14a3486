// The three locale files against each other, against what the core can say, and against what page and terminal ask for.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { localeParts, readLocale, readLocales } from '../../web/locale_files.mjs';
import { languages } from '../../web/text/messages.mjs';
import { canvasNamespaces, toTable } from '../../web/text/table.mjs';
import { cppLiterals, literals } from '../../web/build/literals.mjs';
import { root, shippedModule } from './support.mjs';

const read = (...path) => readFileSync(join(root, ...path), 'utf8');
const locales = Object.fromEntries(languages.map(({ lang }) => [lang, readLocales(lang)]));
const flat = (locale) => new Map(Object.entries(locale).flatMap(([name, messages]) => Object.entries(messages).map(([id, message]) => [`${name}.${id}`, message])));
const english = flat(locales.en);
const catalog = JSON.parse((await shippedModule()).catalog());

const forms = (message) => (typeof message === 'object' ? Object.values(message) : [message]);
// Names in {} with whether they choose a word; a plural form may leave the count unsaid.
const placeholders = (message) => [...new Set(forms(message).flatMap((text) => [...text.matchAll(/\{(\w+|[\d.]+%?)(:[^}]*)?\}/g)].map((m) => m[1])))].sort();

// --- the files against each other ---------------------------------------------------------------------------------------

for (const lang of ['es', 'pt-BR']) {
  const own = flat(locales[lang]);
  test(`${lang} has the keys of en, in the same order`, () => assert.deepEqual([...own.keys()], [...english.keys()]));

  test(`${lang} has the placeholders of en`, () => {
    for (const [key, message] of english) assert.deepEqual(placeholders(own.get(key)), placeholders(message), key);
  });

  test(`${lang} translates every sentence`, () => {
    const names = /^(choice\.(prices|kv|weights|group_size)|form|interconnect|import_mixer)\./;
    const words = (message) => forms(message).join(' ').replace(/\{[^}]*\}/g, '');
    const same = [...english].filter(([key, message]) => !names.test(key) && /\p{L}{3,}.* .*\p{L}{3,}/u.test(words(message)) && JSON.stringify(own.get(key)) === JSON.stringify(message));
    // The trade's own words.
    const kept = ['field.checkpointing', 'field.flash_attn', 'settle.gpus', 'weights_group.gguf', 'canvas.tokens', ...(lang === 'pt-BR' ? ['answer.gpus'] : [])];
    assert.deepEqual(same.map(([key]) => key).filter((key) => !kept.includes(key)), []);
  });
}

for (const { lang } of languages) {
  test(`${lang}: plural forms are those of the language`, () => {
    const wanted = new Intl.PluralRules(lang).resolvedOptions().pluralCategories;
    for (const [key, message] of flat(locales[lang])) {
      if (typeof message !== 'object') continue;
      assert.ok('other' in message, key);
      for (const form of Object.keys(message)) assert.ok(wanted.includes(form), `${key}: ${form}`);
    }
  });

  test(`${lang}: no empty text, no stray space, no unbalanced brace`, () => {
    for (const [key, message] of flat(locales[lang])) {
      for (const text of forms(message)) {
        if (!/^interconnect\.(pcie|none)$/.test(key)) assert.ok(text.length > 0, key);
        assert.equal(text, text.trim(), key);
        assert.doesNotMatch(text, / {2}|[\t\n]|\.\.\.|"/, key);
        assert.equal(text.replace(/\{(\w+(:[^{}]*)?|[\d.]+%?)\}/g, '').match(/[{}]/), null, key);
      }
    }
  });
}

test('figures in texts are marked, so that they are written as the reader does', () => {
  for (const [key, message] of [...english, ...flat(locales.es), ...flat(locales['pt-BR'])]) {
    // Versions, names and what is typed stay as they are.
    if (/^(cli|field|choice\.(prices|\w+_version))\.|^help_field\.gpus$/.test(key)) continue;
    for (const text of forms(message)) assert.doesNotMatch(text.replace(/\{[^}]*\}|`[^`]*`|vLLM \d\.\d+/g, ''), /\d[.,]\d|\d\s?%/, key);
  }
});

// --- what the core can say ----------------------------------------------------------------------------------------------

const sourcesIn = (...dir) => readdirSync(join(root, ...dir)).filter((file) => /\.(cpp|h)$/.test(file)).map((file) => read(...dir, file)).join('\n');
const coreSources = sourcesIn('core', 'src') + sourcesIn('core', 'src', 'engines');
const withoutComments = (text) => text.replace(/\/\/.*$/gm, '').replace(/^\s*#.*$/gm, '');
// What is wrong with a shape is found by a header.
const shapeErrors = [...new Set([...withoutComments(read('core', 'include', 'vramfit', 'shape.h')).matchAll(/"(shape-\w+)"/g)].map((m) => m[1]))];
const coreWords = [...new Set([...withoutComments(coreSources).matchAll(/"([a-z0-9][a-z0-9_.-]*)"/g)].map((m) => m[1]))];
// What importers name: remarks, rules, kinds of layers and classes of tensors.
const importWords = [...withoutComments(sourcesIn('core', 'src', 'import') + sourcesIn('core', 'include', 'vramfit') + sourcesIn('web')).matchAll(/"([a-z0-9][a-z0-9_.-]*)"/g)].map((m) => m[1]);
const has = (namespace, id) => english.has(`${namespace}.${id}`);

test('no message is in two parts, and only what engines say adds to the namespaces of another', () => {
  const keys = (part) => [...flat(readLocale('en', part)).keys()];
  const all = ['', ...localeParts].flatMap(keys);
  assert.equal(new Set(all).size, all.length);
  const namespaces = ['', ...localeParts.filter((part) => part !== 'engine')].flatMap((part) => Object.keys(readLocale('en', part)));
  assert.equal(new Set(namespaces).size, namespaces.length);
});

test('every word in the core\'s sources is an id with a message, or known to be none', () => {
  const named = ['notice', 'reason', 'cause', 'formula', 'cite', 'compartment', 'verdict', 'split', 'field', 'unit', 'method', 'group', 'form', 'interconnect', 'basis', 'price_kind'];
  const ids = new Set([...catalog.models, ...catalog.gpus].map((entry) => entry.id));
  const choices = new Set([...english.keys()].filter((key) => key.startsWith('choice.')).map((key) => key.slice(key.indexOf('.', 7) + 1)));
  const values = new Set([...english].filter(([key]) => key.startsWith('formula.')).flatMap(([, message]) => placeholders(message)));
  const internal = [
    'int4-group', 'ggml-mxfp4', 'q5_k', 'q4_k', 'q3_k', 'tq2_0', 'tq1_0', 'ggml-nvfp4', 'q2_0', 'q1_0', 'q8_1', 'q8_k', 'fp64', 'i8', 'i16', 'i32', 'i64',  // tensor formats, which no input offers by themselves
    'nvidia-', 'geforce-', 'tesla-', 'amd-', 'radeon-', 'instinct-', 'intel-',  // makers' names, left out of GPU names
    'host',  // the book of a price list, which its provider's name stands for
    'lang', 'theme', 'units', 'embed', 'view', 'v', '1', 'en', 'es', 'pt', 'light', 'dark',  // the page's own keys
    '0123456789',
    'gguf', 'rest',  // words of the format table
    'inside', 'beside', 'before', 'h', 'gh', 'b', 'gb', 'h100', 'a100', 'nvidia', 'amd', 'intel', 'gfx942', 'gfx950', 'gfx11', 'gfx12',  // where an engine counts; makers and chips
  ];
  const unknown = coreWords.filter((word) => !named.some((ns) => has(ns, word)) && !ids.has(word) && !choices.has(word) && !values.has(word) && !internal.includes(word));
  assert.deepEqual(unknown, []);
});

test('every notice, formula with its source, and reason written in the core has its message', () => {
  const text = withoutComments(coreSources);
  const want = (namespace, pattern, least) => {
    const ids = [...text.matchAll(pattern)].map((m) => m[1]);
    assert.ok(ids.length >= least, `${namespace}: only ${ids.length} found by ${pattern}`);
    for (const id of ids) assert.ok(has(namespace, id), `${namespace}.${id}`);
  };
  want('notice', /Severity::\w+, "([\w-]+)"/g, 15);
  want('formula', /make_term\(\s*"([\w-]+)"/g, 10);
  want('cite', /make_term\(\s*"[\w-]+",\s*"([\w-]+)"/g, 8);
  want('compartment', /missing\.push_back\("(\w+)"\)/g, 3);
});

test('every message about the core is one that the core or the catalogue can call for', () => {
  const border = withoutComments(sourcesIn('core', 'include', 'vramfit') + sourcesIn('web')) + read('web', 'vramfit.mjs');
  const words = new Set([...coreWords, ...[...border.matchAll(/["']([\w.-]+)["']/g)].map((m) => m[1])]);
  const fromCatalog = { vendor: 'vendor', form: 'form', interconnect: 'link', basis: 'usable_basis' };
  const called = (namespace, id) => {
    if (id === 'other') return ['notice', 'reason', 'cause', 'cite', 'weights_group'].includes(namespace);
    if (fromCatalog[namespace]) return catalog.gpus.some((gpu) => gpu[fromCatalog[namespace]] === id);
    return words.has(id);
  };
  for (const namespace of ['notice', 'reason', 'cause', 'because', 'formula', 'cite', 'compartment', 'verdict', 'severity', 'price_kind', 'split', 'vendor', 'form', 'interconnect', 'basis']) {
    assert.deepEqual(Object.keys(locales.en[namespace]).filter((id) => !called(namespace, id)), [], `${namespace}: never called for`);
  }
});

test('every field, choice, unit and group of the catalogue has its texts, and no other has', () => {
  const fields = catalog.fields.map((f) => f.key);
  assert.deepEqual(Object.keys(locales.en.field).sort(), [...fields].sort());
  assert.deepEqual(Object.keys(locales.en.help_field).filter((key) => !fields.includes(key)), []);
  for (const f of catalog.fields) {
    assert.ok(has('group', f.group), f.group);
    if (f.unit) assert.ok(has('unit', f.unit), f.unit);
    for (const choice of f.choices ?? []) assert.ok(english.has(`choice.${f.key}.${choice}`), `choice.${f.key}.${choice}`);
  }
  const offered = new Set(catalog.fields.flatMap((f) => (f.choices ?? []).map((choice) => `${f.key}.${choice}`)));
  assert.deepEqual(Object.keys(locales.en.choice).filter((id) => !offered.has(id)), ['prices.own'], 'choices that nothing offers');
  assert.deepEqual(Object.keys(locales.en.group).sort(), [...new Set(catalog.fields.map((f) => f.group))].sort());
  assert.deepEqual(Object.keys(locales.en.unit).sort(), [...new Set(catalog.fields.map((f) => f.unit).filter(Boolean))].sort());
});

test('every GPU of the catalogue can be described', () => {
  for (const gpu of catalog.gpus) for (const [namespace, id] of [['vendor', gpu.vendor], ['form', gpu.form], ['interconnect', gpu.link], ['basis', gpu.usable_basis]]) assert.ok(has(namespace, id), `${gpu.id}: ${namespace}.${id}`);
});

// --- what page, terminal and canvas ask for -----------------------------------------------------------------------------

const below = (pattern, ...dir) => readdirSync(join(root, ...dir), { recursive: true }).filter((file) => pattern.test(file)).sort().map((file) => ({ file: [...dir, file].join('/'), text: read(...dir, file) }));
// The builder's list of assets names what it leaves out.
const modules = [...below(/^(?!build\/assets).*\.m?js$/, 'web'), ...below(/\.mjs$/, 'shell', 'canvas')].map(({ file, text }) => ({ file, found: literals(text) }));
const templates = below(/\.html$/, 'web').map(({ text }) => text);
const canvas = readdirSync(join(root, 'shell'), { recursive: true }).filter((file) => /\.(cpp|h)$/.test(file)).map((file) => ({ file: `shell/${file}`, found: cppLiterals(read('shell', file)) }));
// A key put together from pieces starts with its namespace: concat({"choice.", field.key, ".", id}).
const canvasAsks = canvas.flatMap(({ found }) => found.map(({ text }) => (/^[a-z_]+\.([\w-]+\.)*$/.test(text) ? `${text}\0` : text)));
const asked = new Set([
  ...modules.flatMap(({ found }) => found.map((l) => l.text)),
  ...canvasAsks,
  ...[...templates.join('').matchAll(/data-t(?:-label)?="([\w.]+)"|\{\{t ([\w.]+)\}\}/g)].map((m) => m[1] ?? m[2]),
]);
const patterns = [...asked].filter((text) => /^[a-z_]+\..*\0/.test(text) && !/[\s<]/.test(text))
  .map((text) => new RegExp(`^${text.split('\0').map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('(.*)')}$`));

test('every message that modules and template name in full is there', () => {
  const namespaces = Object.keys(locales.en);
  const whole = [...asked].filter((text) => /^[a-z_]+(\.[\w-]+)+$/.test(text) && namespaces.includes(text.split('.')[0]) && !/\.(mjs|json|js|css|wasm|html)$|^import\.meta\./.test(text));
  assert.ok(whole.length > 60);
  assert.deepEqual(whole.filter((key) => !english.has(key)), []);
});

test('every message that the canvas names is in its table', () => {
  const table = new Set(toTable(locales.en).split('\n').map((line) => line.split(/[\t#]/)[0]));
  const namespaces = Object.keys(locales.en);
  const named = canvasAsks.filter((text) => /^[a-z_]+\.[\w.\0-]+$/.test(text) && namespaces.includes(text.split('.')[0]));
  assert.ok(named.length > 40);
  // The window's own table has the terminal's texts too.
  for (const key of named) assert.ok(key.startsWith('cli.') ? english.has(key) : key.endsWith('\0') ? canvasNamespaces.includes(key.split('.')[0]) : table.has(key), key);
});

test('no message is left that nothing asks for', () => {
  // What formulas put in, and what accuracy was measured of, has a name in the documentation.
  const inFormulas = [...english].filter(([key]) => key.startsWith('formula.')).flatMap(([, message]) => placeholders(message));
  const measured = JSON.parse(read('assets', 'accuracy', 'measured.json')).quantities.map((row) => row.compartment);
  const words = new Set([...asked, ...coreWords, ...shapeErrors, ...importWords, ...coreWords.flatMap((word) => word.split('.')), ...inFormulas, ...measured, ...catalog.fields.flatMap((f) => [f.key, f.group, ...(f.choices ?? [])]), 'rule', 'worksheet', 'high', 'medium', 'low']);
  const namespaces = ['page', 'answer', 'help', 'method', 'cli', 'weights_group', 'notice_hint', ...localeParts.flatMap((part) => Object.keys(readLocale('en', part)))];
  const unused = [...english.keys()].filter((key) => {
    if (!namespaces.includes(key.split('.')[0]) || asked.has(key)) return false;
    // Named in part: what is put in must be a word that occurs somewhere.
    return !patterns.some((pattern) => key.match(pattern)?.slice(1).every((piece) => piece === '' || words.has(piece) || piece.split('.').every((word) => word === '' || words.has(word) || words.has(`.${word}`))));
  });
  assert.deepEqual(unused, []);
});

test('no sentence stands outside the locale files', () => {
  const left = [];
  for (const { file, found } of modules) {
    if (/^web\/(cli|build)\//.test(file) && !/_html\.mjs$/.test(file)) continue;
    for (const { text, tag, line } of found) {
      const markup = tag === 'html' || /<\w/.test(text);
      // Of markup, what is read: text between tags, and labels.
      const pieces = markup
        ? [text.replace(/<[^>]*>/g, '\n').replace(/&\w+;/g, '').replace(/^\s*(selected|hidden|(placeholder|aria-sort|aria-current|id|class|title|data-t)="[\w\0.-]*")$/, ''), ...[...text.matchAll(/(?:aria-label|title|alt)="([^"\0]*)"/g)].map((m) => m[1])]
        : [text];
      for (const piece of pieces.flatMap((p) => p.split('\n')).map((p) => p.replaceAll('\0', '').trim())) {
        if (markup ? /\p{L}{2}/u.test(piece) : /\p{L}{2,}[,:;]? \p{Ll}{2,}/u.test(piece)) left.push(`${file}:${line} ${piece}`);
      }
    }
  }
  for (const { file, found } of canvas) for (const { text, line } of found) if (file !== 'shell/platform/desktop.cpp' && /\p{L}{2,}[,:;]? \p{Ll}{2,}/u.test(text)) left.push(`${file}:${line} ${text}`);
  const allowed = [
    /^web\/page\/fit_table\.mjs:\d+ n$/,
    /^web\/build\/docs\/\w+\.mjs:\d+ (measured|sources)\.json$/,  // files by their names
    /^web\/build\/docs\/prose_html\.mjs:\d+ no such target:$/,  // stops the build
    /^web\/log\/\w+\.mjs:/,  // what engines print
    /^shell\/canvas\/(element|palette)\.mjs:\d+ (:host|[.(]|canvas)/,  // CSS
    /^web\/text\/messages\.mjs:\d+ : no  for$/,  // for the programmer, in strict mode
  ];
  assert.deepEqual(left.filter((l) => !allowed.some((pattern) => pattern.test(l))), []);
});

test('the templates hold no text of their own', () => {
  for (const template of templates) {
    const visible = template.replace(/<!doctype html>|<head>[\s\S]*<\/head>|<[^>]*>|\{\{[^}]*\}\}/gi, '\n');
    assert.equal(visible.match(/\p{L}{2,}.*/u)?.[0] ?? null, null);
    assert.doesNotMatch(template, /(aria-label|title|alt|placeholder)="[^"{]/);
  }
});

test('every remark and rule of the importers has its message, and every source and kind its name', () => {
  const named = (pattern) => [...new Set(importWords.filter((word) => pattern.test(word)))];
  assert.ok(named(/^import-/).length > 120);
  assert.deepEqual(named(/^import-/).filter((id) => !has('import_remark', id) && !has('import_rule', id)), []);
  // A message that says more where there is more to say stands beside one that does not.
  for (const key of english.keys()) if (/^import_remark\..*\.(value|wanted)$/.test(key)) assert.ok(english.has(key.replace(/\.\w+$/, '')), key);
  const json = withoutComments(read('web', 'import_json.cpp') + sourcesIn('core', 'src', 'import'));
  const list = (name) => [...json.match(new RegExp(`\\b${name}\\[\\w*\\] = \\{([^}]*)\\}`))[1].matchAll(/"([\w-]+)"/g)].map((m) => m[1]);
  for (const [namespace, name] of [['import_mixer', 'mixer_ids'], ['import_feed', 'feed_forward_ids'], ['import_class', 'class_ids']]) {
    assert.deepEqual(Object.keys(locales.en[namespace]).sort(), [...list(name)].sort(), namespace);
  }
});
