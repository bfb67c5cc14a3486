// Why the methods differ, laid side by side for the configuration shown. Loads when its fold is opened, and the full module with it.
import { namesFor } from '../text/brief.mjs';
import { difference, differences } from '../text/differences.mjs';
import { html } from './html.mjs';
import { lateTexts } from './late_texts.mjs';

export function differencesHtml(table, { t }) {
  if (!table) return null;
  const { lead, columns, rows } = table;
  return html`<p class="hint">${lead}</p>
    <table class="stack differ" role="table"><thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">${t('page.compartment')}</th>${columns.map((name) => html`<th role="columnheader" scope="col">${name}</th>`)}<th role="columnheader" scope="col">${t('differ.why')}</th></tr></thead>
    <tbody role="rowgroup">${rows.map(({ id, label, cells, says }) => html`<tr role="row" data-row="${id}"><th role="rowheader" scope="row">${label}</th>${cells.map((cell, i) => html`<td role="cell"><span class="cell-label">${columns[i]}</span><span>${cell ?? html`<span class="hint">${t('differ.none')}</span>`}</span></td>`)}<td role="cell" class="says">${says}</td></tr>`)}</tbody></table>`;
}

export async function draw({ result, text: pageText, vramfit, catalog, site }) {
  const [text] = await Promise.all([lateTexts(pageText, site, ['engine']), vramfit.grow()]);
  const names = namesFor(result, catalog);
  // The engine's part is the full module's to say; where it refuses, it says why.
  const full = vramfit.estimate(result.share);
  return html`<p class="why">${difference(result, text)}</p>${!full.refused && differencesHtml(differences(full, names, text), text)}`;
}
