// A model that the link brings along, by the shipped modules: answered as one of the catalogue, told of in words and files by its own name,
// and refused by the small module in a way that calls for the full one.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { breakdownSvg } from '../../web/export/breakdown_svg.mjs';
import { fileName } from '../../web/export/file_name.mjs';
import { fitCsv } from '../../web/export/fit_csv.mjs';
import { answerMarkdown } from '../../web/export/markdown.mjs';
import { readLocales } from '../../web/locale_files.mjs';
import { changesFromLog, shareFromLog } from '../../web/log/log_settings.mjs';
import { chosenText, formHtml } from '../../web/page/form.mjs';
import { explain } from '../../web/text/explain.mjs';
import { createText } from '../../web/text/text.mjs';
import { root, shippedCalculator, shippedModule } from './support.mjs';

const vramfit = await shippedCalculator();
const catalog = vramfit.catalog();
const rows = readFileSync(join(root, 'assets', 'catalog', 'models.jsonl'), 'utf8').trim().split('\n').map((line) => JSON.parse(line));
const shapeOf = (m) => m.shape.replace(';', `,stated${m.stated_params},maxpos${m.max_position_embeddings ?? 0};`);
const share = (inputs) => Object.entries(inputs).map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join('&');
const small = { shape: 'hidden64,vocab1000;full,q4,kv2,dim16;dense,i128;4aA', name: 'My <b>Model</b> 1B' };
const english = createText(readLocales('en', ['engine', 'export']), 'en', { strict: true });

test('a copy of every catalogue model is answered as the model, by all methods and in what-if', () => {
  assert.ok(rows.length > 200);
  const questions = [{}, { method: 'worksheet', context: 32768, sequences: 4 }, { method: 'engine', gpus: 'datacenter' }, { method: 'engine', weights: 'q4_k_m', gpus: 'consumer' }, { task: 'qlora', method: 'worksheet' }];
  rows.forEach((m, i) => {
    const imported = { shape: shapeOf(m), name: m.name };
    for (const more of questions) {
      const [own, theirs] = [imported, { model: m.id }].map((which) => {
        const { share: _, inputs, applies, model: { id, ...model }, ...answer } = vramfit.estimate(share({ ...which, ...more }));
        return { ...answer, model };
      });
      assert.deepEqual(own, theirs, `${m.id} ${share(more)}`);
    }
    const more = questions[i % questions.length];
    assert.deepEqual(vramfit.whatIf(share({ ...imported, ...more })), vramfit.whatIf(share({ model: m.id, ...more })), m.id);
  });
});

test('the small module refuses it so that the full one is loaded', async () => {
  const refusal = JSON.parse((await shippedModule('vramfit-core.wasm')).estimate(share(small)));
  assert.ok(refusal.refused);
  assert.deepEqual(refusal.notices.map(({ severity, id, field }) => [severity, id, field]), [['error', 'engine-not-loaded', 'shape']]);
  assert.equal(refusal.share, vramfit.estimate(share(small)).share);
});

test('its name is what words, files and the form call it', () => {
  const result = vramfit.estimate(share({ ...small, weights: 'bf16', method: 'worksheet' }));
  const view = explain(result, catalog, english);
  assert.ok(view.sentence.startsWith('My <b>Model</b> 1B in BF16'), view.sentence);
  assert.match(answerMarkdown({ result, view, text: english, link: result.share }), /My .*Model.* 1B/);
  assert.ok(fitCsv({ result, view, link: result.share }).includes('shape=hidden64'));
  assert.ok(breakdownSvg({ result, view, text: english, link: '' }).includes('My &lt;b&gt;Model&lt;/b&gt; 1B'));
  assert.equal(fileName(result, 'csv'), 'vramfit-my-b-model-b-1b-bf16.csv');
  assert.equal(chosenText('model', result, catalog, english), small.name);
  const form = String(formHtml(catalog, result, english));
  assert.ok(form.includes('value="My &lt;b&gt;Model&lt;/b&gt; 1B"'));
  assert.doesNotMatch(form, /name="(shape|formats)"/);
  const nameless = vramfit.estimate(share({ shape: small.shape }));
  assert.match(chosenText('model', nameless, catalog, english), /parameters|model/);
});

test('refusals say what and where, in words', () => {
  const said = (inputs) => explain(vramfit.estimate(share({ ...small, ...inputs })), catalog, english).notices.map((n) => n.text).join(' ');
  assert.match(said({ shape: 'hidden64,colour3' }), /character 10 on: “colour3”/);
  assert.match(said({ weights: 'native', formats: 'bf16;q4_k:q' }), /GGUF files with others, at character 6: “q4_k:q”/);
  assert.match(said({ weights: 'native', formats: 'bf16;rest-99999999' }), /far more bytes/);
  assert.match(said({ name: 'é'.repeat(41) }), /cut to 80 bytes/);
  assert.equal(vramfit.estimate(share({ ...small, name: `${'é'.repeat(39)}x${'é'.repeat(5)}` })).model.name, `${'é'.repeat(39)}x`);
});

test('a log that names a model of the catalogue leads back to the catalogue', () => {
  const read = { engine: 'llama.cpp', facts: { name: { value: 'Llama 3.1 8B Instruct' } }, figures: [], runs: 1, problems: [] };
  const changes = changesFromLog(read, vramfit);
  assert.deepEqual([changes.model, changes.shape, changes.name, changes.formats], ['llama-3.1-8b', null, null, null]);
  assert.doesNotMatch(shareFromLog(read, share(small), vramfit), /shape=|name=/);
});
