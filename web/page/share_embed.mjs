// The panel's section for publishers: the code that shows this configuration in an article of theirs.
import { elementSnippet, frameSnippet } from '../embed/snippets.mjs';
import { modelName } from '../text/names.mjs';
import { html } from './html.mjs';

const choices = { kind: ['element', 'frame'], view: ['compact', 'full'], theme: ['auto', 'light', 'dark'] };

export function embedSection({ say, copy, text, result, vramfit, site }) {
  const { t } = text;
  const folder = site.at('../');
  // From a disk there is nothing to embed from.
  if (!/^https?:$/.test(folder.protocol)) return new DocumentFragment();
  const section = document.createElement('section');
  section.className = 'share-embed';
  const select = (name) => html`<label>${t(`embed.${name}`)} <select name="${name}" autocomplete="off">${choices[name].map((id) => html`<option value="${id}">${t(`embed.${name}.${id}`)}</option>`)}</select></label>`;
  section.innerHTML = String(html`<h3>${t('embed.title')}</h3>
    <div class="share-choices">${Object.keys(choices).map(select)}</div>
    <p class="hint" id="share-embed-hint"></p>
    <label for="share-embed">${t('embed.code')}</label>
    <textarea id="share-embed" readonly rows="5" spellcheck="false" translate="no" aria-describedby="share-embed-hint"></textarea>
    <p><button type="button" data-do="copy-embed">${t('embed.copy')}</button></p>`);
  const code = section.querySelector('textarea');
  const chosen = (name) => section.querySelector(`[name="${name}"]`).value;
  const configuration = () => ({
    share: result.share, fields: vramfit.catalog().fields.map(({ key }) => key), lang: text.lang, site: folder.href,
    view: chosen('view'), theme: chosen('theme'), units: result.view.units,
    label: result.refused ? t('embed.open') : t('embed.label', { model: modelName(result, text) }),
  });
  function write() {
    code.value = (chosen('kind') === 'element' ? elementSnippet : frameSnippet)(configuration());
    const needs = chosen('kind') === 'element' && chosen('view') === 'full' ? 'embed.hint.element_full' : `embed.hint.${chosen('kind')}`;
    section.querySelector('.hint').textContent = t(needs);
  }
  section.addEventListener('change', write);
  code.addEventListener('focus', () => code.select());
  section.querySelector('button').addEventListener('click', async () => {
    if (await copy(code.value)) return say('embed.copied');
    code.focus();
    code.select();
    say('embed.refused');
  });
  write();
  return section;
}
