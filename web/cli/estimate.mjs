#!/usr/bin/env node
// The answer in a terminal, by the module and the texts of a built page.
//
//   node web/cli/estimate.mjs --dist DIST [--format text|json|md|csv|svg] [--site URL] [--lang en|es|pt-BR|es-MX|...] [--prices FILE.json]
//     [--log FILE|-] [--model-file PATH [PATH ...]] 'model=llama-3.1-70b&weights=fp8'
//
// `--model-file`: a model's own files (IMPORT.md), or the folder that they lie in; what was understood of them is printed too.
// `--log`: what an engine printed when it started, held against the answer; - is standard input. Goes with text and json.
// `--prices`: a price list as PRICES.md describes it, in place of the catalogue's prices.
//
// --json is --format json. What is made as a file carries the share string; with --site, where a page stands, the whole link.
// In the npm package it is the command `vramfit`, where the module lies beside it: `vramfit [estimate] [--json] ...`.
// Exit code 0 with an answer, 2 when the input was refused, 64 when the command itself was wrong.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { answerJson } from '../export/answer_json.mjs';
import { breakdownSvg } from '../export/breakdown_svg.mjs';
import { fitCsv } from '../export/fit_csv.mjs';
import { isAddress, linkTo } from '../export/link.mjs';
import { answerMarkdown } from '../export/markdown.mjs';
import { readLocales } from '../locale_files.mjs';
import { readPriceList } from '../price_list.mjs';
import { createText, explain } from '../text/explain.mjs';
import { ownUnit } from '../text/format.mjs';
import { matchLanguage, resolveLanguage } from '../text/messages.mjs';
import { priceProblem, pricesFrom } from '../text/price_list.mjs';
import { loadVramfit } from '../vramfit.mjs';
import { columns, wrap } from './columns.mjs';
import { logJson, logLines, readLogFile } from './log.mjs';
import { isPath, modelFileLines, readModelFiles, remarkLines, shareWith } from './model_file.mjs';
import { whatIfLines } from './what_if.mjs';
import './broken_pipe.mjs';

const lineWidth = 100;
const shownCards = 20;
const wasm = 'vramfit-full.wasm';
const importWasm = 'vramfit-import.wasm';
const folder = dirname(fileURLToPath(import.meta.url));
const packed = existsSync(join(folder, wasm));

// `asked`: the language to speak, with or without the region whose figures are wanted.
function textFor(asked, units) {
  const { lang, formats: region } = resolveLanguage(asked);
  return createText(readLocales(lang, ['engine', 'export', 'prices', 'log', 'import']), lang, { units, formats: region });
}

const makers = { md: answerMarkdown, csv: fitCsv, svg: breakdownSvg };
const formats = ['text', 'json', ...Object.keys(makers)];

// Where a page stands: an address to put a share string behind.
function isSite(text) {
  try {
    return /^https?:$/.test(new URL(text).protocol);
  } catch {
    return false;
  }
}

function parseArguments(args) {
  const options = { dist: null, format: 'text', site: null, lang: null, prices: null, log: null, models: [], help: false, version: false, share: [] };
  for (let i = 0; i < args.length; i += 1) {
    const [name, inline] = args[i].startsWith('--') ? args[i].split(/=(.*)/s) : [args[i]];
    if (name === '--json' && inline === undefined) options.format = 'json';
    else if ((name === '--help' || name === '-h') && inline === undefined) options.help = true;
    else if (name === '--version' && inline === undefined) options.version = true;
    else if (['--dist', '--lang', '--format', '--site', '--prices', '--log', '--model-file'].includes(name)) {
      const value = inline ?? args[(i += 1)];
      if (value === undefined) return { error: ['needs_value', { option: name }] };
      if (name === '--model-file') options.models.push(value);
      else options[name.slice(2)] = value;
    } else if (args[i].startsWith('-')) return { error: ['bad_option', { option: args[i] }] };
    else if (options.models.length > 0 && isPath(args[i])) options.models.push(args[i]);
    else if (!(packed && args[i] === 'estimate' && options.share.length === 0)) options.share.push(args[i]);
  }
  if (!formats.includes(options.format)) return { error: ['bad_format', { format: options.format }] };
  if (options.log !== null && !['text', 'json'].includes(options.format)) return { error: ['log_format', {}] };
  if (options.site !== null && !isSite(options.site)) return { error: ['bad_site', { site: options.site }] };
  return options;
}

function painter(stream) {
  const on = stream.isTTY && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
  const paint = (code) => (s) => (on ? `\x1b[${code}m${s}\x1b[0m` : s);
  return { bold: paint(1), quiet: paint(2) };
}

