// Three languages, whole: no English left over, figures as each language writes them.
import assert from 'node:assert/strict';

import { shippedModule } from '../web/support.mjs';
import { choose, compartments, fitTable, locales, pageTest, pages, plain, ready, sentence, settled } from './support.mjs';

const vendors = ['NVIDIA', 'AMD', 'Intel', 'Apple'];

// Words that are the same in these languages, or stay as they are in the trade. Catalogue names are taken from the catalogue.
const same = {
  es: [
    'vramfit', 'Auto', 'GB', 'GiB', 'GPU', 'tokens', 'Total', 'Activation checkpointing', 'Micro-batch', 'LoRA', 'h200, l40s:0.97',
    'SXM', 'PCIe', 'OAM', 'NVLink', 'Ethernet', 'Infinity Fabric', 'superchip', 'laptop', 'spot', '1 GPU',
    ...vendors, 'Superchip', 'Laptop',
  ],
  'pt-BR': [
    'vramfit', 'Auto', 'GB', 'GiB', 'GPU', 'GPUs', 'tokens', 'Total', 'Activation checkpointing', 'Micro-batch', 'LoRA', 'h200, l40s:0.97',
    'SXM', 'PCIe', 'OAM', 'NVLink', 'Ethernet', 'Infinity Fabric', 'superchip', 'laptop', 'spot', 'Workstation', 'Workstation cards', '1 GPU', '2 GPUs', '4 GPUs', '8 GPUs',
    ...vendors, 'Superchip',
  ],
};
// Ids and names that every language shares: formats, providers, GPU picks.
const technical = /^(→ )?(\d+x .+|(FP|BF|INT|NF|MXFP|NVFP|I?Q|GGUF )\d*[A-Z0-9_]*( \((W8A8|GPTQ|bitsandbytes|llama\.cpp)\))?|MXFP4_MOE)$/;

const catalog = JSON.parse((await shippedModule()).catalog());
const names = [...catalog.models, ...catalog.gpus].flatMap((entry) => [entry.name, entry.family]).filter(Boolean);

const states = ['', 'method=worksheet&gpus=all', 'task=full&method=worksheet', 'model=nope', 'model=kimi-k3&weights=bf16', 'params=70b&weights=int4-awq&method=worksheet&context=-5&extra=1', 'model=qwen2.5-32b&weights=bf16&gpu=h100-sxm&count=1'];

// Every visible text of its own, and every label that is read aloud, outside parts marked as being in another language.
const texts = (page) => page.evaluate(() => {
  const found = new Set();
  const here = document.documentElement;
  const foreign = (node) => node.closest('[lang]') !== here || node.closest('noscript, script');
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) if (!foreign(walker.currentNode.parentElement)) found.add(walker.currentNode.textContent.trim());
  for (const name of ['aria-label', 'placeholder', 'title', 'alt']) {
    for (const node of document.querySelectorAll(`[${name}]`)) if (!foreign(node)) found.add(node.getAttribute(name).trim());
  }
  found.add(document.title);
  found.add(document.querySelector('meta[name=description]').content);
  return [...found].filter((text) => /\p{L}{2}/u.test(text));
});

for (const lang of ['es', 'pt-BR']) {
  pageTest(`${lang}: no English is left`, async ({ page, open }) => {
    const providers = Object.entries(locales.en.choice).filter(([key]) => key.startsWith('prices.')).map(([, name]) => name);
    for (const state of states) {
      await open(state);
      const english = new Set(await texts(page));
      await open(state, lang);
      const known = new Set([...same[lang], ...providers, ...names]);
      const left = (await texts(page)).filter((text) => english.has(text) && !known.has(text) && !technical.test(text) && !text.split(', ').every((word) => known.has(word)));
      assert.deepEqual(left, [], `the same in English, ${state || 'default'}`);
      const words = (await texts(page)).filter((text) => !known.has(text) && /(^|[^\p{L}«“_/-])(the|and|of|with|which|does|fits|needs|free)(?=[^\p{L}»”_/-]|$)/iu.test(text));
      assert.deepEqual(words, [], `English words, ${state || 'default'}`);
    }
  });
}

for (const lang of Object.keys(pages)) {
  pageTest(`${lang}: the document says its language and its siblings`, async ({ page, open }) => {
    await open('', lang);
    assert.equal(await page.evaluate(() => document.documentElement.lang), lang);
    assert.equal(await page.title(), locales[lang].page.title);
    assert.equal(await page.locator('[aria-current="page"]').getAttribute('data-lang'), lang);
    const alternates = await page.locator('link[rel="alternate"]').evaluateAll((links) => links.map((l) => [l.hreflang, new URL(l.href).pathname]));
    assert.deepEqual(alternates, [['en', '/'], ['es', '/es/'], ['pt-BR', '/pt-br/'], ['x-default', '/']]);
  });

  pageTest(`${lang}: lang= turns any page into it, and back`, async ({ page, open, context }) => {
    const other = lang === 'en' ? 'es' : 'en';
    await open(`lang=${lang}&method=worksheet`, other);
    const turned = await texts(page);
    const fresh = await context.newPage();
    await fresh.goto(page.url().replace(/\/(es\/)?\?.*/, `/${pages[lang]}?method=worksheet`));
    await ready(fresh);
    await settled(fresh);
    const description = locales[other].page.description;  // the head's description is the served page's own
    assert.deepEqual(turned.filter((t) => t !== description).sort(), (await texts(fresh)).filter((t) => t !== locales[lang].page.description).sort());
  });
}

pageTest('figures as each language writes them', async ({ page, open }) => {
  const read = async (lang) => {
    await open('model=kimi-k3&weights=bf16&gpus=l40s,b200', lang);
    const total = (await compartments(page)).at(-1)[1];
    await open('context=131072', lang);
    return [total, (await compartments(page))[1][1], (await fitTable(page))['B200 180GB'].price.split('/h')[0], plain((await page.locator('.precision .hint').allTextContents()).filter(Boolean).at(-1).match(/\d+\s?%/)[0])];
  };
  assert.deepEqual(await read('en'), ['6,720 GB', '42.9 GB', '$5.43', '50%']);
  assert.deepEqual(await read('es'), ['6720 GB', '42,9 GB', '5,43 US$', '50 %']);
  assert.deepEqual(await read('pt-BR'), ['6.720 GB', '42,9 GB', 'US$ 5,43', '50%']);
});

pageTest('a choice made in one language reads the same in another', async ({ page, open }) => {
  await open('', 'es');
  await choose(page, 'weights', 'int4');
  assert.equal(await sentence(page), 'Llama 3.1 70B en 4 bits: 42 GB según la regla; de las tarjetas del artículo, 1x L40S');
  await page.locator('[data-lang="en"]').click();
  await page.waitForURL((url) => url.pathname === '/' && url.search === '?weights=int4');
  await ready(page);
  assert.equal(await sentence(page), "Llama 3.1 70B in 4-bit: 42 GB by the rule; of the article's cards, 1x L40S");
});
