// Where the catalogue's rows come from. Loaded when first asked for, and sources.json with it.
import { html } from './html.mjs';

function entry(name, row, { t, format }) {
  if (!row) return null;
  const meta = [format.date(row.date), row.confidence && t('page.sources.confidence', { level: t(`page.sources.confidence.${row.confidence}`) }), row.license];
  return html`<li><strong>${name}</strong> <span class="hint">${meta.filter(Boolean).join(', ')}</span>
    <ul>${[row.published_source, ...row.source].filter(Boolean).map((s) => html`<li lang="en">${s}</li>`)}${row.notes && html`<li lang="en">${row.notes}</li>`}</ul></li>`;
}

export function catalogSourcesHtml(sources, result, view, text) {
  const { t, format } = text;
  const ids = view.fit.map((row) => row.id);
  const model = sources.models[result.model.id];
  const listed = view.fit.filter(({ id }) => result.fit.some((row) => row.gpu === id && row.price?.book === 'host'));
  const prices = sources.prices.filter((p) => result.fit?.some((row) => row.gpu === p.gpu && row.price?.book === p.book));
  return html`${model && html`<h4>${t('page.sources.model')}</h4><ul>${entry(result.model.name, model, text)}</ul>`}
    <h4>${t('page.sources.gpus')}</h4><ul>${ids.map((id) => entry(view.fit.find((row) => row.id === id).name, sources.gpus[id], text))}</ul>
    ${prices.length + listed.length > 0 && html`<h4>${t('page.sources.prices')}</h4><ul>${listed.map((row) => html`<li>${row.name}: ${row.price.perGpu}, ${row.price.note}</li>`)}${prices.map((p) => html`<li>${view.fit.find((row) => row.id === p.gpu).name}: ${format.usdPerHour(p.usd_per_gpu_hour)}, ${t(`choice.prices.${p.book}`)}, ${format.date(p.date)} <span class="hint" lang="en">${p.source}</span></li>`)}</ul>`}`;
}

const known = new Map();  // by site

export async function draw({ site, result, view, text }) {
  if (!known.has(site)) known.set(site, await site.sources());
  return catalogSourcesHtml(known.get(site), result, view, text);
}