function compartmentLines(view, { t, format }, own) {
  const { rows, need, needAll, count } = view.compartments;
  const varies = rows.some((row) => row.low !== row.high);
  const size = (bytes) => format.bytes(bytes, own);
  const head = [t('page.compartment'), ...(varies ? [t('cli.low'), t('cli.likely'), t('cli.high')] : [t('page.per_gpu')]), ...(count > 1 ? [t('page.all_gpus', { count })] : [])];
  const sum = (key) => size(rows.reduce((total, row) => total + row[key], 0));
  const body = rows.map((row) => [row.label, ...(varies ? [row.low !== row.high ? size(row.low) : '', row.perGpu, row.low !== row.high ? size(row.high) : ''] : [row.perGpu]), ...(count > 1 ? [row.all] : [])]);
  const total = [t('page.total'), ...(varies ? [sum('low'), need, sum('high')] : [need]), ...(count > 1 ? [needAll] : [])];
  return columns([head, ...body, total], { right: [1, 2, 3, 4] });
}

function fitLines(view, { t }) {
  const holding = view.fit.filter((row) => row.smallest);
  const rows = holding.slice(0, shownCards).map(({ smallest: s, ...row }) => [
    `${s.count}x ${row.name}`, t(`verdict.${s.verdict}`), s.cost ?? '', s.verdict === 'fits' ? s.free : row.why ?? '',
  ]);
  if (rows.length === 0) return [`  ${t('page.fit.nothing')}`];
  const lines = columns(rows, { right: [2] });
  if (holding.length > shownCards) lines.push(`  ${t('cli.also', { count: holding.length - shownCards })}`);
  return lines;
}

// { prices, problems } of the list in `file`, or { error } with what to say.
function readPrices(file, catalog) {
  let bytes;
  let json;
  try {
    bytes = readFileSync(file);
  } catch {
    return { error: ['no_file', { file }] };
  }
  try {
    json = JSON.parse(new TextDecoder().decode(bytes));  // without a byte order mark, as fetch() reads it
  } catch {
    return { error: ['no_json', { file }] };
  }
  return readPriceList(json, catalog);
}

// `list`: { prices, problems } of the price list, `log`: the lines about a log, where there are such.
// `model`: those about a model's files.
function answerLines({ result, view, whatIf, catalog, list, log, model, link }, text, { bold, quiet }) {
  const { t } = text;
  const own = ownUnit(result.method);
  const block = (title, lines) => ['', bold(title), ...lines];
  const paragraph = (s, indent = '  ') => wrap(s, lineWidth, indent);
  const lines = wrap(view.sentence, lineWidth).map(bold);
  const notices = view.notices.filter((n) => !(view.refused && view.sentence.includes(n.text)));
  if (view.incomplete) lines.push('', ...paragraph(view.incomplete, ''));
  if (view.help) lines.push('', ...wrap(view.help.title, lineWidth), ...(view.help.lead ? [view.help.lead] : []), ...view.help.items.flatMap((item) => wrap(item, lineWidth, '  - ', '    ')), ...(view.help.note ? [view.help.note] : []));
  notices.push(...(list?.problems ?? []).map((problem) => ({ severity: 'warning', text: priceProblem(problem, text) })));
  if (notices.length) lines.push('', ...notices.flatMap((n) => wrap(`${t(`severity.${n.severity}`)}: ${n.text}`, lineWidth, '', '  ')));
  if (!view.refused) {
    lines.push(...block(view.compartments.title, compartmentLines(view, text, own)));
    if (view.compartments.split) lines.push(...paragraph(view.compartments.split).map(quiet));
    const { engine, differences } = view;
    if (engine) lines.push(...block(engine.on, columns(engine.log.map(({ label, value, range }) => [label, String(value), range ?? '']), { right: [1] })));
    const totals = view.methods.filter((m) => m.total).map((m) => [m.name, m.least ? t('method.least', { need: m.total }) : m.total, m.range ?? '']);
    lines.push(...block(t('page.methods'), columns(totals, { right: [1] })), ...paragraph(view.difference));
    if (differences) {
      const rows = differences.rows.map(({ label, cells }) => [label, ...cells.map((cell) => String(cell ?? '–'))]);
      lines.push(...block(differences.lead, columns([['', ...differences.columns], ...rows], { right: [1, 2, 3] })));
      lines.push(...differences.rows.filter(({ says }) => says).flatMap(({ label, says }) => wrap(`${label}: ${says}`, lineWidth, '  ', '    ')));
    }
    lines.push(...block(t('page.fit'), fitLines(view, text)));
    if (view.cheapest) lines.push(...paragraph(t('page.fit.cheapest', view.cheapest)));
    if (list) lines.push(...paragraph(pricesFrom(list.prices, text)).map(quiet));
    if (view.layoutNotes.length) lines.push(...paragraph(`${t('verdict.unusable')}: ${view.layoutNotes.join('; ')}`).map(quiet));
  }
  if (!view.refused && whatIf.missing.length === 0) {
    const [card] = whatIf.cards;
    const far = whatIfLines(whatIf, result, catalog, text);
    if (far.length) lines.push(...block(t('cli.far', { gpus: `${card.count}x ${view.fit.find((row) => row.id === card.gpu).short}` }), far));
  }
  if (model) lines.push(...block(t('import.understood'), model));
  if (log) lines.push(...block(t('page.log'), log));
  lines.push('', isAddress(link) ? `${t('cli.link')}: ${link}` : `${t('cli.share')}: ${link || t('cli.defaults')}`);
  return lines;
}

