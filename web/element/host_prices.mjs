// The host's own price list, once per address for all elements of a page.
import { readPriceList } from '../price_list.mjs';
import { priceProblem } from '../text/price_list.mjs';
import { Failure } from './failure.mjs';
import { once } from './once.mjs';

async function download(url) {
  // Nothing of another origin's, by a detour neither.
  const response = await fetch(url, { mode: 'same-origin' });
  if (!response.ok) throw new Error(String(response.status));
  return response.json();
}

// {prices, problems: [{id, message(text)}]}; `prices` is null where there is no list, or none that can be used: then the catalogue's
// apply.
export async function hostPrices(given, catalog) {
  if (given === null) return { prices: null, problems: [] };
  const failed = (id, error) => {
    const failure = new Failure(id, { url: given }, error);
    return { prices: null, problems: [{ id, message: (text) => failure.told(text).message }] };
  };
  let url = null;
  try {
    url = new URL(given, document.baseURI);
  } catch {
    // No address at all is none of the page's either.
  }
  if (url?.origin !== window.location.origin) return failed('prices-origin');
  try {
    const { prices, problems } = readPriceList(await once(url.href, () => download(url)), catalog);
    return { prices, problems: problems.map((problem) => ({ id: problem.id, message: (text) => priceProblem(problem, text) })) };
  } catch (error) {
    return failed('prices-missing', error);
  }
}
