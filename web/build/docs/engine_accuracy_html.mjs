// The engine method's part of the accuracy page: the marks it is held to, its figures engine by engine, what its constants were fitted
// on, and its worst cases. All of it from measured.json.
import { html } from '../../page/html.mjs';
import { Figure } from '../../text/format.mjs';
import { engineName, writers } from './accuracy_figures.mjs';
import { bullets, prose, table } from './prose_html.mjs';

const figures = { figures: true };

export function engineMethodSections({ measured, text }) {
  const { t, parts, format } = text;
  const { error, bias } = writers(text);
  const say = (id, values) => t(`docs.accuracy.${id}`, values);
  const p = (id, values) => html`<p>${prose(say(id, values))}</p>`;
  const quantity = (id) => t(`quantity.${id}`);
  const column = (id) => [say(id), figures];
  // Bytes in two decimals: a mark of 0.15 GiB would not be one.
  const reached = (bar, value) => (/difference/.test(bar.figure) ? new Figure(format.number(value / 2 ** 30, 2), 'GiB') : format.percent(value * 100));
  const limit = (bar) =>
    bar.most === null ? parts('docs.accuracy.bar.least', { value: reached(bar, bar.least) })
    : bar.least === null ? parts('docs.accuracy.bar.most', { value: reached(bar, bar.most) })
    : parts('docs.accuracy.bar.band', { low: reached(bar, bar.least), high: reached(bar, bar.most) });
  const met = (bar) => say(bar.met === null ? 'bar.unknown' : bar.met ? 'bar.met' : 'bar.missed');

  const rows = measured.engines.filter((row) => row.method === 'engine' && row.basis === 'catalogue');
  const compared = (engine) => rows.filter((row) => row.engine === engine).reduce((sum, row) => sum + row.count, 0);
  const engines = [...new Set(rows.map((row) => row.engine))].sort((a, b) => compared(b) - compared(a));
  const caption = (engine) => {
    const v = measured.versions.find((row) => row.engine === engine);
    const values = { engine: engineName(engine), count: v.cases, first: v.first, last: v.last };
    return say(v.named === 0 ? 'engine_method.unnamed' : v.first === v.last ? 'engine_method.version' : 'engine_method.versions', values);
  };

  const split = measured.fitted.filter((row) => row.fitted_count > 0);
  const part = (row, name) => [format.number(row[`${name}_count`]), ...['median_error', 'p90_error'].map((key) => (row[`${name}_${key}`] === null ? '\u2013' : error(row[`${name}_${key}`])))];

  const amount = (row, value) =>
    row.unit === 'bytes' ? format.in('GiB', value)
    : row.unit === 'bytes-per-token' ? say('bytes_per_token', { value: format.number(value) })
    : format.number(value, value < 100 ? 1 : 0);
  const worst = [...measured.worst].sort((a, b) => Math.abs(b.bias) - Math.abs(a.bias));

  return [
    ['marks', say('bars'), [p('bars.lead'), table(say('bars'), [say('bar'), column('count'), column('bar.reached'), column('bar.limit'), say('bar.result')],
      measured.bars.map((bar) => ({ cells: [`${say(`bar.${bar.id}`)}: ${say(`figure.${bar.figure}`)}`, format.number(bar.count), bar.reached === null ? '\u2013' : reached(bar, bar.reached), limit(bar), met(bar)] })), { unseen: true })]],
    ['engine-method', say('engine_method'), [p('engine_method.lead'), engines.map((engine) => table(caption(engine),
      [say('quantity'), ...['count', 'median', 'p90', 'bias', 'coverage', 'width'].map(column)],
      rows.filter((row) => row.engine === engine).map((row) => ({
        cells: [quantity(row.compartment), format.number(row.count), error(row.median_error), error(row.p90_error), bias(row.median_bias), format.share(row.coverage), row.median_width > 0 ? error(row.median_width) : '\u2013'],
      })), { even: true }))]],
    ['fitted', say('fitted'), [p('fitted.lead'),
      html`<ul>${measured.fitted_on.map((f) => html`<li>${prose(say('fitted.on', { engine: engineName(f.engine), count: f.cases, source: f.source }))}${bullets(f.constants.map((id) => t(`cite.${id}`)))}</li>`)}</ul>`,
      split.length > 0 && table(say('fitted.table'), [say('quantity'), say('engine'), ...['fitted.count', 'fitted.median', 'fitted.p90', 'other.count', 'other.median', 'other.p90'].map(column)],
        split.map((row) => ({ cells: [quantity(row.compartment), engineName(row.engine), ...part(row, 'fitted'), ...part(row, 'other')] })))]],
    ['worst', say('worst'), [p('worst.lead'), worst.length > 0 && table(say('worst'), [say('quantity'), say('engine'), say('worst.case'), column('worst.measured'), column('worst.predicted'), column('worst.off')],
      worst.map((row) => ({
        cells: [quantity(row.compartment), engineName(row.engine), html`${row.gpu ? say('worst.on', { model: row.model, gpu: row.gpu }) : row.model}${row.version && `, ${row.version}`}<br><small>${row.source}</small>`, amount(row, row.measured), amount(row, row.predicted), bias(row.bias)],
      })), { unseen: true })]],
  ];
}
