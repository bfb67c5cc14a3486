// The answer by an engine: what it will do in a sentence and as its log will say it, what would settle a no, and what fills the memory
// with each figure's range. Loads with the first question for an engine, before that is answered.
import { namesFor } from '../text/brief.mjs';
import { explainEngine } from '../text/engine.mjs';
import { engineHelp } from '../text/settle.mjs';
import { noticesHtml } from './answer.mjs';
import { termsHtml } from './compartments.mjs';
import { engineFieldsHtml, showDefaults } from './engine_form.mjs';
import { html } from './html.mjs';
import { lateStyle } from './late_style.mjs';

const remarks = ['engine-one-request', 'engine-requests-queue', 'engine-state-blocks'];

const share = (bytes, scale) => `${((100 * bytes) / scale).toFixed(3)}%`;

export const dress = (root, site) => lateStyle('engine.css', root, site);

// The engines' fields, which the form leaves out until they are asked for; once per form.
export function addFields(form, catalog, { result, text }, { bindDraft, update }) {
  const place = form.querySelector('#engine-fields');
  if (place.dataset.lang !== text.formats) {
    place.innerHTML = String(engineFieldsHtml(catalog, result, text));
    place.dataset.lang = text.formats;
    bindDraft();
    update();
  }
  showDefaults(form, result, text);
}

function helpHtml(help) {
  return html`<p>${help.title}</p>${help.lead && html`<p>${help.lead}</p>`}
    <ul>${help.items.map((item, i) => html`<li><button type="button" data-change="${help.changes[i]}" data-key="settle/${item}">${item}</button></li>`)}</ul>`;
}

// One stack for all GPUs, or one for each that differs, to scale with the card.
function stackHtml({ number, pieces, sum }, scale, usable, { t, format }) {
  const label = number ? `${t('engine.bars.rank', { number })}: ${format.bytes(sum, 'GiB')}` : null;
  let at = 0;
  const drawn = pieces.map(({ id, bytes }) => {
    const x = at;
    at += bytes;
    return html`<rect class="c-${id}" x="${share(x, scale)}" width="${share(bytes, scale)}" height="100%"/>`;
  });
  return html`${label && html`<p class="hint rank">${label}</p>`}<svg class="bar" aria-hidden="true" width="100%" height="${number ? 20 : 36}"><rect class="track" width="${share(usable, scale)}" height="100%"/>${drawn}${sum > usable && html`<rect class="limit" x="${share(usable, scale)}" width="3" height="100%"/>`}</svg>`;
}

// From nothing to the likely figure, and a line from the low to the high one.
function rangeHtml(row, scale, { t, format }) {
  const size = (bytes) => format.bytes(bytes, 'GiB');
  const values = { name: row.label, likely: row.perGpu, low: size(row.low), high: size(row.high) };
  const spread = row.low < row.high;
  return html`<svg class="spread" role="img" aria-label="${t(spread ? 'engine.bars.range' : 'engine.bars.exact', values)}" width="100%" height="18"><rect class="c-${row.id}" width="${share(row.bytes, scale)}" y="4" height="10"/>${spread && html`<rect class="from-to" x="${share(row.low, scale)}" width="${share(row.high - row.low, scale)}" y="8" height="2"/><rect class="from-to" x="${share(row.low, scale)}" width="1.5" y="3" height="12"/><rect class="from-to" x="${share(row.high, scale)}" width="1.5" y="3" height="12"/>`}</svg>`;
}

function compartmentsHtml(view, text) {
  const { t } = text;
  const { compartments: c, engine } = view;
  const many = c.count > 1;
  const scale = Math.max(engine.usable, ...engine.stacks.map(({ sum }) => sum)) || 1;
  const widest = Math.max(...c.rows.map((row) => row.high)) || 1;
  const pool = engine.stacks[0].pieces.some(({ id }) => id === 'pool');
  const swatch = (id) => html`<svg class="swatch" width="12" height="12" aria-hidden="true"><rect class="c-${id}" width="12" height="12"/></svg>`;
  return html`<p class="bar-title">${c.title}</p>
    ${engine.stacks.map((stack) => stackHtml(stack, scale, engine.usable, text))}
    ${pool && html`<p class="bar-free">${swatch('pool')} ${t('engine.bars.pool')} ${text.format.bytes(engine.stacks[0].pieces.find(({ id }) => id === 'pool').bytes, 'GiB')}</p>`}
    <table class="compartments ranges">
      <thead><tr><th scope="col">${t('page.compartment')}</th><th scope="col" class="spreads">${t('engine.bars')}</th><th scope="col">${t('page.per_gpu')}</th>${many && html`<th scope="col">${t('page.all_gpus', { count: c.count })}</th>`}</tr></thead>
      ${c.rows.map((row) => html`<tbody>
        <tr><th scope="row">${swatch(row.id)} ${row.label}</th><td class="spreads">${rangeHtml(row, widest, text)}</td><td>${row.perGpu}${row.range && html`<span class="range">${row.range}</span>`}</td>${many && html`<td>${row.all}</td>`}</tr>
        ${termsHtml(row)}
      </tbody>`)}
      <tfoot><tr><th scope="row">${t('page.total')}</th><td class="spreads"></td><td>${c.need}</td>${many && html`<td>${c.needAll}</td>`}</tr></tfoot>
    </table>
    ${c.split && html`<p class="hint">${c.split}</p>`}`;
}

function engineHtml({ engine }, { t }) {
  return html`<h3 class="on">${engine.on}</h3>${engine.state === 'fits' && html`<p class="ending">${engine.says}</p>`}
    <h4>${t('engine.log')}</h4><p class="hint">${t('engine.log.hint')}</p>
    <dl class="log">${engine.log.map(({ label, value, range }) => html`<div><dt>${label}</dt><dd>${value}${range && html` <span class="range">${range}</span>`}</dd></div>`)}</dl>`;
}

// What the page shows otherwise than by the other methods, by region.
export function regionsOf({ result, view, text, vramfit, catalog = vramfit.catalog() }) {
  if (view.refused) return {};
  const names = namesFor(result, catalog);
  view.engine = explainEngine(result, view, names, text);
  const help = engineHelp(result, view, names, vramfit, text);
  // Said already, with more figures.
  const notices = view.notices.filter((_, i) => !help || !remarks.includes(result.notices[i].id));
  return {
    help: help && helpHtml(help),
    notices: noticesHtml({ ...view, notices }, text),
    engine: engineHtml(view, text),
    compartments: compartmentsHtml(view, text),
  };
}
