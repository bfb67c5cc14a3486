// The page: the calculator in a document, its state in the address, and what surrounds it.
import { resolveLanguage } from '../text/messages.mjs';
import { loadVramfit } from '../vramfit.mjs';
import { readAddress, settleAddress, writeAddress } from './address.mjs';
import { createCalculator } from './calculator.mjs';
import { drawChrome } from './chrome.mjs';
import { siteAt } from './site.mjs';

const root = document.documentElement;
const served = root.lang;
// The root page has no language of its own.
const spoken = ({ lang }) => resolveLanguage(lang, navigator.languages, root.dataset.root !== './' && served);
const site = siteAt(new URL(root.dataset.assets, document.baseURI), root.dataset.scripts);

function drawSurroundings({ result: { share, view }, lang, text }) {
  drawChrome({ share, view, lang });
  document.getElementById('theme').value = root.dataset.theme ?? 'auto';
  document.getElementById('units').value = ['GB', 'GiB'].includes(view.units) ? view.units : 'auto';
  root.lang = lang;
  document.title = text.t('page.title');
}

async function start() {
  const { lang: first } = spoken({ lang: new URLSearchParams(readAddress()).get('lang') });
  const [vramfit, locale] = await Promise.all([site.core().then(loadVramfit), site.locale(first)]);
  const calculator = createCalculator(document, {
    vramfit,
    site: { ...site, locale: (lang, part) => (lang === first && !part ? locale : site.locale(lang, part)) },
    languageOf: spoken,
    labelled: served,
    drawn: drawSurroundings,
    edited: writeAddress,
    pageAddress: (file, keys) => `${file}${keys && `?${keys}`}`,
    link: () => window.location.href,
  });
  settleAddress(await calculator.show(readAddress()));
  calculator.bind();
  for (const id of ['theme', 'units']) {
    document.getElementById(id).addEventListener('change', ({ target }) => calculator.change({ [id]: target.value === 'auto' ? null : target.value }, true));
  }
  const reread = async () => settleAddress(await calculator.reread(readAddress()));
  window.addEventListener('popstate', reread);
  window.addEventListener('hashchange', () => window.location.hash.includes('=') && reread());
  root.dataset.ready = '';
}

start().catch((error) => {
  delete root.dataset.pending;
  document.getElementById('failed').hidden = false;
  console.error(error);
});
