// What an element's attributes ask for.
import { Failure } from './failure.mjs';

export const viewAttributes = ['share', 'lang', 'units', 'theme', 'view', 'page-url', 'wasm-url'];

const choices = { units: ['auto', 'GB', 'GiB'], theme: ['auto', 'light', 'dark'], view: ['compact', 'full'] };

// `prices` names a price book, as in a link, or is the address of a list.
export function priceListUrl(element) {
  const value = element.getAttribute('prices') ?? '';
  return /\/|\.json($|[?#])|^[a-z][a-z\d+.-]*:/i.test(value) ? value : null;
}

// The share string: attributes of its keys, then what `share` has beside them. It is the core that reads it.
function shareOf(element, fields) {
  const list = priceListUrl(element);
  const own = fields.filter((key) => element.hasAttribute(key) && !(key === 'prices' && list !== null));
  const rest = (element.getAttribute('share') ?? '').replace(/^[?#]/, '').split('&');
  return [
    ...own.map((key) => new URLSearchParams([[key, element.getAttribute(key)]])),
    ...rest.filter((pair) => pair && !own.includes(pair.split('=')[0])),
  ].join('&');
}

// {share, lang, units, theme, view, pricesUrl, pageUrl, wasmUrl, failures}; `lang` and the addresses as written, null where nothing is.
export function readAttributes(element, fields) {
  const share = shareOf(element, fields);
  const shared = new URLSearchParams(share);
  const failures = [];
  const read = (name) => element.getAttribute(name) ?? shared.get(name);
  function choice(name) {
    const value = read(name) || choices[name][0];
    if (choices[name].includes(value)) return value;
    failures.push(new Failure('bad-attribute', { name, value, choices: choices[name].join(', ') }));
    return choices[name][0];
  }
  return {
    share, lang: read('lang'), units: choice('units'), theme: choice('theme'), view: choice('view'),
    pricesUrl: priceListUrl(element), pageUrl: element.getAttribute('page-url'), wasmUrl: element.getAttribute('wasm-url'), failures,
  };
}
