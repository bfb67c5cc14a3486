// The way to the full page, with the same configuration.
import { Failure } from './failure.mjs';

// `given` is the page's address as the host wrote it; without one it is the folder above the script's. Null where neither is known.
export function pageLink(given, base, { share, units }, lang) {
  if (given === null && !base) return null;
  let url;
  try {
    url = new URL(given ?? '../', given === null ? base : document.baseURI);
  } catch {
    url = null;
  }
  // An address that is a script must not become a link.
  if (!/^(https?|file):$/.test(url?.protocol)) {
    if (given === null) return null;
    throw new Failure('page-url', { url: given });
  }
  url.search = [url.search.slice(1), share, `lang=${lang}`, units !== 'auto' && `units=${units}`].filter(Boolean).join('&');
  return url.href;
}
