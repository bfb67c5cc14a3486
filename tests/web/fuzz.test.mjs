// A hundred thousand share strings, random and damaged, through the module as it ships: never a crash, always a canonical string that
// stands for itself, and whatever was not used as typed is named.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';

import { readLocale } from '../../web/locale_files.mjs';
import { formHtml } from '../../web/page/form.mjs';
import { regions } from '../../web/page/regions.mjs';
import { createText, explain } from '../../web/text/explain.mjs';
import { addMessages, languages } from '../../web/text/messages.mjs';
import { golden, randomShare, randomSource, shippedCalculator, shippedModule } from './support.mjs';

const vramfit = await shippedCalculator();
const shipped = await shippedModule();
const catalog = vramfit.catalog();
const keys = [...catalog.fields.map((f) => f.key), 'v', 'lang', 'theme', 'units', 'embed', 'view'];

const words = [
  '__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', 'null', 'undefined', 'NaN', 'Infinity', '-Infinity', 'true', '[object Object]',
  '0', '-0', '-1', '1', '0.5', '.5', '5.', '1.5', '1e5', '1e400', '0x10', '1,5', '1.234,5', '1,234.5', '+1', ' 1 ', '00012', '1k', '1.5K', '1m', '1b', '1T', 'k', '.', '-', '1.2.3', '\u0661\u0662',
  '0.1', '0.09', '95', '95.000001', '4096', '4097', '8192', '65536', '65537', '268435456', '268435457', '1048576', '100t', '101t', '1m.', '999999', '0.9999999', '123456789012345678901234567890',
  '9007199254740993', '9'.repeat(39), '9'.repeat(41), `0.${'0'.repeat(30)}1`, `1.${'3'.repeat(30)}`, '12345.678901234',
  '', ' ', '%', '%%', '%0', '%zz', '%00', '%0a', '%7f', '%ff', '%c3%28', '%e0%80%af', '%ed%a0%80', '%f4%90%80%80', '%C3%A9', '%20', '+', '%2B', '%26', '%3D', '%25', '%2500',
  '\u0000', '\u0001', '\n', '\u00e9', '\u{1f4a9}', '\ud800', '\u202e', '\ufeff', '\u00a0', '<script>', '"><img src=x>', '{n}', '{t}', '$&', "'", '&amp;', '#', '?', 'a=b', 'http://x/?y',
  'all', 'h200,b200', 'h200:3.5', 'h200:3,5', 'h200:3,20,b200:1', 'h200:-1', 'h200:1e9', 'h200:1000001', ',,,', ':', ':1', 'h200:', 'h200 , l40s : 0.97', 'consumer,h200:1', 'nvidia-nvidia-h200', 'intel-', 'h100', '4090', '20',
  'es', 'es-MX', 'pt_BR', 'xx', 'dark', 'GiB', 'gib', '1', '2', 'native', 'q4_k_m', 'fp8', 'bf16', 'qlora', 'full', 'rule', 'worksheet', 'auto', 'channel', 'x'.repeat(300), 'x'.repeat(9000), '\u00e9'.repeat(4500),
];

const pinned = golden.flatMap((c) => c.share);
const bytesOf = (text) => Buffer.from(text, 'utf8');

// What one draw of the source makes.
function strings(random) {
  const typical = () => (random.next() < 0.3 ? random.pick(pinned) : randomShare(catalog, random));
  const pair = () => {
    const key = random.next() < 0.8 ? random.pick(keys) : random.pick(words);
    const field = catalog.fields.find((f) => f.key === key);
    const known = field?.choices?.length ? field.choices : key === 'model' ? [random.pick(catalog.models).id] : key === 'gpu' ? [random.pick(catalog.gpus).id] : words;
    return `${key}${random.next() < 0.95 ? '=' : ''}${random.pick(random.next() < 0.5 ? known : words)}`;
  };
  const pairs = (most) => Array.from({ length: random.below(most) }, pair);
  const insert = (text, more) => {
    const at = random.below(text.length + 1);
    return text.slice(0, at) + more + text.slice(at);
  };
  const damage = [
    (text) => text.slice(0, random.below(text.length + 1)),
    (text) => text.slice(random.below(text.length + 1)),
    (text) => insert(text, random.pick(words)),
    (text) => insert(text, random.pick(['&', '=', '%', '+', '?', '#', '&&', '%u0041', '\u0000'])),
    (text) => `${text}&${text}`,
    (text) => text.split('&').reverse().join('&'),
    (text) => text.split('&').sort(() => random.next() - 0.5).join('&'),
    (text) => { const all = text.split('&'); return [...all, random.pick(all)].join('&'); },
    (text) => text.toUpperCase(),
    (text) => [...text].map((c) => (random.next() < 0.2 ? c.toUpperCase() : c)).join(''),
    (text) => text.replace(/=([^&]*)/, () => `=${random.pick(words)}`),
    (text) => [...text].map((c) => (random.next() < 0.3 ? `%${c.codePointAt(0).toString(16).padStart(2, '0')}` : c)).join(''),
    (text) => [text, ...pairs(3)].join('&'),
    (text) => { const bytes = bytesOf(text); if (bytes.length) bytes[random.below(bytes.length)] ^= 1 << random.below(8); return bytes.toString(random.next() < 0.5 ? 'utf8' : 'latin1'); },
    (text) => { const bytes = bytesOf(text); for (let i = 0; i < 4 && bytes.length; i += 1) bytes[random.below(bytes.length)] = random.below(256); return bytes.toString('latin1'); },
  ];
  const kinds = [
    () => pairs(6).join('&'),
    () => `?${pairs(3).join('&')}`,
    () => Array.from({ length: random.below(60) }, () => String.fromCharCode(random.next() < 0.8 ? 32 + random.below(95) : random.below(65536))).join(''),
    () => random.pick(damage)(typical()),
    () => random.pick(damage)(random.pick(damage)(typical())),
    () => random.pick(damage)(pairs(5).join('&')),
  ];
  return random.pick(kinds)();
}

