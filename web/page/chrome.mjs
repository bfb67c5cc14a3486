// What stands around the answer on each page: the theme, and links to the page in the other languages.
import { languages } from '../text/messages.mjs';
import { query } from './address.mjs';

// `file`: the page's name within its language's folder. `pageIn(language, keys)` is the page's address in another language.
export function drawChrome({ share, view, lang, file = '', pageIn = ({ path }, keys) => `${document.documentElement.dataset.root}${path}${file}${keys && `?${keys}`}` }) {
  const root = document.documentElement;
  if (view.theme === 'light' || view.theme === 'dark') root.dataset.theme = view.theme;
  else delete root.dataset.theme;
  const kept = query(share, { ...view, lang: null });
  for (const link of document.querySelectorAll('a[data-lang]')) {
    link.href = pageIn(languages.find((l) => l.lang === link.dataset.lang), kept);
    if (link.dataset.lang === lang) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
}
