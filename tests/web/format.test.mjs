// Languages and regions: which is meant, and that figures shown are read back as the same numbers.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { readLocale } from '../../web/locale_files.mjs';
import { fieldText } from '../../web/page/form.mjs';
import { lateTexts } from '../../web/page/late_texts.mjs';
import { readNumber } from '../../web/page/numbers.mjs';
import { createText } from '../../web/text/explain.mjs';
import { createFormat, writable } from '../../web/text/format.mjs';
import { languages, resolveLanguage } from '../../web/text/messages.mjs';
import { randomSource, regions, root, shippedCalculator } from './support.mjs';

const vramfit = await shippedCalculator();
const catalog = vramfit.catalog();
const plain = (text) => String(text).replace(/\s/g, ' ');

test('who speaks what, and whose figures are written', () => {
  const cases = [
    // asked, heard, the page's own: language, figures
    [[], 'en', 'en'],
    [['es-MX'], 'es', 'es-MX'],
    [['es'], 'es', 'es'],
    [['es', ['es-MX', 'en-US']], 'es', 'es-MX'],
    [['es-ES', ['es-MX']], 'es', 'es-ES'],
    [['es', ['en-US', 'pt-BR']], 'es', 'es'],
    [[null, ['es-MX', 'en-US']], 'es', 'es-MX'],
    [[null, ['fr-FR', 'en-GB', 'es']], 'en', 'en-GB'],
    [[null, ['fr-FR', 'de']], 'en', 'en'],
    [[null, ['es', 'es-419']], 'es', 'es-419'],
    [[null, ['en-US'], 'es'], 'es', 'es'],
    [[null, ['en-US', 'es-CO'], 'es'], 'es', 'es-CO'],
    [[null, ['pt-PT'], 'pt-BR'], 'pt-BR', 'pt-PT'],
    [['pt'], 'pt-BR', 'pt-BR'],
    [['pt-BR', ['pt-PT'], 'es'], 'pt-BR', 'pt-BR'],
    [['PT-pt'], 'pt-BR', 'PT-pt'],
    [['en', ['es-MX'], 'es'], 'en', 'en'],
    [['tlh', ['es-MX'], null], 'es', 'es-MX'],
    [['tlh', ['es-MX'], 'pt-BR'], 'pt-BR', 'pt-BR'],
    // Regions whose figures are not written here, and what is none.
    [['en-IN'], 'en', 'en'],
    [['en-DE'], 'en', 'en'],
    [['es-!!'], 'es', 'es'],
    [['es-MX-u-nu-arab'], 'es', 'es'],
    [['__proto__'], 'en', 'en'],
    [[''], 'en', 'en'],
  ];
  for (const [args, lang, formats] of cases) assert.deepEqual(resolveLanguage(...args), { lang, formats }, JSON.stringify(args));
});

test('the spread of the dot', () => {
  const dot = (tag) => createFormat(resolveLanguage(tag).lang, 'auto', resolveLanguage(tag).formats).number(1234.5, 1) === '1,234.5';
  for (const tag of ['es-MX', 'es-419', 'es-US', 'es-GT', 'es-HN', 'es-NI', 'es-PA', 'es-PE', 'es-PR', 'es-DO', 'es-SV', 'es-CU', 'en', 'en-GB']) assert.ok(dot(tag), tag);
  for (const tag of ['es', 'es-ES', 'es-AR', 'es-CL', 'es-CO', 'es-UY', 'es-VE', 'pt-BR', 'pt-PT', 'en-ZA']) assert.ok(!dot(tag), tag);
});

test('Mexico\'s figures', () => {
  const format = createFormat('es', 'auto', 'es-MX');
  assert.equal(plain(format.usdPerHour(1234.5)), 'USD 1,234.50/h');
  assert.equal(plain(format.bytes(6720e9)), '6,720 GB');
  assert.equal(format.percent(12.5), '12.5%');
  assert.equal(format.share(0.001), '<1%');
  assert.equal(format.params(70.55e9), '70.55B');
  assert.equal(format.date('2026-09-05'), '5 sep 2026');
  assert.equal(format.list(['4', '8']), '4 u 8', 'lists are the language\'s');
  const text = createText(readLocale('es'), 'es', { formats: 'es-MX', strict: true });
  assert.equal(text.t('compartment.margin'), 'Margen del 20%');
  assert.equal(text.t('page.not_a_number'), 'No es un número. Ejemplos: 4096, 32k, 1.5');
  assert.equal(plain(createText(readLocale('es'), 'es').t('choice.situation.serving')), 'Servicio con CUDA graphs y batching (15–20 %)');
});

test('whatever a field shows, it reads back, in every region', () => {
  const random = randomSource(81);
  assert.ok(regions.length > 100);
  for (const field of catalog.fields.filter((f) => 'minimum' in f)) {
    const values = Array.from({ length: 60 }, () => {
      const value = Math.exp(Math.log(field.minimum) + Math.log(field.maximum / field.minimum) * random.next());
      return vramfit.estimate(`model=&${field.key}=${(field.whole || field.kind === 'params' ? Math.ceil(value) : Math.min(value, field.maximum)).toFixed(random.below(7))}`).inputs[field.key];
    });
    for (const tag of ['en', 'es', 'pt-BR', ...regions]) {
      for (const value of values) {
        const shown = fieldText(field, value, tag);
        assert.equal(vramfit.estimate(`model=&${field.key}=${readNumber(field.kind, field.whole, shown)}`).inputs[field.key], value, `${tag} ${field.key} ${shown}`);
      }
    }
  }
});

test('figures of the page are read as numbers in every region', () => {
  for (const tag of regions) {
    const format = createFormat('en', 'auto', tag);
    assert.equal(readNumber('tokens', true, format.number(131072)), '131072', tag);
    assert.equal(readNumber('number', true, format.number(1234567)), '1234567', tag);
    assert.equal(readNumber('number', false, format.number(12.5, 1)), '12.5', tag);
    assert.equal(readNumber('params', false, format.params(32.5e9)), '32.5b', tag);
  }
});

test('late texts write their own figures as the region does', async () => {
  for (const [formats, expected] of [['es-ES', 'tope 14,5 y 20\u00a0%'], ['es-MX', 'tope 14.5 y 20%']]) {
    const site = { locale: async (lang, part) => ({ [part]: { most: 'tope {14.5} y {20%}' } }) };
    const text = await lateTexts(createText({ page: { own: 'suyo' } }, 'es', { formats }), site, ['knobs']);
    assert.equal(text.t('knobs.most').replace(/\s%/, '\u00a0%'), expected);
    assert.equal(text.t('page.own'), 'suyo');
  }
});

test('what is written elsewhere than here is known as such', () => {
  for (const tag of ['en-IN', 'en-DE', 'pt-CV', 'ar-EG', 'fa', 'es-MX-u-nu-arab', 'x', '', 'es-!!', null]) assert.equal(writable(tag), false, tag);
  for (const tag of ['es-MX', 'es-CR', 'en-CH', 'pt-PT']) assert.equal(writable(tag), true, tag);
});

// boot.js runs before any module and has the languages in a pattern of its own.
test('the script before the first paint knows the same languages', () => {
  const boot = readFileSync(join(root, 'web', 'page', 'boot.js'), 'utf8');
  const [, bases] = boot.match(/\^\(([a-z|]+)\)\(-\|\$\)/);
  assert.deepEqual(bases.split('|'), languages.map(({ lang }) => lang.slice(0, 2)));
});
