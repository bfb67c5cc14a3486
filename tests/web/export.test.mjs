// What leaves the page as a file: each format read back by a parser, over the golden questions, random ones and hostile ones.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { parse as parseCsv } from 'csv-parse/sync';
import { marked } from 'marked';
import { SaxesParser } from 'saxes';

import { answerJson } from '../../web/export/answer_json.mjs';
import { breakdownSvg } from '../../web/export/breakdown_svg.mjs';
import { fileName } from '../../web/export/file_name.mjs';
import { fitCsv } from '../../web/export/fit_csv.mjs';
import { linkTo } from '../../web/export/link.mjs';
import { answerMarkdown, plainText } from '../../web/export/markdown.mjs';
import { palette } from '../../web/export/palette.mjs';
import { widthOf, wrapText } from '../../web/export/text_width.mjs';
import { xml } from '../../web/export/xml.mjs';
import { readLocales } from '../../web/locale_files.mjs';
import { createText, explain } from '../../web/text/explain.mjs';
import { golden, randomShare, randomSource, root, shippedCalculator } from './support.mjs';

const vramfit = await shippedCalculator();
const catalog = vramfit.catalog();
const site = 'https://example.org/vramfit/';
const langs = ['en', 'es', 'pt-BR'];
const texts = Object.fromEntries(langs.map((lang) => [lang, createText(readLocales(lang), lang, { strict: true })]));

const random = randomSource(20261130);
const hostile = [
  'zz<script>alert(1)</script>=1&<img src%3Dx onerror%3Dalert(1)>=1',
  'gpus=h200,![x](http://evil.example/a.png),@everyone,%3Dcmd|calc',
  'gpus=h200:`a`|b,l40s:[c](d)&https://evil.example/=1&www.evil.example=1&gpu=<b>',
  '%00%01%0A%0A%23%20Heading%0A-%20item=]]%3E--%3E&&amp;=1',
  `=1&@SUM(1)=2&${'k'.repeat(300)}=${'%F0%9F%92%A9'.repeat(60)}`,
  '*a*_b_~~c~~[d](e)=1&$x$=1&%ED%A0%80%FF=%FF&a b=1&a b=2',
];
const asked = [...golden.flatMap((row) => row.share), ...Array.from({ length: 120 }, () => randomShare(catalog, random)), ...hostile];
const results = asked.map((share) => vramfit.estimate(share));
const answered = results.filter((result) => !result.refused);

const answerOf = (result, lang) => ({ result, view: explain(result, catalog, texts[lang]), text: texts[lang], link: linkTo(site, result) });
const everywhere = (check) => { for (const result of answered) for (const lang of langs) check(answerOf(result, lang), `${lang} ${result.share}`); };

test('most of what is asked here has an answer, the hostile links too', () => {
  assert.ok(answered.length > 100, String(answered.length));
  for (const share of hostile) assert.ok(!vramfit.estimate(share).refused, share);
});

// --- SVG ----------------------------------------------------------------------------------------------------------------

// [{name, attributes, text}] in document order; throws where it is not well-formed.
function elements(source) {
  const found = [];
  const open = [];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => { throw error; });
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes: Object.fromEntries(Object.values(attributes).map((a) => [a.name, a.value])), text: '' };
    found.push(element);
    open.push(element);
  });
  parser.on('text', (text) => { if (open.length) open.at(-1).text += text; });
  parser.on('closetag', () => open.pop());
  parser.write(source).close();
  return found;
}

const spaces = (text) => text.replace(/\s+/g, ' ').trim();

