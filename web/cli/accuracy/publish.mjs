// The findings as they are published: figures by quantity and by engine, verdicts, the engine method's marks and worst cases, and which
// files they were measured on. Small, one row a line: the site's accuracy page is made from it.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { bars } from './bars.mjs';
import { is_fitted } from './fitted.mjs';
import { comparison_groups, group_by, verdict_groups } from './stats.mjs';

const rounded = (v) => (v === null ? null : Number(v.toPrecision(4)));

const figures = (groups, keys) =>
  groups.map((g) => ({
    ...Object.fromEntries(keys.map((k) => [k, g[k]])),
    count: g.count,
    median_error: rounded(g.median_error),
    p90_error: rounded(g.p90_error),
    median_bias: rounded(g.median_bias),
    coverage: rounded(g.coverage),
    median_width: rounded(g.median_width),
  }));

const by_quantity = ['method', 'basis', 'compartment'];
const by_engine = ['method', 'basis', 'engine', 'compartment'];
const by_verdict = ['kind', 'firmness', 'method'];

// `date`: the day of the run, YYYY-MM-DD. `fitted`: what read_fitted() gives.
export function published(result, date, fitted) {
  const contents = (path) => createHash('sha256').update(readFileSync(path)).digest('hex');
  const engine_method = result.comparisons.filter((c) => c.method === 'engine' && c.basis === 'catalogue');
  return {
    schema: 'vramfit-accuracy/2',
    version: result.version,
    catalog_date: result.catalog_date,
    date,
    files: result.files.map(({ file, ...counts }) => ({ name: file.split(/[\\/]/).at(-1), ...counts, sha256: contents(file) })),
    quantities: figures(comparison_groups(result.comparisons, by_quantity), by_quantity),
    engines: figures(comparison_groups(result.comparisons, by_engine), by_engine),
    bars: bars(result).map((bar) => ({ ...bar, reached: rounded(bar.reached) })),
    fitted: split(engine_method, fitted),
    fitted_on: fitted.map((f) => ({ ...f, cases: new Set(engine_method.filter(is_fitted([f])).map((c) => c.id)).size })),
    versions: versions(engine_method),
    worst: worst(engine_method),
    verdicts: verdict_groups(result.verdicts, by_verdict).map(({ items, ...group }) => group),
  };
}

// Of each engine and quantity, the error on the cases that constants were fitted on and on the others.
function split(comparisons, fitted) {
  const seen = is_fitted(fitted);
  return comparison_groups(comparisons, ['engine', 'compartment']).map(({ engine, compartment, items }) => {
    const part = (name, list) => {
      const g = list.length > 0 ? comparison_groups(list, [])[0] : null;
      return { [`${name}_count`]: list.length, [`${name}_median_error`]: rounded(g?.median_error ?? null), [`${name}_p90_error`]: rounded(g?.p90_error ?? null) };
    };
    return { engine, compartment, ...part('fitted', items.filter(seen)), ...part('other', items.filter((c) => !seen(c))) };
  });
}

// "0.8.5 (V0)", "b6182", "V1 0.11.0rc2": the first and the last release that the cases of an engine name. Some name none.
const release = (text) => /\b(?:b\d{4,5}|\d+\.\d+(?:\.\d+)?)\b/.exec(text ?? '')?.[0] ?? null;
const parts = (text) => text.replace(/^b/, '').split('.').map(Number);
const before = (a, b) => {
  const [x, y] = [parts(a), parts(b)];
  return x[0] - y[0] || (x[1] ?? 0) - (y[1] ?? 0) || (x[2] ?? 0) - (y[2] ?? 0);
};
function versions(comparisons) {
  return [...group_by(comparisons, (c) => c.engine)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([engine, items]) => {
    const cases = [...group_by(items, (c) => `${c.file}:${c.line}`).values()].map((list) => list[0]);
    const named = cases.map((c) => release(c.version)).filter(Boolean).sort(before);
    return { engine, cases: cases.length, named: named.length, first: named[0] ?? null, last: named.at(-1) ?? null };
  });
}

// The worst case of each engine and quantity, where it is off by more than a fiftieth.
function worst(comparisons) {
  return comparison_groups(comparisons, ['engine', 'compartment'])
    .map(({ items }) => items.reduce((a, b) => (b.error > a.error ? b : a)))
    .filter((c) => c.error > 0.02)
    .map(({ engine, compartment, id, model, gpu, version, unit, measured, predicted, bias, covered, source }) => ({
      engine, compartment, id, model, gpu, version, unit: unit.replaceAll(' ', '-'), measured: rounded(measured), predicted: rounded(predicted.likely), bias: rounded(bias), covered, source,
    }));
}

// JSON with one row of a list on each line, so that a change of one figure is a change of one line.
export function published_text(object) {
  const value = (v) => (Array.isArray(v) ? `[\n${v.map((row) => `    ${JSON.stringify(row)}`).join(',\n')}\n  ]` : JSON.stringify(v));
  return `{\n${Object.entries(object).map(([k, v]) => `  ${JSON.stringify(k)}: ${value(v)}`).join(',\n')}\n}\n`;
}
