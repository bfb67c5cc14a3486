// The host's own price list: a script of its own, loaded where an element names a list. A list is read once per address for all elements
// of a page.
import { readPriceList } from '../price_list.mjs';
import { priceProblem, pricesFrom } from '../text/price_list.mjs';
import { createText } from '../text/text.mjs';
import { once } from './once.mjs';

async function download(url) {
  // Nothing of another origin's, by a detour neither.
  const response = await fetch(url, { mode: 'same-origin' });
  if (!response.ok) throw new Error(String(response.status));
  return response.json();
}

// `texts` are the messages of price lists by language. Gives hostPrices(url, catalog): {prices, problems: [{id, message(text)}],
// from(text)}; `prices` is null where the list cannot be used: then the catalogue's apply. `from` says whose they are. Rejects when there
// is no list at `url`.
export function hostPricesBy(texts) {
  const own = ({ lang, formats }) => createText(texts[lang], lang, { formats });
  return async function hostPrices(url, catalog) {
    const { prices, problems } = readPriceList(await once(url, () => download(url)), catalog);
    return {
      prices,
      problems: problems.map((problem) => ({ id: problem.id, message: (text) => priceProblem(problem, own(text)) })),
      from: (text) => prices && pricesFrom(prices, own(text)),
    };
  };
}
