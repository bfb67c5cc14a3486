// A word follows its number, not the way the number is written: pt-BR writes 1024 as "1.024", which is not one.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { readLocale } from '../../web/locale_files.mjs';
import { createText, explain } from '../../web/text/explain.mjs';
import { loadVramfit } from '../../web/vramfit.mjs';
import { assets } from './support.mjs';

const { default: moduleFactory } = await import(pathToFileURL(join(assets, 'vramfit-core.mjs')));
const vramfit = await loadVramfit({ wasmBinary: readFileSync(join(assets, 'vramfit-full.wasm')), moduleFactory });

function why(lang, share) {
  const locale = readLocale(lang);
  return explain(vramfit.estimate(share), vramfit.catalog(), createText(locale, lang, { strict: true })).difference;
}

for (const [lang, one, many] of [
  ['en', '1 live token,', '1,024 live tokens,'],
  ['es', '1 token activo,', '1024 tokens activos,'],
  ['pt-BR', '1 token ativo,', '1.024 tokens ativos,'],
]) {
  test(`${lang}: one token and many`, () => {
    assert.ok(why(lang, 'context=1').includes(one), why(lang, 'context=1'));
    assert.ok(why(lang, 'context=1024').includes(many), why(lang, 'context=1024'));
  });
}
