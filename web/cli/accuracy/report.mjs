// The findings as text, at most 100 columns wide.
import { bars, bars_text } from './bars.mjs';
import { comparison_groups, group_by, score_groups, verdict_groups } from './stats.mjs';

const percent = (v) => (v === null ? '-' : `${(v * 100).toFixed(Math.abs(v) < 0.00995 ? 2 : Math.abs(v) < 0.0995 ? 1 : 0)}%`);
const cut = (text, width) => (text.length > width ? `${text.slice(0, width - 1)}~` : text);
const row_text = (widths, cells) =>
  cells
    .map((c, i) => (widths[i] < 0 ? cut(String(c), -widths[i]).padEnd(-widths[i]) : String(c).padStart(widths[i])))
    .join(' ')
    .trimEnd();
const short = (file) => file.split('/').at(-1);
const where = (r, file = short(r.file)) => `${file}:${r.line}${r.id ? ` ${r.id}` : ''}`;

const size = (v, unit) => {
  if (unit === 'bytes') return `${(v / 2 ** 30).toFixed(v < 2 ** 30 ? 4 : 2)} GiB`;
  return unit === 'bytes per token' ? `${Math.round(v)} B/token` : `${v < 100 ? v.toFixed(2) : Math.round(v)} ${unit}`;
};

export function text_report(result, { worst = 0, verbose = false } = {}) {
  const out = [];
  const line = (text = '') => out.push(text);
  summary(result, line);
  marks(result, line);
  figures(result, worst, line);
  verdicts(result, worst, line);
  engine_verdicts(result, worst, line);
  skipped(result, verbose, line);
  return out.join('\n');
}

function summary(r, line) {
  line(`vramfit ${r.version}, catalogue ${r.catalog_date}`);
  for (const f of r.files)
    line(
      `${cut(short(f.file), 40).padEnd(40)} ${String(f.rows).padStart(5)} rows: ${f.used} used, ${f.skipped} skipped${f.malformed ? `, ${f.malformed} malformed lines` : ''}`,
    );
  line(
    `${r.comparisons.length} figures compared, ${r.verdicts.length} verdicts, ${r.skipped.length} rows skipped, ${r.left_out.length} quantities of used rows left out.`,
  );
}

function marks(r, line) {
  const lines = bars_text(bars(r));
  if (lines.length > 0) ['', ...lines].forEach(line);
}

function figures(r, worst, line) {
  const widths = [-13, -17, -9, -9, 5, 7, 7, 7, 7, 7];
  line();
  line('FIGURES: error = |predicted - measured| / measured; bias = its signed median; cover = measured, as');
  line("rounded by its source, within the product's range; width = median of (high - low) / measured.");
  line('model: from the catalogue, a typed shape, or only a typed size.');
  for (const [kind, groups] of group_by(comparison_groups(r.comparisons), (g) => g.kind)) {
    line();
    line(row_text(widths, [kind, 'compartment', 'method', 'model', 'n', 'median', 'p90', 'bias', 'cover', 'width']));
    for (const g of groups) {
      line(
        row_text(widths, [
          g.engine,
          g.compartment,
          g.method,
          g.basis,
          g.count,
          percent(g.median_error),
          percent(g.p90_error),
          percent(g.median_bias),
          percent(g.coverage),
          percent(g.median_width),
        ]),
      );
      if (worst > 0)
        for (const c of [...g.items].sort((a, b) => b.error - a.error).slice(0, worst))
          line(
            `    ${percent(c.error).padStart(6)} ${cut(where(c), 50)}: measured ${size(c.measured, c.unit)}, predicted ${size(c.predicted.likely, c.unit)}`,
          );
    }
  }
}

function verdicts(r, worst, line) {
  if (r.verdicts.length === 0) return;
  const widths = [-8, -14, -11, -9, -9, 8, 8, 5, 6, 6];
  line();
  line('VERDICTS: works = the source says it works and the product says fits or tight (right / all).');
  line('refused = the source says it does not and so does the product. margin = the product fits where a');
  line('vendor recommends more: not wrong, not right.');
  line();
  line(row_text(widths, ['kind', 'engine', 'firmness', 'method', 'model', 'works', 'refused', 'wrong', 'margin', 'right']));
  const show = (g, engine) =>
    line(
      row_text(widths, [
        g.kind,
        engine,
        g.firmness,
        g.method,
        g.basis ?? 'all',
        `${g.fits_right}/${g.fits}`,
        `${g.refused_right}/${g.refused}`,
        g.wrong,
        g.margin,
        percent(g.right / g.count),
      ]),
    );
  for (const g of verdict_groups(r.verdicts, ['kind', 'engine', 'firmness', 'method', 'basis'])) show(g, g.engine);
  line();
  for (const g of verdict_groups(r.verdicts, ['kind', 'firmness', 'method'])) show(g, 'ALL');
  const wrong = r.verdicts.filter((v) => v.outcome === 'wrong');
  const reasons = [
    ...group_by(
      wrong.filter((v) => v.expected === 'does-not-fit' && v.kind === 'fit'),
      (v) => `${v.method}\t${v.reason_class ?? 'not stated'}`,
    ).values(),
  ].sort((a, b) => b.length - a.length);
  if (reasons.length > 0) {
    line();
    line('Refusals that the product calls fits or tight, by the reason of the refusal:');
    for (const list of reasons)
      line(`  ${String(list.length).padStart(4)} ${list[0].method.padEnd(10)} ${list[0].reason_class ?? 'not stated'}`);
  }
  if (worst > 0) {
    line();
    line('Wrong verdicts:');
    for (const v of wrong)
      line(
        `  ${cut(where(v), 46).padEnd(46)} ${v.method.padEnd(9)} ${v.count} x ${v.gpu}: said ${v.got}${v.reason_class ? ` (${cut(v.reason_class, 30)})` : ''}`,
      );
  }
}

