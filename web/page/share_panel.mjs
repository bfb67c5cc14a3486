// "Share and export": a modal dialog over the page, in whatever root the page stands. Loads when it is first opened.
import { explain } from '../text/explain.mjs';
import { html } from './html.mjs';
import { lateStyle } from './late_style.mjs';
import { lateTexts } from './late_texts.mjs';
import { downloadSection } from './share_downloads.mjs';
import { embedSection } from './share_embed.mjs';
import { linkSection } from './share_link.mjs';

// What the panel shows, from top to bottom: each makes its element of what the panel knows.
const sections = [linkSection, downloadSection, embedSection];

// Browsers refuse the clipboard to pages without TLS, and where the reader forbids it.
const copy = (text) => (navigator.clipboard?.writeText(text) ?? Promise.reject()).then(() => true, () => false);

// A click beside the dialog closes it; one that only ends there, as selecting text may, does not.
function dismissLightly(dialog) {
  let began = null;
  const beside = ({ target, clientX, clientY }) => {
    const { left, right, top, bottom } = dialog.getBoundingClientRect();
    return target === dialog && (clientX < left || clientX > right || clientY < top || clientY > bottom);
  };
  dialog.addEventListener('pointerdown', (event) => { began = beside(event); });
  dialog.addEventListener('click', (event) => { if (began && beside(event)) dialog.close(); });
}

// A frame may be as high as its content, and its middle far from what the reader sees: there the panel opens where the button is.
function placeInFrame(dialog, opener) {
  if (window.parent === window || !opener) return;
  const top = Math.min(opener.getBoundingClientRect().top, window.innerHeight - dialog.offsetHeight - 12);
  dialog.style.marginTop = `${Math.max(12, top)}px`;
}

let open = null;

// `place`: the element or shadow root to stand in; `site`: where the site's files are; `link`: the address of what is shown. The others
// are the calculator and its state: result object and text.
export async function openSharePanel({ place, site, link, vramfit, result, text: pageText }) {
  if (open) return open;
  open = (async () => {
    const [text] = await Promise.all([lateTexts(pageText, site, ['late', 'share', 'export', 'embed']), lateStyle('share_panel.css', place.getRootNode(), site)]);
    const { t } = text;
    const dialog = document.createElement('dialog');
    dialog.className = 'share-panel';
    dialog.lang = text.lang;
    dialog.setAttribute('aria-labelledby', 'share-title');
    dialog.innerHTML = String(html`<div class="share-head"><h2 id="share-title">${t('share.title')}</h2><button type="button" aria-label="${t('share.close')}">×</button></div><p class="share-said" role="status"></p>`);
    const said = dialog.querySelector('[role="status"]');
    const say = (key, values) => {
      // Emptied first, so that the same words are said again.
      said.textContent = '';
      requestAnimationFrame(() => { said.textContent = t(key, values); });
    };
    // A page that is one file has no address that an article could embed.
    const shown = sections.filter((section) => section !== embedSection || site.at('../'));
    said.before(...shown.map((section) => section({ dialog, link, say, copy, text, vramfit, result, view: explain(result, vramfit.catalog(), text, vramfit), site })));
    dialog.querySelector('button').addEventListener('click', () => dialog.close());
    dismissLightly(dialog);
    // A step through the history is to another configuration.
    const leave = () => dialog.close();
    window.addEventListener('popstate', leave);
    dialog.addEventListener('close', () => {
      window.removeEventListener('popstate', leave);
      dialog.remove();
      open = null;
    });
    const opener = place.getRootNode().activeElement;
    place.append(dialog);
    dialog.showModal();
    placeInFrame(dialog, opener);
    // Not by `autofocus`, which browsers refuse to frames of another site.
    dialog.querySelector('textarea').focus();
    return dialog;
  })();
  open.catch(() => { open = null; });
  return open;
}
