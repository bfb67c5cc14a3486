// The findings as they are published: figures by quantity and by engine, verdicts, and which files they were measured on. Small, one
// row a line, no row of any case: the site's accuracy page is made from it.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { comparison_groups, verdict_groups } from './stats.mjs';

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

// `date`: the day of the run, YYYY-MM-DD.
export function published(result, date) {
  const contents = (path) => createHash('sha256').update(readFileSync(path)).digest('hex');
  return {
    schema: 'vramfit-accuracy/1',
    version: result.version,
    catalog_date: result.catalog_date,
    date,
    files: result.files.map(({ file, ...counts }) => ({ name: file.split(/[\\/]/).at(-1), ...counts, sha256: contents(file) })),
    quantities: figures(comparison_groups(result.comparisons, by_quantity), by_quantity),
    engines: figures(comparison_groups(result.comparisons, by_engine), by_engine),
    verdicts: verdict_groups(result.verdicts, by_verdict).map(({ items, ...group }) => group),
  };
}

// JSON with one row of a list on each line, so that a change of one figure is a change of one line.
export function published_text(object) {
  const value = (v) => (Array.isArray(v) ? `[\n${v.map((row) => `    ${JSON.stringify(row)}`).join(',\n')}\n  ]` : JSON.stringify(v));
  return `{\n${Object.entries(object).map(([k, v]) => `  ${JSON.stringify(k)}: ${value(v)}`).join(',\n')}\n}\n`;
}
