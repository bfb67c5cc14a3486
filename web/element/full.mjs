// The whole calculator in an element's shadow root, for view="full": what the page has, by the width, font and size of the text around it.
import { query } from '../page/address.mjs';
import { createCalculator } from '../page/calculator.mjs';
import { siteAt } from '../page/site.mjs';

// `template` is calculator.html with nothing in it, `style` its sheet, `base` the address of the folder that holds the site's assets,
// `scripts` how the late scripts are called there. Gives mountFull().
export function fullView({ template, style, base, scripts }) {
  const site = siteAt(base, scripts);

  // Puts the calculator at the end of `root`. `vramfit` answers; `changed(result, finished)` is told of each answer;
  // `address(file, keys)` is where a page of the site is, or null. Gives `show(asked)`, which resolves once it is shown, and `close()`.
  return function mountFull(root, { vramfit, changed, address }) {
    const { defaultView } = root.ownerDocument;
    const life = new AbortController();
    const place = root.ownerDocument.createElement('div');
    place.className = 'calculator';
    place.innerHTML = template;
    root.append(place);
    const sheet = new defaultView.CSSStyleSheet();
    sheet.replaceSync(style);
    const sheets = root.adoptedStyleSheets;
    root.adoptedStyleSheets = [sheet];

    let asked = null;
    let keys = '';
    const calculator = createCalculator(root, {
      vramfit,
      site,
      languageOf: () => asked.lang,
      drawn({ result }, finished) {
        keys = query(result.share, result.view);
        root.getElementById('copy').hidden = !address('', keys);
        changed(result, finished);
      },
      edited: () => {},
      pageAddress: address,
      link: () => address('', keys),
      signal: life.signal,
    });

    return {
      // `asked`: {share, lang, units, theme}.
      async show(wanted) {
        const first = !asked;
        asked = wanted;
        place.lang = wanted.lang;
        place.dataset.theme = wanted.theme;
        place.style.setProperty('--rem', defaultView.getComputedStyle(root.host).fontSize);
        await calculator.show(query(wanted.share, { units: wanted.units }));
        if (first) calculator.bind();
      },
      close() {
        life.abort();
        place.remove();
        root.adoptedStyleSheets = sheets;
      },
    };
  };
}
