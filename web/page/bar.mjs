// A bar to scale with the capacity of one GPU.
import { html } from './html.mjs';

// SVG rather than styled boxes: widths are attributes, which a strict CSP allows in prerendered markup, and printers keep fills.
export function barHtml({ rows, sum, capacity, free, title }, { t }) {
  const scale = Math.max(sum, capacity) || 1;
  const percent = (bytes) => `${((100 * bytes) / scale).toFixed(3)}%`;
  let at = 0;
  const pieces = rows.map((row) => {
    const x = at;
    at += row.bytes;
    return html`<rect class="c-${row.id}" x="${percent(x)}" width="${percent(row.bytes)}" height="100%"/>`;
  });
  const over = capacity > 0 && sum > capacity;
  return html`<svg class="bar" role="img" aria-label="${t('page.compartments.bar')}. ${title}" width="100%" height="36">
    <rect class="track" width="100%" height="100%"/>${pieces}${over && html`<rect class="limit" x="${percent(capacity)}" width="3" height="100%"/>`}</svg>
    ${free && html`<p class="bar-free">${t('page.free')} ${free.figure} (${free.share})</p>`}`;
}
