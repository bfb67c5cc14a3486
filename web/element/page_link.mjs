// The way to the full page, with the same configuration.
import { Failure } from './failure.mjs';

function addressOf(given, base) {
  if (given === null && !base) return null;
  try {
    const url = new URL(given ?? '../', given === null ? base : document.baseURI);
    // An address that is a script must not become a link.
    if (/^(https?|file):$/.test(url.protocol)) return url;
  } catch {
    // Not an address.
  }
  if (given === null) return null;
  throw new Failure('page-url', { url: given });
}

// `given` is the page's address as the host wrote it; without one it is the folder above the script's. Gives what makes the address of
// a file of that site for a share string: null where no page is known.
export function pageLinks(given, base, { units }, lang) {
  const page = addressOf(given, base);
  return (share, file = '') => {
    if (!page) return null;
    const url = new URL(page);
    if (file) url.pathname = new URL(file, page).pathname;
    url.search = [page.search.slice(1), share, `lang=${lang}`, units !== 'auto' && `units=${units}`].filter(Boolean).join('&');
    return url.href;
  };
}