// What the engine method says of tested statements, by the three questions that a refusal or a success puts to it.
export const engine_scored = (r) => r.verdicts.filter((v) => v.method === 'engine' && v.firmness === 'tested');

function engine_verdicts(r, worst, line) {
  const scored = engine_scored(r);
  if (scored.length === 0) return;
  const of = ([right, all]) => (all === 0 ? '-' : `${right}/${all} ${percent(right / all)}`);
  line();
  line('ENGINE METHOD, tested statements: possible = worked and not called impossible; warned = failed and');
  line('not called "fits" without a warning of it; cause = the stated reason is of a named cause\'s class.');
  const table = (title, key, list) => {
    const widths = [-24, -10, 5, 13, 13, 13];
    line();
    line(row_text(widths, [title, 'kind', 'n', 'possible', 'warned', 'cause']));
    for (const g of score_groups(list, [key, 'kind']))
      line(row_text(widths, [g[key] ?? '-', g.kind, g.count, of(g.not_impossible), of(g.not_silent), of(g.same_class)]));
  };
  table('engine', 'engine', scored);
  table('reason', 'reason_class', scored.filter((v) => v.expected === 'does-not-fit'));
  const [all] = score_groups(scored, []);
  line();
  line(`all: possible ${of(all.not_impossible)}, warned ${of(all.not_silent)}, cause ${of(all.same_class)}`);
  const warned = scored.filter((v) => v.expected === 'fits' && v.got === 'fits');
  line(`of ${warned.length} that worked and are called "fits", ${warned.filter((v) => v.warnings.length > 0).length} carry a warning`);
  if (worst === 0) return;
  const bad = scored.filter((v) => v.not_impossible === false || v.not_silent === false || v.same_class === false);
  line();
  for (const v of bad) {
    const what = v.not_impossible === false ? 'impossible' : v.not_silent === false ? 'silent' : 'cause';
    const named = [v.cause, ...v.warnings].filter(Boolean).join('+') || 'no cause';
    line(cut(`  ${what.padEnd(10)} ${where(v)} ${v.count} x ${v.gpu}`, 100));
    line(cut(`             ${v.got}, ${named}${v.reason_class ? ` (${v.reason_class})` : ''}`, 100));
  }
}

function skipped(r, verbose, line) {
  const grouped = (list) => [...group_by(list, (s) => s.reason).entries()].sort((a, b) => b[1].length - a[1].length);
  const print = (title, list, each) => {
    if (list.length === 0) return;
    line();
    line(`${title} (${list.length})`);
    for (const [reason, rows] of grouped(list)) line(`  ${String(rows.length).padStart(5)} ${cut(reason, 92)}`);
    if (!each) return;
    line();
    for (const s of list) if (verbose || s.kind !== 'speed') line(`${where(s, s.file)}: ${s.reason}`);
  };
  print('SKIPPED ROWS', r.skipped, true);
  const speed = r.skipped.filter((s) => s.kind === 'speed').length;
  if (speed > 0 && !verbose) line(`  ... and ${speed} speed rows, counted above (--verbose lists them)`);
  print('LEFT OUT OF USED ROWS', r.left_out, verbose);
}

export function json_report(result) {
  const plain = ({ items, ...group }) => group;
  return JSON.stringify({
    ...result,
    bars: bars(result),
    groups: comparison_groups(result.comparisons).map(plain),
    engine_verdicts: score_groups(engine_scored(result), ['engine', 'kind']).map(plain),
    engine_reasons: score_groups(
      engine_scored(result).filter((v) => v.expected === 'does-not-fit'),
      ['reason_class', 'kind'],
    ).map(plain),
    verdict_groups: verdict_groups(result.verdicts, ['kind', 'engine', 'firmness', 'method', 'basis']).map(plain),
  });
}
