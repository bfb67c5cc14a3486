// What stands around the answer on each page: the theme, and links to the page in the other languages.
import { languages, resolveLanguage } from '../text/messages.mjs';
import { query } from './address.mjs';

// `file`: the page's name within its language's folder.
export function drawChrome({ share, view, lang, file = '' }) {
  const root = document.documentElement;
  if (view.theme === 'light' || view.theme === 'dark') root.dataset.theme = view.theme;
  else delete root.dataset.theme;
  for (const link of document.querySelectorAll('a[data-lang]')) {
    const { path } = languages.find((l) => l.lang === link.dataset.lang);
    // The root page goes by the browser, unless told.
    const told = !path && resolveLanguage('', navigator.languages).lang !== link.dataset.lang;
    const kept = query(share, { ...view, lang: told && link.dataset.lang });
    link.href = `${root.dataset.root}${path}${file}${kept && `?${kept}`}`;
    if (link.dataset.lang === lang) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
}
