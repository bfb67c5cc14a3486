// What is around either view.
import { html } from '../page/html.mjs';
import { modelName } from '../text/names.mjs';

// What stands between the tags of the element shows until there is an answer.
export const frameHtml = () => html`<figure><slot></slot><p class="failure" role="alert" hidden></p><div class="view"></div><div class="problems" hidden></div><p class="foot" hidden></p></figure>`;

export const labelOf = (result, text) => (result.refused ? text.t('page.name') : text.t('element.label', { model: modelName(result, text) }));

// What is wrong with the host's price list.
export const problemsHtml = (problems, { t }) => (problems.length
  ? html`<details data-key="prices"><summary>${t('element.prices', { count: problems.length })}</summary><ul>${problems.map((problem) => html`<li>${problem}</li>`)}</ul></details>`
  : null);

export const linkHtml = (link, { t }) => html`<a href="${link}">${t('element.link')}</a>`;

// The way to everything else, and how old the figures are. `link` is null where there is no page, `prices`, whose they are, where they are the catalogue's.
export const footHtml = (result, { link, prices }, text) => html`${link && linkHtml(link, text)}
  <span class="hint">${prices && html`${prices}<br>`}${text.t('element.date', { date: text.format.date(result.catalog_date) })}</span>`;
