// What stands around the answer on each page: the theme, and links to the page in the other languages.
import { languages, resolveLanguage } from '../text/messages.mjs';
import { query } from './address.mjs';

// The address of a page of the site in a language. The root's pages go by the browser, unless told.
const sitePage = (file) => ({ lang, path }, keys) => {
  const told = !path && resolveLanguage('', navigator.languages).lang !== lang && `lang=${lang}`;
  const whole = [keys, told].filter(Boolean).join('&');
  return `${document.documentElement.dataset.root}${path}${file}${whole && `?${whole}`}`;
};

// `file`: the page's name within its language's folder. `pageIn(language, keys)` is the page's address in another language.
export function drawChrome({ share, view, lang, file = '', pageIn = sitePage(file) }) {
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
