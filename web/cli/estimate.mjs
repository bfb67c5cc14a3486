#!/usr/bin/env node
// The answer in a terminal, by the module and the texts of a built page.
//
//   node web/cli/estimate.mjs --dist DIST [--json] [--lang en|es|pt-BR|es-MX|...] 'model=llama-3.1-70b&weights=fp8'
//
// Exit code 0 with an answer, 2 when the input was refused, 64 when the command itself was wrong.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { readLocale } from '../locale_files.mjs';
import { createText, explain } from '../text/explain.mjs';
import { matchLanguage, resolveLanguage } from '../text/messages.mjs';
import { loadVramfit } from '../vramfit.mjs';
import { columns, wrap } from './columns.mjs';
import { whatIfLines } from './what_if.mjs';
import './broken_pipe.mjs';

const lineWidth = 100;
const shownCards = 20;

// `asked`: the language to speak, with or without the region whose figures are wanted.
function textFor(asked, units) {
  const { lang, formats } = resolveLanguage(asked);
  return createText(readLocale(lang), lang, { units, formats });
}

function parseArguments(args) {
  const options = { dist: null, json: false, lang: null, help: false, share: [] };
  for (let i = 0; i < args.length; i += 1) {
    const [name, inline] = args[i].startsWith('--') ? args[i].split(/=(.*)/s) : [args[i]];
    if (name === '--json' && inline === undefined) options.json = true;
    else if ((name === '--help' || name === '-h') && inline === undefined) options.help = true;
    else if (name === '--dist' || name === '--lang') {
      const value = inline ?? args[(i += 1)];
      if (value === undefined) return { error: ['needs_value', { option: name }] };
      options[name.slice(2)] = value;
    } else if (args[i].startsWith('-')) return { error: ['bad_option', { option: args[i] }] };
    else options.share.push(args[i]);
  }
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
    `${s.count}x ${row.name}`, t(`verdict.${s.verdict}`), s.cost ?? '', s.verdict === 'fits' ? s.free : '',
  ]);
  if (rows.length === 0) return [`  ${t('page.fit.nothing')}`];
  const lines = columns(rows, { right: [2] });
  if (holding.length > shownCards) lines.push(`  ${t('cli.also', { count: holding.length - shownCards })}`);
  return lines;
}

function answerLines(result, whatIf, catalog, text, { bold, quiet }) {
  const view = explain(result, catalog, text);
  const { t } = text;
  const own = result.method === 'worksheet' ? 'GiB' : 'GB';
  const block = (title, lines) => ['', bold(title), ...lines];
  const paragraph = (s, indent = '  ') => wrap(s, lineWidth, indent);
  const lines = wrap(view.sentence, lineWidth).map(bold);
  const notices = view.notices.filter((n) => !(view.refused && view.sentence.includes(n.text)));
  if (view.incomplete) lines.push('', ...paragraph(view.incomplete, ''));
  if (view.help) lines.push('', ...wrap(view.help.title, lineWidth), ...view.help.items.flatMap((item) => wrap(item, lineWidth, '  - ', '    ')), ...(view.help.note ? [view.help.note] : []));
  if (notices.length) lines.push('', ...notices.flatMap((n) => wrap(`${t(`severity.${n.severity}`)}: ${n.text}`, lineWidth, '', '  ')));
  if (!view.refused) {
    lines.push(...block(view.compartments.title, compartmentLines(view, text, own)));
    if (view.compartments.split) lines.push(...paragraph(view.compartments.split).map(quiet));
    const totals = view.methods.map((m) => [m.name, m.least ? t('method.least', { need: m.total }) : m.total, m.range ?? '']);
    lines.push(...block(t('page.methods'), columns(totals, { right: [1] })), ...paragraph(view.difference));
    lines.push(...block(t('page.fit'), fitLines(view, text)));
    if (view.cheapest) lines.push(...paragraph(t('page.fit.cheapest', view.cheapest)));
    if (view.layoutNotes.length) lines.push(...paragraph(`${t('verdict.unusable')}: ${view.layoutNotes.join('; ')}`).map(quiet));
  }
  if (!view.refused && whatIf.missing.length === 0) {
    const [card] = whatIf.cards;
    const far = whatIfLines(whatIf, result, catalog, text);
    if (far.length) lines.push(...block(t('cli.far', { gpus: `${card.count}x ${view.fit.find((row) => row.id === card.gpu).short}` }), far));
  }
  lines.push('', `${t('cli.share')}: ${view.share || t('cli.defaults')}`);
  return lines;
}

async function main(args) {
  const options = parseArguments(args);
  const usage = textFor(options.lang);
  const usageError = (key, values) => {
    console.error(`${usage.t(`cli.${key}`, values)}\n${usage.t('cli.usage')}`);
    return 64;
  };
  if (options.error) return usageError(...options.error);
  if (options.help) {
    console.log(`${usage.t('cli.usage')}\n${usage.t('cli.usage.example')}`);
    return 0;
  }
  if (options.lang !== null && !matchLanguage(options.lang)) return usageError('bad_lang', { lang: options.lang });
  if (!options.dist) return usageError('needs_value', { option: '--dist' });
  const assets = resolve(options.dist, 'assets');
  if (!existsSync(join(assets, 'vramfit-core.wasm'))) return usageError('no_dist', { dist: options.dist });

  const { default: moduleFactory } = await import(pathToFileURL(join(assets, 'vramfit-core.mjs')));
  const vramfit = await loadVramfit({ wasmBinary: readFileSync(join(assets, 'vramfit-core.wasm')), moduleFactory });
  const share = options.share.join('&');
  const result = vramfit.estimate(share);
  const whatIf = vramfit.whatIf(share);
  if (options.json) {
    console.log(JSON.stringify(result.refused ? result : { ...result, what_if: whatIf }, null, 2));
  } else {
    const text = textFor(options.lang ?? result.view.lang, result.view.units);
    console.log(answerLines(result, whatIf, vramfit.catalog(), text, painter(process.stdout)).join('\n'));
  }
  return result.refused ? 2 : 0;
}

process.exitCode = await main(process.argv.slice(2));
