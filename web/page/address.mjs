// The address bar holds the configuration: the canonical share string, then the page's own keys. The same grammar is read after '#'.
export const viewKeys = ['lang', 'theme', 'units', 'embed', 'view'];

export function readAddress() {
  const { search, hash } = window.location;
  return search.length > 1 ? search.slice(1) : hash.includes('=') ? hash.slice(1) : '';
}

export function query(share, view) {
  const own = viewKeys.filter((key) => view[key]).map((key) => `${key}=${encodeURIComponent(view[key])}`);
  return [share, ...own].filter(Boolean).join('&');
}

let committed = null;

// While something is being typed its entry in the history is rewritten; a finished change gets an entry of its own, and the entry
// before it is put back to what it was.
export function writeAddress(text, finished) {
  const { pathname, hash } = window.location;
  const address = pathname + (text ? `?${text}` : '') + (hash.includes('=') ? '' : hash);
  committed ??= address;
  if (!finished) return window.history.replaceState(null, '', address);
  if (address !== committed) {
    window.history.replaceState(null, '', committed);
    window.history.pushState(null, '', address);
  }
  committed = address;
}

// After a step through the history, or at the start: what stands there counts as finished.
export function settleAddress(text) {
  committed = null;
  writeAddress(text, false);
}
