// Sorting and filtering the fit table: labelled selects, a way back, and how many rows there are to see.
import { arrange, asMade, isFiltered, offers, sorts } from './fit_view.mjs';
import { html } from './html.mjs';

const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);

// The selects get their values from showFitView().
export function fitControlsHtml(view, { t, format }, fitView = asMade) {
  if (view.fit.length < 2) return html``;
  const labels = {
    vendor: (id) => t(`vendor.${id}`),
    kind: (id) => capital(t(`form.${id}`)),
    memory: (gb) => t('page.fit.at_least', { memory: format.bytes(gb * 1e9, 'GB') }),
    verdict: (id) => capital(id === 'tight' ? t('page.fit.or_tight') : t('verdict.fits')),
  };
  const select = (name, label, choices) => html`<label><span>${label}</span> <select data-look="${name}" data-key="look/${name}">${choices.map(([id, words]) => html`<option value="${id}">${words}</option>`)}</select></label>`;
  return html`${select('sort', t('page.fit.sort'), sorts.map((id) => [id, t(`page.fit.sort.${id}`)]))}
    ${offers(view.fit, fitView).map(({ name, choices }) => select(name, t(name === 'memory' ? 'page.fit.memory' : `page.fit.${name}`), [['', t('page.fit.any')], ...choices.map((id) => [id, labels[name](id)])]))}`;
}

// After the controls have been filled: a value set leaves the markup, and with it the control in use, alone.
export function showFitView(root, fitView) {
  for (const select of root.querySelectorAll('[data-look]')) select.value = fitView[select.dataset.look];
  root.getElementById('unfilter').hidden = !isFiltered(fitView);
}

export function fitShownHtml(view, { t }, fitView = asMade) {
  const count = view.fit.length;
  return count > 1 ? html`${t('page.fit.shown', { shown: arrange(view.fit, fitView).length, count })}` : html``;
}
