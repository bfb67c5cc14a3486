// The product's figures on the cases that the project keeps, as recorded.json holds them, and what has got worse since.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { bars } from '../../web/cli/accuracy/bars.mjs';
import { load_product } from '../../web/cli/accuracy/load.mjs';
import { read_rows } from '../../web/cli/accuracy/read_rows.mjs';
import { run } from '../../web/cli/accuracy/run.mjs';
import { comparison_groups, verdict_groups } from '../../web/cli/accuracy/stats.mjs';

const here = dirname(fileURLToPath(import.meta.url));
export const recordedFile = join(here, 'recorded.json');
export const measuredFile = join(here, '..', '..', 'assets', 'accuracy', 'measured.json');
export const caseFiles = readdirSync(join(here, 'cases')).filter((name) => name.endsWith('.jsonl')).sort().map((name) => join(here, 'cases', name));
export const recordCommand = './dev accuracy --record';

// The findings of `./dev accuracy` on the kept cases, with the site in `dist`.
export async function runCases(dist) {
  const { core, hub_ids } = await load_product(dist);
  return run(core, caseFiles.map((file) => ({ file, ...read_rows(file) })), hub_ids);
}

const groupKeys = ['kind', 'engine', 'compartment', 'method', 'basis'];
const verdictKeys = ['kind', 'engine', 'firmness', 'method', 'basis'];
const kept = (v) => (typeof v === 'number' ? Number(v.toPrecision(4)) : v);
const nameOf = (file) => file.split(/[\\/]/).at(-1);
const caseKey = ({ file, id }) => `${nameOf(file)} ${id}`;
const figureKey = (c) => `${c.method} ${c.compartment}`;

// How an engine's verdict is scored beyond right and wrong: true, false, or null where the statement does not ask it.
const scores = ['not_impossible', 'not_silent', 'same_class'];
const scored = (items) =>
  Object.fromEntries(scores.filter((key) => items.some((v) => typeof v[key] === 'boolean')).map((key) => [key, items.filter((v) => v[key] === true).length]));

export function recordOf(result) {
  const cases = new Map();
  const caseOf = (row) => {
    const key = caseKey(row);
    if (!cases.has(key)) cases.set(key, { file: nameOf(row.file), id: row.id, kind: row.kind, engine: row.engine, basis: row.basis, off: {}, outside: [], verdicts: {} });
    return cases.get(key);
  };
  for (const c of result.comparisons) {
    const row = caseOf(c);
    row.off[figureKey(c)] = Number(c.bias.toFixed(4));
    if (!c.covered) row.outside.push(figureKey(c));
  }
  for (const v of result.verdicts) {
    const row = caseOf(v);
    row.firmness = v.firmness;
    row.verdicts[v.method] = v.outcome;
  }
  return {
    schema: 'vramfit-recorded/1',
    bars: bars(result).map((bar) => ({ ...bar, reached: kept(bar.reached) })),
    groups: comparison_groups(result.comparisons, groupKeys).map((g) => ({
      ...Object.fromEntries(groupKeys.map((key) => [key, g[key]])),
      count: g.count, median_error: kept(g.median_error), p90_error: kept(g.p90_error), coverage: kept(g.coverage), median_width: kept(g.median_width),
    })),
    verdicts: verdict_groups(result.verdicts, verdictKeys).map(({ items, ...g }) => ({ ...g, ...scored(items) })),
    cases: [...cases.values()],
  };
}

// What rounding may move a figure by; anything beyond it is worse.
const slack = (was) => 0.0005 + 0.02 * Math.abs(was);
const percent = (v) => `${Number((v * 100).toPrecision(3))}%`;
const size = (v) => `${(v / 2 ** 30).toFixed(3)} GiB`;
const of = (item, keys) => keys.map((key) => item[key]).join(', ');
const listed = (lines, most = 12) => [...lines.slice(0, most), ...(lines.length > most ? [`and ${lines.length - most} more`] : [])].map((line) => `\n    ${line}`).join('');

