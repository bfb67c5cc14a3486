// The panel's first section: the link, to copy or to scan.
import { html } from './html.mjs';
import { qrHtml } from './qr.mjs';

export function linkSection({ link, say, copy, text: { t } }) {
  const section = document.createElement('section');
  const code = qrHtml(link, t('share.qr'));
  section.innerHTML = String(html`<div class="share-link"><label for="share-link">${t('share.link')}</label>
    <textarea id="share-link" readonly rows="3" spellcheck="false">${link}</textarea>
    <p><button type="button" data-do="copy-link">${t('share.copy_link')}</button></p></div>
    ${code ? html`<figure>${code}<figcaption class="hint">${t('share.qr_hint')}</figcaption></figure>` : html`<p class="hint">${t('share.qr_too_long')}</p>`}`);
  const field = section.querySelector('textarea');
  field.addEventListener('focus', () => field.select());
  section.querySelector('button').addEventListener('click', async () => {
    if (await copy(link)) return say('share.link_copied');
    field.focus();
    field.select();
    say('share.link_refused');
  });
  return section;
}