async function main(args) {
  const options = parseArguments(args);
  const usage = textFor(options.lang);
  const usageLine = usage.t('cli.usage', { command: packed ? 'vramfit' : 'estimate.mjs --dist DIR' });
  const usageError = (key, values) => {
    console.error(`${usage.t(`cli.${key}`, values)}\n${usageLine}`);
    return 64;
  };
  if (options.error) return usageError(...options.error);
  if (options.help) {
    console.log(`${usageLine}\n${usage.t('cli.usage.example', { command: packed ? 'npx vramfit' : 'estimate.mjs --dist dist' })}`);
    return 0;
  }
  if (options.lang !== null && !matchLanguage(options.lang)) return usageError('bad_lang', { lang: options.lang });
  if (!options.dist && !packed) return usageError('needs_value', { option: '--dist' });
  const assets = options.dist ? resolve(options.dist, 'assets') : folder;
  if (!existsSync(join(assets, wasm))) return usageError('no_dist', { dist: options.dist });

  const { default: moduleFactory } = await import(pathToFileURL(join(assets, 'vramfit-core.mjs')));
  const vramfit = await loadVramfit({ wasmBinary: readFileSync(join(assets, wasm)), moduleFactory });
  const catalog = vramfit.catalog();
  if (options.version) {
    console.log(catalog.version);
    return 0;
  }
  const list = options.prices === null ? null : readPrices(options.prices, catalog);
  if (list?.error) return usageError(...list.error);
  if (list && !list.prices) {
    console.error(list.problems.map((problem) => priceProblem(problem, usage)).join('\n'));
    return 64;
  }
  let read = null;
  try {
    if (options.log !== null) read = readLogFile(options.log);
  } catch {
    return usageError('no_file', { file: options.log });
  }
  let imported = null;
  try {
    if (options.models.length > 0) imported = await readModelFiles(options.models, { moduleFactory, wasmBinary: readFileSync(join(assets, importWasm)) });
  } catch (error) {
    if (error.file === undefined) throw error;
    return usageError('no_file', { file: error.file });
  }
  if (imported && !imported.ok) {
    if (options.format === 'json') console.log(JSON.stringify({ refused: true, imported }, null, 2));
    else console.error(modelFileLines(imported, usage, lineWidth).join('\n'));
    return 2;
  }
  const asked = options.share.join('&');
  const share = imported ? shareWith(imported, asked) : asked;
  const result = vramfit.estimate(share, list ?? {});
  const whatIf = vramfit.whatIf(share, list ?? {});
  const link = linkTo(options.site, result);
  if (options.format === 'json') {
    console.log(answerJson({ result, whatIf, link, problems: list?.problems, log: read && await logJson(read, result, vramfit), imported }));
    return result.refused ? 2 : 0;
  }
  const text = textFor(options.lang ?? result.view.lang, result.view.units);
  const view = explain(result, catalog, text, vramfit);
  const make = makers[options.format];
  if (!make) console.log(answerLines({ result, view, whatIf, catalog, list, log: read && await logLines(read, result, vramfit, text, lineWidth), model: imported && modelFileLines(imported, text, lineWidth), link }, text, painter(process.stdout)).join('\n'));
  else if (result.refused) console.error(view.sentence);
  else process.stdout.write(make({ result, view, text, link }));
  if (make && imported) for (const line of remarkLines(imported, text, lineWidth)) console.error(line);
  if (make && list) for (const problem of list.problems) console.error(priceProblem(problem, text));
  return result.refused ? 2 : 0;
}

process.exitCode = await main(process.argv.slice(2));