// -> one message for each figure that is worse in `now` than in `recorded`, with the rows that moved. `findings`: the run's, which say
// why rows are not used.
export function worse(recorded, now, { skipped = [], left_out = [] } = {}) {
  const messages = [];
  const reasons = new Map();
  for (const s of [...skipped, ...left_out]) reasons.set(caseKey(s), [...(reasons.get(caseKey(s)) ?? []), s.reason]);
  const current = new Map(now.cases.map((row) => [caseKey(row), row]));
  const why = (row) => reasons.get(caseKey(row))?.join('; ') ?? (current.has(caseKey(row)) ? 'the program no longer asks for it' : 'it is not among the cases');
  const pairs = recorded.cases.map((was) => [was, current.get(caseKey(was))]);

  const before = new Set(recorded.cases.map(caseKey));
  const added = now.cases.filter((row) => !before.has(caseKey(row)));
  const inGroup = (row, g) => ['kind', 'engine', 'basis'].every((key) => row[key] === g[key]);

  const gone = pairs.filter(([, is]) => !is).map(([was]) => `${caseKey(was)}: ${why(was)}`);
  if (gone.length > 0) messages.push(`usable rows are skipped (${gone.length}):${listed(gone, 50)}`);

  for (const g of recorded.groups) {
    const is = now.groups.find((other) => of(other, groupKeys) === of(g, groupKeys));
    const found = [];
    const compare = (key, lost, show) => lost && found.push(`${key} ${show(g[key])} -> ${is ? show(is[key]) : 'none'}`);
    compare('count', !is || is.count < g.count, String);
    if (is) {
      for (const key of ['median_error', 'p90_error', 'median_width']) compare(key, is[key] > g[key] + slack(g[key]), percent);
      compare('coverage', is.coverage < g.coverage - 0.0005, percent);
    }
    if (found.length === 0) continue;
    const key = figureKey(g);
    const rows = pairs.filter(([was]) => inGroup(was, g) && was.off[key] !== undefined).flatMap(([was, now]) => {
      const name = caseKey(was);
      const [before, after] = [was.off[key], now?.off[key]];
      if (after === undefined) return [[Infinity, `${name}: off by ${percent(before)}, now not compared: ${why(was)}`]];
      const left = !was.outside.includes(key) && now.outside.includes(key);
      const grown = Math.abs(after) - Math.abs(before);
      return grown > slack(before) || left ? [[grown, `${name}: off by ${percent(before)} -> ${percent(after)}${left ? ', now out of range' : ''}`]] : [];
    });
    rows.sort((a, b) => b[0] - a[0]);
    for (const row of added.filter((other) => inGroup(other, g) && other.off[key] !== undefined)) rows.push([0, `${caseKey(row)}: new, off by ${percent(row.off[key])}`]);
    messages.push(`${of(g, groupKeys)}: ${found.join(', ')}${listed(rows.map(([, line]) => line))}`);
  }

  for (const g of recorded.verdicts) {
    const is = now.verdicts.find((other) => of(other, verdictKeys) === of(g, verdictKeys));
    const found = ['fits_right', 'refused_right', ...scores]
      .filter((key) => g[key] !== undefined && (is?.[key] ?? 0) < g[key])
      .map((key) => `${key} ${g[key]} -> ${is?.[key] ?? 'none'}`);
    // Rows that only now have a verdict may be wrong without anything getting worse.
    const rows = pairs.filter(([was]) => inGroup(was, g) && was.firmness === g.firmness && was.verdicts[g.method] !== undefined);
    const turned = (from, to) => rows.filter(([was, now]) => from(was.verdicts[g.method]) && to(now?.verdicts[g.method]));
    const [lost, won] = [turned((v) => v !== 'wrong', (v) => v === 'wrong'), turned((v) => v === 'wrong', (v) => v !== 'wrong')];
    if (lost.length > won.length) found.push(`wrong ${g.wrong} -> ${g.wrong + lost.length - won.length} of the same rows`);
    if (found.length === 0) continue;
    const moved = rows.filter(([was, now]) => was.verdicts[g.method] !== now?.verdicts[g.method] && was.verdicts[g.method] !== 'wrong')
      .map(([was, now]) => `${caseKey(was)}: ${was.verdicts[g.method]} -> ${now?.verdicts[g.method] ?? `none: ${why(was)}`}`);
    messages.push(`verdicts of ${of(g, verdictKeys)}: ${found.join(', ')}${listed(moved)}`);
  }

  for (const bar of recorded.bars.filter((b) => b.reached !== null)) {
    const is = now.bars.find((other) => other.id === bar.id && other.figure === bar.figure)?.reached ?? null;
    const band = bar.most !== null && bar.least !== null;
    const bytes = /difference/.test(bar.figure);
    const lost = is === null || (band ? bar.met && (is < bar.least || is > bar.most) : bar.most !== null ? is > bar.reached + (bytes ? 2 ** 20 + 0.02 * bar.reached : slack(bar.reached)) : is < bar.reached - 0.0005);
    const show = (v) => (v === null ? 'none' : bytes ? size(v) : percent(v));
    if (lost) messages.push(`mark ${bar.id}, ${bar.figure}: ${show(bar.reached)} -> ${show(is)}`);
  }
  return messages;
}
