// The page: the calculator in a document, its state in the address, and what surrounds it.
import { resolveLanguage } from '../text/messages.mjs';
import { loadVramfit } from '../vramfit.mjs';
import { readAddress, settleAddress, writeAddress } from './address.mjs';
import { createCalculator } from './calculator.mjs';
import { drawChrome } from './chrome.mjs';

const root = document.documentElement;

function drawSurroundings({ result: { share, view }, lang, text }, pageIn) {
  drawChrome({ share, view, lang, pageIn });
  document.getElementById('theme').value = root.dataset.theme ?? 'auto';
  document.getElementById('units').value = ['GB', 'GiB'].includes(view.units) ? view.units : 'auto';
  root.lang = lang;
  document.title = text.t('page.title');
}

async function start({ site, own = root.dataset.root !== './' && root.lang, pageAddress, pageIn }) {
  const spoken = ({ lang }) => resolveLanguage(lang, navigator.languages, own);
  const { lang: first } = spoken({ lang: new URLSearchParams(readAddress()).get('lang') });
  const [vramfit, locale] = await Promise.all([site.core().then(loadVramfit), site.locale(first)]);
  const calculator = createCalculator(document, {
    vramfit,
    site: { ...site, locale: (lang, part) => (lang === first && !part ? locale : site.locale(lang, part)) },
    languageOf: spoken,
    labelled: root.lang,
    drawn: (state) => drawSurroundings(state, pageIn),
    edited: writeAddress,
    pageAddress,
    link: () => window.location.href,
  });
  settleAddress(await calculator.show(readAddress()));
  calculator.bind();
  for (const id of ['theme', 'units']) {
    document.getElementById(id).addEventListener('change', ({ target }) => calculator.change({ [id]: target.value === 'auto' ? null : target.value }, true));
  }
  const reread = async () => settleAddress(await calculator.reread(readAddress()));
  window.addEventListener('popstate', reread);
  // Some browsers tell of it twice; what was settled since is not read again, or what was said about it would be lost.
  window.addEventListener('hashchange', ({ newURL }) => newURL === window.location.href && window.location.hash.includes('=') && reread());
  root.dataset.ready = '';
}

// `site` as in site.mjs; `own` is the page's own language, which the root page has none of; `pageAddress(file, keys)` is the address of one of the
// site's pages, `pageIn(language, keys)` that of this page in another language.
export const startPage = (options) => start(options).catch((error) => {
  delete root.dataset.pending;
  document.getElementById('failed').hidden = false;
  console.error(error);
});
