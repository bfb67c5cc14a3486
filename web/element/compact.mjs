// The view for an article: the answer, what fills one GPU and the smallest choices. No headings: those are the article's.
import { answerHtml, noticesHtml } from '../page/answer.mjs';
import { barHtml } from '../page/bar.mjs';
import { html } from '../page/html.mjs';
import { fill } from '../page/render.mjs';
import { bestRows, brief } from '../text/brief.mjs';

export function memoryHtml(view, text) {
  const c = view.compartments;
  return html`<p class="title">${c.title}</p>${barHtml(c, text)}
    <ul class="legend">${c.rows.filter((row) => row.bytes > 0).map((row) => html`<li><svg class="swatch" width="12" height="12" aria-hidden="true"><rect class="c-${row.id}" width="12" height="12"/></svg> ${row.label} <span class="amount">${row.perGpu}</span></li>`)}</ul>`;
}

export function bestHtml(rows, { t }) {
  if (rows.length === 0) return null;
  return html`<p class="title" id="best">${t('page.fit')}</p>
    <ul class="best" aria-labelledby="best">${rows.map(({ name, note, smallest: s }) => html`<li><span class="gpu">${s.count}x ${name}</span>
      <span class="cost">${s.cost ?? html`<span class="hint">${t('page.fit.no_price')}</span>`}</span>
      <span class="room" data-verdict="${s.verdict}">${s.verdict === 'tight' ? t('verdict.tight') : s.free}</span>
      <span class="note">${note}</span></li>`)}</ul>`;
}

const regionsHtml = () => html`<div data-region="answer" role="status" aria-atomic="true"></div>
  <div data-region="memory"></div>
  <div data-region="best"></div>
  <div data-region="notices" class="notices"></div>`;

// Draws into `place`. `show` takes { vramfit, share, text }; `answered(result, finished)` is told of each answer.
export function mountCompact(place, { answered }) {
  place.innerHTML = String(regionsHtml());
  return {
    show({ vramfit, share, text }) {
      const catalog = vramfit.catalog();
      const result = vramfit.estimate(share);
      const view = brief(result, catalog, text);
      const regions = {
        answer: answerHtml(view),
        memory: view.refused ? null : memoryHtml(view, text),
        best: view.refused ? null : bestHtml(bestRows(result, catalog, text), text),
        notices: noticesHtml(view, text),
      };
      for (const region of place.children) fill(region, regions[region.dataset.region]);
      answered(result, true);
    },
    end() {},
  };
}
