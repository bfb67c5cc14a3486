// Accuracy, from the published figures in assets/accuracy/measured.json. What is called weak follows from them by rule.
import { html } from '../../page/html.mjs';
import { engineName, writers } from './accuracy_figures.mjs';
import { engineMethodSections } from './engine_accuracy_html.mjs';
import { casesFolder, measureCommand, recordCommand } from './examples.mjs';
import { block, code, prose, table } from './prose_html.mjs';

// A quantity is weak when more than half its cases are off by more than `error`, a range when fewer than `coverage` of the measured
// values fall into it. Fewer than `count` cases say little either way.
export const weakRule = { count: 10, error: 0.1, coverage: 0.8 };

export function weaknesses(quantities, rule = weakRule) {
  const judged = quantities.filter((q) => q.basis === 'catalogue' && q.count >= rule.count);
  return [
    ...judged.filter((q) => q.median_error > rule.error).sort((a, b) => b.median_error - a.median_error).map((q) => ({ ...q, kind: 'error' })),
    ...judged.filter((q) => q.median_width > 0 && q.coverage < rule.coverage).sort((a, b) => a.coverage - b.coverage).map((q) => ({ ...q, kind: 'range' })),
  ];
}

export function accuracyHtml({ measured, catalog, text, root }) {
  const { t, parts, format } = text;
  const { error, bias } = writers(text);
  const quantity = (id) => t(`quantity.${id}`);
  const method = (id) => t(`method.${id}`);
  const p = (id, values) => html`<p>${prose(t(`docs.accuracy.${id}`, values))}</p>`;
  const figures = { figures: true };
  const columns = [[t('docs.accuracy.count'), figures], [t('docs.accuracy.median'), figures], [t('docs.accuracy.p90'), figures], [t('docs.accuracy.bias'), figures], [t('docs.accuracy.coverage'), figures]];
  const cells = (row) => [format.number(row.count), error(row.median_error), error(row.p90_error), bias(row.median_bias), format.share(row.coverage)];
  const methods = [...new Set(measured.quantities.map((row) => row.method))];
  const known = measured.quantities.filter((row) => row.basis === 'catalogue');
  const others = measured.quantities.filter((row) => row.basis !== 'catalogue');
  const sum = (list, key) => list.reduce((total, row) => total + row[key], 0);
  const weak = weaknesses(measured.quantities);
  const of = (right, count) => t('docs.accuracy.of', { right: format.number(right), count: format.number(count) });

  const limits = { count: format.number(weakRule.count), percent: format.share(weakRule.error), coverage: format.share(weakRule.coverage) };
  const weakHtml = (kind, headings, show) => {
    const rows = weak.filter((q) => q.kind === kind);
    if (rows.length === 0) return p(`weak.${kind}.none`, limits);
    return table(t(`docs.accuracy.weak.${kind}`, limits), [t('docs.accuracy.quantity'), t('docs.accuracy.method'), ...['count', ...headings].map((id) => [t(`docs.accuracy.${id}`), figures])],
      rows.map((q) => ({ cells: [quantity(q.compartment), method(q.method), format.number(q.count), ...show(q)] })));
  };
  const older = measured.version !== catalog.version || measured.catalog_date !== catalog.date;
  const of_method = (list) => (id) => list.some((row) => row.method === id);
  return [
    ['measured', t('docs.accuracy.measured'), [
      p('measured.lead', { date: format.date(measured.date), version: measured.version, catalog: format.date(measured.catalog_date), figures: format.number(sum(measured.quantities, 'count')),
        verdicts: format.number(sum(measured.verdicts, 'count')), used: format.number(sum(measured.files, 'used')), skipped: format.number(sum(measured.files, 'skipped')) }),
      older && p('older', { version: catalog.version, catalog: format.date(catalog.date) })]],
    ...engineMethodSections({ measured, text }),
    ['weak', t('docs.accuracy.weak'), [p('weak.lead', limits), weakHtml('error', ['median', 'p90'], (q) => [error(q.median_error), error(q.p90_error)]), weakHtml('range', ['coverage'], (q) => [format.share(q.coverage)])]],
    ['quantities', t('docs.accuracy.quantities'), [p('quantities.lead'), methods.filter(of_method(known)).map((id) => table(method(id), [t('docs.accuracy.quantity'), ...columns],
      known.filter((row) => row.method === id).map((row) => ({ cells: [quantity(row.compartment), ...cells(row)] }))))]],
    ['engines', t('docs.accuracy.engines'), [p('engines.lead'), methods.filter((id) => id !== 'engine').map((id) => table(method(id), [t('docs.accuracy.quantity'), t('docs.accuracy.engine'), ...columns],
      measured.engines.filter((row) => row.basis === 'catalogue' && row.method === id)
        .sort((a, b) => (a.compartment < b.compartment ? -1 : a.compartment > b.compartment ? 1 : b.count - a.count))
        .map((row) => ({ cells: [quantity(row.compartment), engineName(row.engine), ...cells(row)] }))))]],
    ['shapes', t('docs.accuracy.shapes'), [p('shapes.lead'), methods.filter(of_method(others)).map((id) => table(method(id), [t('docs.accuracy.quantity'), t('docs.accuracy.known'), ...columns],
      others.filter((row) => row.method === id).map((row) => ({ cells: [quantity(row.compartment), t(`docs.accuracy.known.${row.basis}`), ...cells(row)] }))))]],
    ['verdicts', t('docs.accuracy.verdicts'), [p('verdicts.lead'), table(t('docs.accuracy.verdicts'),
      [t('docs.accuracy.kind'), t('docs.accuracy.method'), [t('docs.accuracy.works'), figures], [t('docs.accuracy.refused'), figures]],
      measured.verdicts.map((row) => ({ cells: [`${t(`docs.accuracy.kind.${row.kind}`)}, ${t(`docs.accuracy.firmness.${row.firmness}`)}`, method(row.method), of(row.fits_right, row.fits), of(row.refused_right, row.refused)] })), { unseen: true })]],
    ['data', t('docs.accuracy.data'), [html`<p>${parts('docs.accuracy.data.lead', { link: html`<a href="${root}assets/accuracy/measured.json"><code>measured.json</code></a>`, folder: code(casesFolder) })}</p>`, block(recordCommand, t('docs.accuracy.data')),
      p('data.others'), block(measureCommand, t('docs.accuracy.data')),
      table(t('docs.accuracy.data'), [t('docs.accuracy.data.file'), [t('docs.accuracy.data.rows'), figures], [t('docs.accuracy.data.used'), figures], 'SHA-256'],
        measured.files.map((file) => ({ cells: [html`<code>${file.name}</code>`, format.number(file.rows), format.number(file.used), html`<code>${file.sha256.slice(0, 16)}</code>`] })), { unseen: true })]],
  ];
}