test('SVG: well-formed, of shapes and text only, with its title, inside its box', () => {
  everywhere((answer, what) => {
    const [svg, ...rest] = elements(breakdownSvg(answer));
    assert.equal(svg.name, 'svg', what);
    const height = Number(svg.attributes.height);
    assert.equal(svg.attributes.viewBox, `0 0 1200 ${height}`, what);
    assert.equal(rest[0].name, 'title', what);
    assert.equal(rest[0].text, answer.view.sentence, what);
    assert.ok(rest[1].name === 'desc' && rest[1].text.includes(answer.link), what);
    for (const { name, attributes } of rest) {
      assert.ok(['title', 'desc', 'rect', 'text', 'line'].includes(name), `${what}: <${name}>`);
      for (const [key, value] of Object.entries(attributes)) {
        assert.doesNotMatch(key, /^(on|style$|.*href$|class$)/, what);
        assert.doesNotMatch(value, /NaN|undefined|Infinity|url\(|^-/, `${what}: ${key}`);
      }
      const { x = 0, y = 0, x2 = 0 } = attributes;
      assert.ok(Number(x) + Number(attributes.width ?? 0) <= 1200.01 && Number(x2) <= 1200 && Number(y) + Number(attributes.height ?? 0) <= height + 0.01, `${what}: ${name} at ${x}, ${y}`);
    }
    const written = spaces(rest.filter((e) => e.name === 'text').map((e) => e.text).join(' '));
    assert.ok(written.startsWith(spaces(answer.view.sentence)), what);
    for (const row of answer.view.compartments.rows) assert.ok(written.includes(spaces(`${row.label} ${row.perGpu}`)), `${what}: ${row.id}`);
    assert.ok(written.includes(spaces(answer.view.catalogDate)), what);
  });
});

test('SVG: bars are to scale with the capacity, one per GPU where they differ', () => {
  const bars = (share) => {
    const answer = answerOf(vramfit.estimate(share), 'en');
    const rects = elements(breakdownSvg(answer)).filter((e) => e.name === 'rect').map((e) => ({ ...e.attributes, width: Number(e.attributes.width) }));
    const tracks = rects.filter((r) => r.fill === palette.raised);
    return { answer, rects, tracks, first: (id) => rects.filter((r) => r.fill === palette[`c-${id}`] && r.stroke) };
  };
  const one = bars('');
  assert.equal(one.tracks.length, 1);
  assert.ok(Math.abs(one.first('weights')[0].width / one.tracks[0].width - 70 / 141) < 1e-3);
  assert.ok(Math.abs(one.first('margin')[0].width / one.tracks[0].width - 14 / 141) < 1e-3);

  const three = bars('method=worksheet&weights=q4_k_m&gpus=consumer&count=3');
  assert.equal(three.tracks.length, 3);
  const weights = three.answer.result.methods.worksheet.compartments[0];
  const { capacity } = three.answer.view.compartments;
  three.first('weights').forEach((r, i) => assert.ok(Math.abs(r.width / three.tracks[i].width - weights.rank_bytes[i] / capacity) < 1e-3, String(i)));

  // What does not fit goes past a line at the capacity.
  const over = bars('weights=bf16&gpu=rtx-4090&count=1');
  assert.equal(over.rects.filter((r) => r.fill === palette.bad).length, 1);
  assert.equal(one.rects.filter((r) => r.fill === palette.bad).length, 0);
});

test('SVG: its colours are the page\'s light ones', () => {
  const css = readFileSync(join(root, 'web', 'page', 'palette.css'), 'utf8');
  const light = Object.fromEntries([...css.matchAll(/--([\w-]+): light-dark\((#\w+),/g)].map((m) => [m[1], m[2]]));
  for (const [name, colour] of Object.entries(palette)) assert.equal(colour, light[name], name);
  assert.ok(Object.keys(light).length > 15);
  for (const name of Object.keys(light).filter((name) => name.startsWith('c-'))) assert.ok(palette[name], name);
});

test('text for XML: escaped, and no character that XML forbids', () => {
  assert.equal(xml('a<b> & "c" \'d\''), 'a&lt;b&gt; &amp; &quot;c&quot; &apos;d&apos;');
  const text = elements(`<a>${xml('\u0000\u0008\ud800x\udfff\ufffe \u{1f4a9}')}</a>`)[0].text;
  assert.equal(text, '\ufffd\ufffd\ufffdx\ufffd\ufffd \u{1f4a9}');
});

test('lines are no wider than asked, and nothing is lost in them', () => {
  const source = randomSource(5);
  for (let i = 0; i < 300; i += 1) {
    const words = Array.from({ length: 1 + source.below(30) }, () => 'x'.repeat(1 + source.below(source.below(10) ? 12 : 200)));
    const lines = wrapText(words.join(' '), 300, 16);
    assert.equal(lines.join('').replaceAll(' ', ''), words.join(''));
    for (const line of lines) assert.ok(widthOf(line, 16) <= 300, line);
  }
  assert.deepEqual(wrapText('', 300, 16), []);
});

// --- CSV ----------------------------------------------------------------------------------------------------------------

test('CSV: read back, it is the fit table, with plain numbers and ids', () => {
  everywhere((answer, what) => {
    const source = fitCsv(answer);
    assert.ok(source.endsWith('\r\n') && !/[^\r]\n/.test(source), what);
    const rows = parseCsv(source, { columns: true, record_delimiter: '\r\n' });
    assert.deepEqual(rows.map((row) => row.gpu_id), answer.view.fit.map((row) => row.id), what);
    for (const row of rows) {
      const fit = answer.result.fit.find((f) => f.gpu === row.gpu_id);
      assert.equal(row.gpu_name, catalog.gpus.find((g) => g.id === fit.gpu).name);
      assert.equal(row.capacity_bytes, String(fit.capacity_bytes));
      assert.deepEqual([1, 2, 3, 4, 5, 6, 7, 8].map((n) => row[`verdict_${n}_gpus`]), fit.verdicts);
      assert.equal(row.usd_per_gpu_hour, fit.price ? String(fit.price.usd_per_gpu_hour) : '');
      assert.deepEqual([row.price_book, row.price_provider, row.price_kind, row.price_date], ['book', 'provider', 'kind', 'date'].map((key) => fit.price?.[key] ?? ''));
      const count = fit.verdicts.indexOf('fits') + 1 || fit.verdicts.indexOf('tight') + 1;
      assert.equal(row.smallest_count, count ? String(count) : '');
      assert.equal(row.smallest_verdict, count ? fit.verdicts[count - 1] : '');
      if (count && fit.price) assert.ok(Math.abs(Number(row.usd_per_hour) - count * fit.price.usd_per_gpu_hour) < 1e-4);
      else assert.equal(row.usd_per_hour, '');
      assert.deepEqual([row.catalog_date, row.method], [answer.result.catalog_date, answer.result.method]);
      assert.equal(row.link, answer.link);
      for (const cell of Object.values(row)) assert.doesNotMatch(cell, /^[=+\-@\t\r]/, what);
    }
  });
});

test('CSV: the header is for programs and stays as it is', () => {
  const [header] = fitCsv(answerOf(vramfit.estimate(''), 'es')).split('\r\n');
  assert.equal(header, 'gpu_id,gpu_name,method,capacity_bytes,usd_per_gpu_hour,price_book,price_provider,price_kind,price_date,verdict_1_gpus,verdict_2_gpus,verdict_3_gpus,verdict_4_gpus,verdict_5_gpus,verdict_6_gpus,verdict_7_gpus,verdict_8_gpus,smallest_count,smallest_verdict,need_bytes_per_gpu,usd_per_hour,catalog_date,link');
  assert.equal(fitCsv(answerOf(vramfit.estimate('gpus=h200:0.1&weights=bf16'), 'en')).split('\r\n')[1].split(',').at(-3), '0.2');
});

test('CSV: no text becomes a formula, and marks stay in their cell', () => {
  const answer = answerOf(vramfit.estimate('gpus=h200'), 'en');
  for (const name of ['=1+1', '+1', '-1', '@SUM(1)', '\t=1', '\r=1', ' =1', '\uff1d1', '|x', '%x', 'a,"b"\r\nc', '"']) {
    const [row] = parseCsv(fitCsv({ ...answer, view: { fit: [{ ...answer.view.fit[0], name }] }, link: name }), { columns: true, record_delimiter: '\r\n' });
    const guarded = /^[\s]*[=+\-@|%\uff1d]/.test(name) ? `'${name}` : name;
    assert.deepEqual([row.gpu_name, row.link, row.gpu_id], [guarded, guarded, 'h200'], JSON.stringify(name));
  }
});

// --- Markdown -----------------------------------------------------------------------------------------------------------

const cells = (line) => line.split(/(?<!\\)\|/).length;
const unescaped = (text) => text.replace(/<[^>]*>/g, ' ').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&').replaceAll('\u2060', '');

test('Markdown: headings, tables of one width, every formula with its source, and one link', () => {
  everywhere((answer, what) => {
    const source = answerMarkdown(answer);
    const tokens = marked.lexer(source);
    const { compartments: c, fit } = answer.view;
    const tables = tokens.filter((t) => t.type === 'table');
    assert.equal(tables.length, (fit.some((row) => row.smallest) ? 3 : 2) + (answer.view.engine ? 1 : 0) + (answer.view.differences ? 1 : 0), what);
    assert.equal(tables[0].rows.length, c.rows.length + 1 + (c.free ? 1 : 0), what);
    for (const { raw } of tables) assert.equal(new Set(raw.trim().split('\n').map(cells)).size, 1, `${what}\n${raw}`);
    assert.equal(tokens[0].type, 'heading', what);
    const made = marked.parse(source);
    assert.equal(spaces(unescaped(made.slice(0, made.indexOf('</h2>')))), spaces(answer.view.sentence), what);
    const read = spaces(unescaped(made));
    for (const row of c.rows) for (const term of row.terms) for (const text of [term.text, term.source]) assert.ok(read.includes(spaces(text)), `${what}: ${text}`);
    assert.ok(read.includes(spaces(answer.view.catalogDate)), what);
    assert.deepEqual([...made.matchAll(/<a href="([^"]*)"/g)].map((m) => unescaped(m[1])), [answer.link.replaceAll(';', '%3B')], what);
    assert.doesNotMatch(made, /<(script|img|del|code|iframe)|<h1/, what);
  });
});

test('Markdown: what a link says is text, mentions nobody and links nowhere', () => {
  for (const text of ['<b>x</b>', '![a](http://evil.example)', '[a](javascript:alert(1))', '`code`', '*a* _b_ ~~c~~', '|', '&lt;', '$x$', 'https://evil.example', 'http://evil.example', 'www.evil.example', 'WWW.evil.example', '\\*', '<!-- x -->', 'a\n\n# b']) {
    const made = marked.parse(`x ${plainText(text)} y`);
    assert.match(made, /^<p>[^<]*<\/p>\n$/, text);
    assert.equal(spaces(unescaped(made)), `x ${spaces(text)} y`, text);
  }
  // Whoever renders it looks for these in the text itself.
  assert.doesNotMatch(plainText('@everyone me@evil.example #12 org/repo#3'), /[@#]\w/);
  const notice = answerOf(vramfit.estimate('gpu=@everyone <b>'), 'en');
  assert.match(answerMarkdown(notice), /\*\*Warning:\*\* GPU: .*@\u2060everyone \\<b\\>/);
});

test('Markdown: without a page there is the share string', () => {
  const result = vramfit.estimate('weights=bf16');
  assert.match(answerMarkdown({ ...answerOf(result, 'en'), link: linkTo('', result) }), /\n`weights=bf16`\\\nvramfit /);
  assert.match(answerMarkdown({ ...answerOf(result, 'en'), link: 'a``b`' }), /\n``` a``b` ```\\\n/);
});

// --- JSON, links, names ---------------------------------------------------------------------------------------------------

test('JSON: the result object, with what-if and the link', () => {
  for (const result of results) {
    const whatIf = result.refused ? null : vramfit.whatIf(result.share);
    const link = linkTo(site, result);
    assert.deepEqual(JSON.parse(answerJson({ result, whatIf, link })), { ...result, ...(whatIf && { what_if: whatIf }), link });
    assert.deepEqual(JSON.parse(answerJson({ result, whatIf, link: result.share })), { ...result, ...(whatIf && { what_if: whatIf }) });
  }
});

test('a link leads to the same configuration', () => {
  for (const result of results) {
    const link = linkTo(`${site}?old=1#canvas`, result);
    assert.match(link, /^https:\/\/example\.org\/vramfit\/(\?[!-~]+)?$/, result.share);
    assert.equal(vramfit.estimate(new URL(link).search.slice(1)).share, result.share);
    assert.equal(linkTo('', result), result.share);
  }
  assert.equal(linkTo(site, vramfit.estimate('lang=es&units=GiB')), `${site}?lang=es&units=GiB`);
});

test('names of files can be read, and hold nothing a file system minds', () => {
  const named = (share) => fileName(vramfit.estimate(share), 'svg');
  assert.equal(named(''), 'vramfit-llama-3.1-70b-fp8.svg');
  assert.equal(named('weights=q4_k_m'), 'vramfit-llama-3.1-70b-q4_k_m.svg');
  assert.equal(named('model=llama-3.1-8b&task=qlora'), 'vramfit-llama-3.1-8b-qlora.svg');
  assert.equal(named('params=32.5b&weights=bf16'), 'vramfit-32.5b-bf16.svg');
  for (const result of [...results, vramfit.estimate('model=../../etc/passwd'), vramfit.estimate('model=%00<>:')]) assert.match(fileName(result, 'csv'), /^vramfit(-[a-z0-9][a-z0-9._-]*)?\.csv$/, result.share);
});

test('what makes the files knows no page and no network', () => {
  for (const file of readdirSync(join(root, 'web', 'export'))) {
    const source = readFileSync(join(root, 'web', 'export', file), 'utf8').replace(/\/\/.*$/gm, '');
    assert.doesNotMatch(source, /\b(document|window|fetch|navigator|localStorage|process|node:)\b/, file);
  }
});