// What is about the typing only, and so goes when the canonical string is read; but unknown keys and versions stay in it.
const ofTyping = new Set(['unknown-key', 'duplicate-key', 'bad-encoding', 'not-a-number', 'out-of-range', 'not-whole', 'too-long', 'unsupported-version', 'unknown-view']);
const messages = new Set([readLocale('en'), readLocale('en', 'engine')].flatMap((part) => Object.keys(part.notice)));
const staying = new Set(['unknown-key', 'unsupported-version']);

// An answer in two: what is said about the string, and all that follows from the inputs, as text. It is much, so most is never parsed.
function answerTo(share) {
  const text = shipped.estimate(share);
  const at = text.indexOf(',"refused":');
  const { view, notices, share: canonical } = JSON.parse(`${text.slice(0, at)}}`);
  const aboutInputs = JSON.stringify(notices.filter((n) => !ofTyping.has(n.id)));
  return { view, notices, canonical, text, refused: text.startsWith(',"refused":true', at), rest: createHash('sha1').update(aboutInputs).update(text.slice(at)).digest('latin1') };
}

test('100,000 strings: canonical, or named', () => {
  const random = randomSource(20);
  const settled = new Map();  // what each canonical string answers
  let refused = 0;
  for (let i = 0; i < 100000; i += 1) {
    const share = strings(random);
    const what = () => `${i}: ${JSON.stringify(share.slice(0, 400))}`;
    let answer;
    try {
      answer = answerTo(share);
      if (!settled.has(answer.canonical)) {
        const again = answerTo(answer.canonical);
        assert.equal(again.canonical, answer.canonical, 'not canonical');
        assert.deepEqual(again.view, {});
        assert.deepEqual(again.notices.filter((n) => ofTyping.has(n.id) && !staying.has(n.id)), [], 'fault is found with the canonical string');
        settled.set(answer.canonical, again.rest);
      }
      for (const { id } of answer.notices) assert.ok(messages.has(id), `no message for ${id}`);
      if (answer.rest !== settled.get(answer.canonical)) {
        // A number that cannot be read is left out of the canonical string, which is then not refused.
        assert.ok(answer.notices.some(({ id }) => id === 'not-a-number'), 'the canonical string answers otherwise');
        assert.deepEqual(JSON.parse(answer.text).inputs, vramfit.estimate(answer.canonical).inputs);
      }
      if (answer.notices.length === 0) silentlyLeftOut(share, answer);
    } catch (error) {
      error.message = `${what()}: ${error.message.slice(0, 2000)}`;
      throw error;
    }
    if (answer.refused) refused += 1;
  }
  assert.ok(settled.size > 20000 && refused > 10000 && refused < 90000, `${settled.size} different ones, ${refused} refused`);
});

// Where nothing is remarked, every pair of the string is in the inputs or the view.
function silentlyLeftOut(share, { view, text }) {
  const { inputs } = JSON.parse(text);
  for (const pair of Buffer.from(share).toString().replace(/^[?#]/, '').split('&').filter(Boolean)) {
    const [key, typed = ''] = pair.split(/=(.*)/s).map((part) => decodeURIComponent(part.replaceAll('+', ' ')));
    if (key === 'v') continue;
    if (key in view) assert.equal(view[key], typed);
    else {
      const field = catalog.fields.find((f) => f.key === key);
      assert.ok(field, pair);
      const plain = typed.replaceAll(' ', '').toLowerCase();
      if (field.choices) assert.equal((inputs[key] ?? field.default).replaceAll(' ', ''), plain || field.optional ? plain : field.default, pair);
    }
  }
}

const junk = /undefined|NaN|\[object|Infinity(?! Fabric)|∞|\bnull\b/;

for (const { lang } of languages) {
  test(`${lang}: 1,500 of them in words and on the page`, () => {
    const random = randomSource(21);
    const { cli, ...locale } = addMessages(readLocale(lang), readLocale(lang, 'engine'));
    const text = createText(locale, lang, { strict: true });
    for (let i = 0; i < 1500; i += 1) {
      const share = strings(random);
      try {
        const result = vramfit.estimate(share);
        // What was typed may be any word; it is shown as it is.
        const typed = [...Object.values(result.inputs), ...Object.values(result.view), ...result.notices.flatMap((n) => [n.field, n.value]), result.share];
        if (typed.some((value) => junk.test(value))) continue;
        const view = explain(result, catalog, text);
        const written = [view.sentence, ...view.notices.map((n) => n.text), ...Object.values(regions(view, text)).filter(Boolean).map(String), i % 5 ? '' : String(formHtml(catalog, result, text))];
        for (const piece of written) if (piece !== 'null') assert.doesNotMatch(piece, junk);
        for (const piece of written) assert.doesNotMatch(piece, /<script|<img/i);
      } catch (error) {
        error.message = `${JSON.stringify(share.slice(0, 400))}: ${error.message.slice(0, 600)}`;
        throw error;
      }
    }
  });
}
