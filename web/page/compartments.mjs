// What fills one GPU: a bar to scale with its capacity, and the same as a table that opens to the arithmetic.
import { barHtml } from './bar.mjs';
import { html } from './html.mjs';

export function termsHtml(row) {
  const [first] = row.terms;
  if (!first) return null;
  return html`<tr class="terms"><td colspan="4"><details data-key="terms/${row.id}">
    <summary>${first.text}${row.terms.length > 1 && html` <span class="unit">+${row.terms.length - 1}</span>`}</summary>
    <ul>${row.terms.map((term) => html`<li>${term.text} = ${term.bytes}<br><cite>${term.source}</cite></li>`)}</ul>
  </details></td></tr>`;
}

export function compartmentsHtml(view, text) {
  const { t } = text;
  const c = view.compartments;
  const many = c.count > 1;
  return html`<p class="bar-title">${c.title}</p>${barHtml(c, text)}
    <table class="compartments">
      <thead><tr><th scope="col">${t('page.compartment')}</th><th scope="col">${t('page.per_gpu')}</th>${many && html`<th scope="col">${t('page.all_gpus', { count: c.count })}</th>`}<th scope="col">${t('page.share')}</th></tr></thead>
      ${c.rows.map((row) => html`<tbody>
        <tr><th scope="row"><svg class="swatch" width="12" height="12" aria-hidden="true"><rect class="c-${row.id}" width="12" height="12"/></svg> ${row.label}</th><td>${row.range ? html`<span class="ranged">${row.perGpu} <span class="range">${row.range}</span></span>` : row.perGpu}</td>${many && html`<td>${row.all}</td>`}<td>${row.share}</td></tr>
        ${termsHtml(row)}
      </tbody>`)}
      <tfoot><tr><th scope="row">${t('page.total')}</th><td>${c.need}</td>${many && html`<td>${c.needAll}</td>`}<td></td></tr></tfoot>
    </table>
    ${c.split && html`<p class="hint">${c.split}</p>`}`;
}
