// Thousands of inputs in three languages through everything the page writes: no missing message, no value left out.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { readLocale } from '../../web/locale_files.mjs';
import { catalogSourcesHtml } from '../../web/page/catalog_sources.mjs';
import { formHtml } from '../../web/page/form.mjs';
import { regions } from '../../web/page/regions.mjs';
import { createText, explain } from '../../web/text/explain.mjs';
import { addMessages, languages } from '../../web/text/messages.mjs';
import { assets, randomShare, randomSource, shippedCalculator } from './support.mjs';

const vramfit = await shippedCalculator();
const catalog = vramfit.catalog();
const choices = (key) => catalog.fields.find((f) => f.key === key).choices;
const sources = JSON.parse(readFileSync(join(assets, 'sources.json'), 'utf8'));

const shape = 'model=&params=8b&num_layers=32&num_kv_heads=8&head_dim=128';
const shares = [
  ...catalog.models.flatMap((m) => ['', '&method=worksheet&context=100000&sequences=8', '&weights=native&method=worksheet', '&weights=q4_k_m&method=worksheet', '&task=full&method=worksheet', '&task=lora', '&task=qlora&method=worksheet'].map((more) => `model=${m.id}${more}`)),
  ...choices('weights').flatMap((w) => ['all', 'article', 'apple', 'consumer', 'workstation', 'datacenter', 'h200,zz:1,l40s:x'].map((set) => `model=qwen3-30b-a3b&weights=${w}&gpus=${set}&method=worksheet`)),
  ...catalog.gpus.flatMap((g) => ['', '&count=1', '&count=3', '&count=8'].map((more) => `gpu=${g.id}${more}`)),
  ...choices('prices').map((book) => `gpus=all&prices=${book}`),
  ...choices('kv').map((kv) => `kv=${kv}&context=500000`),
  ...choices('situation').map((s) => `situation=${s}&method=worksheet`),
  ...choices('states').flatMap((s) => choices('checkpointing').map((c) => `task=full&states=${s}&checkpointing=${c}&method=worksheet`)),
  ...['', '&num_heads=32', '&num_heads=32&hidden_size=4096', '&num_heads=32&hidden_size=4096&vocab_size=128256&intermediate_size=14336'].flatMap((more) => ['serve', 'full', 'lora', 'qlora'].map((task) => `${shape}${more}&task=${task}&method=worksheet`)),
  'model=&params=1b&num_layers=4&num_kv_heads=8&head_dim=128&weights=q4_k_m&method=worksheet',  // more GPUs than layers
  'v=2', 'model=%zz', 'model=lama', 'gpu=h20', 'gpus=H100', 'params=abc', 'context=0.5', 'context=1.5', 'context=1', 'sequences=-1', 'task=foo', 'gpus=', 'gpus=zzz', 'gpus=h200:3,20,b200:4,75', 'lang=xx', 'weights=native&model=', 'foo=%E0', 'foo=1', 'model=a&model=b',
  `${'x'.repeat(9000)}&a=1`, 'model=&params=1', 'count=9', 'headroom=30&method=worksheet', 'params=9b', 'task=lora&weights=bf16', 'context=300000',
  ...(() => { const random = randomSource(7); return Array.from({ length: 1200 }, () => randomShare(catalog, random)); })(),
];

const junk = /undefined|NaN|\[object|Infinity(?! Fabric)|∞|\bnull\b|\{\w+\}/;
// What is wrong in a text, with what stands around it; null when nothing is.
const junkIn = (text) => {
  const at = text.search(junk);
  return at < 0 ? null : text.slice(Math.max(0, at - 60), at + 60);
};
const seen = { notice: new Set(), formula: new Set(), cite: new Set(), compartment: new Set(), reason: new Set() };

function note(result) {
  for (const n of result.notices) seen.notice.add(n.id);
  if (result.refused) return;
  for (const row of result.fit) for (const verdict of row.verdicts) if (!['fits', 'tight', 'does-not-fit'].includes(verdict)) seen.reason.add(verdict);
  for (const method of Object.values(result.methods)) {
    for (const id of method.missing) seen.compartment.add(id);
    if (method.split_source) seen.cite.add(method.split_source);
    for (const c of method.compartments) {
      seen.compartment.add(c.id);
      for (const term of c.terms) {
        seen.formula.add(term.formula);
        seen.cite.add(term.source);
        if (term.format_source) seen.cite.add(term.format_source);
      }
    }
  }
}

test(`${shares.length} share strings`, () => assert.ok(shares.length > 3000));

for (const { lang } of languages) {
  test(`${lang}: every text is there and whole`, () => {
    const { cli, ...locale } = addMessages(readLocale(lang), readLocale(lang, 'engine'));
    const units = ['auto', 'GB', 'GiB'].map((u) => createText(locale, lang, { units: u, strict: true }));
    shares.forEach((share, i) => {
      const text = units[i % 3];
      try {
        const result = vramfit.estimate(share);
        if (lang === 'en') note(result);
        const view = explain(result, catalog, text);
        const typed = [...result.notices.map((n) => n.value), result.share].filter((v) => junk.test(v));
        const written = Object.values(regions(view, text)).map(String);
        if (i % 20 === 0) written.push(String(formHtml(catalog, result, text)), result.refused ? '' : String(catalogSourcesHtml(sources, result, view, text)));
        const plain = written.map((markup) => typed.reduce((m, value) => m.replaceAll(value, ''), markup).replace('[null]', ''));
        // A region that is hidden is null as a whole.
        for (const markup of plain) if (markup !== 'null') assert.equal(junkIn(markup), null);
      } catch (error) {
        error.message = `${share}: ${error.message}`;
        throw error;
      }
    });
  });
}

test('the sweep calls for every message about the core', () => {
  const en = readLocale('en');
  const whole = addMessages(readLocale('en'), readLocale('en', 'engine'));
  for (const [namespace, ids] of Object.entries(seen)) {
    assert.deepEqual([...ids].filter((id) => !(id in whole[namespace])), [], `${namespace}: said, without a message`);
    const never = Object.keys(en[namespace]).filter((id) => !ids.has(id) && id !== 'other' && id !== 'engine-not-loaded');  // the small module's
    assert.deepEqual(never, [], `${namespace}: never said`);
  }
});
