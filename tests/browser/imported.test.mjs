// A model that the link brings along, on the page, on the canvas's page and in an article: by its own name, answered whole, and the way
// back to the catalogue.
import assert from 'node:assert/strict';

import { openAlone, spoken } from './canvas_support.mjs';
import { openArticle, errors, sentence as articleSentence, settled as articleSettled } from './element_support.mjs';
import { address, becomes, compartments, field, notices, pageTest, plain, sentence, settled, value, violations } from './support.mjs';

const shape = 'hidden4096,vocab128256,maxpos131072;full,q32,kv8,dim128;dense,i14336;32aA';
const gguf = `shape=${shape}&name=My%20%3CModel%3E%208B&formats=gguf;q4_k;fp32:small;q6_k:emb.head.v~0-3,28-31;rest4096&weights=native`;
const plainShare = `shape=${shape}&name=My%20%3CModel%3E%208B`;

pageTest('by link: its name in the box and in the answer, what fills the memory, no remark', async ({ page, open }) => {
  await open(`${gguf}&method=worksheet`);
  assert.equal(await value(page, 'model'), 'My <Model> 8B');
  assert.match(await sentence(page), /^My <Model> 8B in Q4_K_S: [\d.]+ GiB/);
  const [weights, cache] = await compartments(page);
  assert.equal(weights[0], 'Weights');
  assert.match(weights[1], /^4\.\d+ GiB$/);
  assert.equal(cache[0], 'KV cache');
  assert.deepEqual(await notices(page), []);
  assert.equal(await address(page), `?${gguf}&method=worksheet`);
  await settled(page);
  assert.match(plain(await page.locator('#limits').textContent()), /131,072/, 'its own limit of context');
  assert.deepEqual(await violations(page), []);
});

pageTest('by an engine: llama.cpp for a GGUF file, vLLM for the rest', async ({ page, open }) => {
  await open(`${gguf}&method=engine`);
  assert.match(await sentence(page), /llama\.cpp/);
  await open(`${plainShare}&weights=bf16&method=engine`);
  assert.match(await sentence(page), /vLLM/);
});

pageTest('choosing another model leads back to the catalogue', async ({ page, open }) => {
  await open(plainShare);
  await field(page, 'model').focus();
  await page.keyboard.press('Tab');
  assert.equal(await address(page), `?${plainShare}`, 'looking changes nothing');
  await page.locator('[data-field="model"] .open').click();
  await page.locator('#l-model [data-id="llama-3.1-70b"]').click();
  await becomes(() => address(page), '');
  assert.equal(await value(page, 'model'), 'Llama 3.1 70B');
  await page.goBack();
  await becomes(() => value(page, 'model'), 'My <Model> 8B');
  assert.match(await sentence(page), /^My <Model> 8B in FP8/);
});

pageTest('what is wrong with its description is said with its place, in the reader\'s language', async ({ page, open }) => {
  await open('shape=hidden4096,colour3&name=X', 'es');
  assert.match((await notices(page)).join(' ') + (await sentence(page)), /a partir del carácter 12: “colour3”/);
});

pageTest('canvas: it speaks of the model by its name', async ({ page, origin }) => {
  await openAlone(page, origin, `${gguf}&method=worksheet`);
  await becomes(async () => /^My <Model> 8B in Q4_K_S/.test(plain(await spoken(page))), true);
});

pageTest('in an article: the compact view answers', async ({ page, origin }) => {
  await openArticle(page, origin, { body: `<vram-fit share="${gguf.replaceAll('&', '&amp;')}"></vram-fit>` });
  assert.equal(await articleSettled(page), 'ready');
  assert.match(await articleSentence(page), /^My <Model> 8B en Q4_K_S/);
  assert.deepEqual(await errors(page), []);
});
