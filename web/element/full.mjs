// The whole calculator in the element. A script of its own, loaded when it is asked for; what it loads lies beside it.
import { viewKeys } from '../page/address.mjs';
import { createCalculator } from '../page/calculator.mjs';
import { siteAt } from '../page/site.mjs';

// The size of the host's text, which calculator.css counts in here: that of the root element is often another.
function registerSize() {
  try {
    CSS.registerProperty({ name: '--vramfit-em', syntax: '<length>', inherits: true, initialValue: '16px' });
  } catch {
    // Known already.
  }
}

// Of a query the share string: how it is shown is the element's to say.
const withoutViewKeys = (query) => query.split('&').filter((pair) => !viewKeys.includes(pair.split('=')[0])).join('&');

// `template` and `style` are calculator.html and calculator.css, `base` is the address of this script, `scripts` says how the late ones
// are called.
export function createMountFull({ template, style, base, scripts }) {
  const site = siteAt(new URL('./', base), scripts);

  // As mountCompact(), in the shadow root `root`; `show` takes { units, linkTo, prices } too.
  return function mountFull(place, { root, answered }) {
    registerSize();
    const life = new AbortController();
    let asked = null;
    let state = null;
    let calculator = null;
    place.innerHTML = template;
    // A fragment in the host's address leads nowhere in here.
    root.addEventListener('click', (event) => {
      const link = event.target.closest('a[href^="#"]');
      if (!link) return;
      event.preventDefault();
      root.getElementById(link.getAttribute('href').slice(1)).scrollIntoView();
    }, { signal: life.signal });

    const create = () => createCalculator(root, {
      vramfit: {
        catalog: () => asked.vramfit.catalog(),
        grow: () => asked.vramfit.grow(),
        growFor: (result) => asked.vramfit.growFor(result),
        estimate: (share) => asked.vramfit.estimate(share),
        whatIf: (share) => asked.vramfit.whatIf(share),
      },
      site,
      languageOf: () => asked.text,
      drawn(now) { state = now; },
      edited: (query, finished) => answered(state.result, finished),
      pageAddress: (file, query) => asked.linkTo(withoutViewKeys(query), file),
      link: () => asked.linkTo(state.result.share) ?? window.location.href,
      prices: () => asked.prices,
      signal: life.signal,
    });

    return {
      style,
      async show(wanted) {
        asked = wanted;
        const share = [wanted.share, wanted.units !== 'auto' && `units=${wanted.units}`].filter(Boolean).join('&');
        if (calculator) {
          await calculator.reread(share);
        } else {
          calculator = create();
          await calculator.show(share);
          if (!life.signal.aborted) calculator.bind();
        }
        if (!life.signal.aborted) answered(state.result, true);
      },
      end: () => life.abort(),
    };
  };
}
