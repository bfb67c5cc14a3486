// The view for an article: the answer, what fills one GPU, the smallest choices, and the way to everything else. No headings: those are
// the article's.
import { answerHtml, helpHtml, noticesHtml } from '../page/answer.mjs';
import { barHtml } from '../page/bar.mjs';
import { html } from '../page/html.mjs';
import { modelName } from '../text/names.mjs';
import { pricesFrom } from '../text/price_list.mjs';

// What stands between the tags of the element shows until there is an answer.
export const frameHtml = () => html`<figure><slot></slot>
  <p data-region="failure" class="failure" role="alert"></p>
  <div data-region="answer" role="status" aria-atomic="true"></div>
  <div data-region="help" class="help"></div>
  <div data-region="memory"></div>
  <div data-region="best"></div>
  <div data-region="notices" class="notices"></div>
  <div data-region="prices"></div>
  <p data-region="foot" class="foot"></p></figure>`;

function memoryHtml(view, text) {
  const c = view.compartments;
  return html`<p class="title">${c.title}</p>${barHtml(c, text)}
    <ul class="legend">${c.rows.filter((row) => row.bytes > 0).map((row) => html`<li><svg class="swatch" width="12" height="12" aria-hidden="true"><rect class="c-${row.id}" width="12" height="12"/></svg> ${row.label} <span class="amount">${row.perGpu}</span></li>`)}</ul>`;
}

function bestHtml(rows, { t }) {
  if (rows.length === 0) return null;
  return html`<p class="title" id="best">${t('page.fit')}</p>
    <ul class="best" aria-labelledby="best">${rows.map(({ name, note, smallest: s }) => html`<li><span class="gpu">${s.count}x ${name}</span>
      <span class="cost">${s.cost ?? html`<span class="hint">${t('page.fit.no_price')}</span>`}</span>
      <span class="room"${s.verdict === 'tight' && html` data-tight`}>${s.verdict === 'tight' ? t('verdict.tight') : s.free}</span>
      <span class="note">${note}</span></li>`)}</ul>`;
}

// What is wrong with the host's price list.
const pricesHtml = (problems, { t }) => html`<details data-key="prices"><summary>${t('element.prices', { count: problems.length })}</summary><ul>${problems.map((problem) => html`<li>${problem}</li>`)}</ul></details>`;

const footHtml = (view, link, prices, text) => html`${link && html`<a href="${link}">${text.t('element.link')}</a> `}
  <span class="hint">${prices && html`${pricesFrom(prices, text)}<br>`}${text.t('element.date', { date: view.catalogDate })}</span>`;

export const labelOf = (result, text) => (result.refused ? text.t('page.name') : text.t('element.label', { model: modelName(result, text) }));

export const failedHtml = ({ t }) => html`${t('element.failed')}`;

// What goes in each region; null hides it. `best` is of bestRows(), `link` the full page's address or null, `prices` the host's or null,
// `problems` what is wrong with them.
export function compactRegions(view, text, { best, link, prices, problems }) {
  return {
    failure: null,
    answer: answerHtml(view),
    help: view.help || view.incomplete ? helpHtml(view) : null,
    memory: view.refused ? null : memoryHtml(view, text),
    best: view.refused ? null : bestHtml(best, text),
    notices: noticesHtml(view, text),
    prices: problems.length ? pricesHtml(problems, text) : null,
    foot: footHtml(view, link, prices, text),
  };
}
