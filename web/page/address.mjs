// The address bar holds the configuration: the canonical share string, then the page's own keys. The same grammar is read after '#'.
export const viewKeys = ['lang', 'theme', 'units', 'embed', 'view'];

// Behind which of the two it is written. A page that is one file has '#' only, which every browser lets it change.
let mark = '?';
export function writeBehindHash() { mark = '#'; }

export function readAddress() {
  const { search, hash } = window.location;
  return search.length > 1 ? search.slice(1) : hash.includes('=') ? hash.slice(1) : '';
}

export function query(share, view) {
  const own = viewKeys.filter((key) => view[key]).map((key) => `${key}=${encodeURIComponent(view[key])}`);
  return [share, ...own].filter(Boolean).join('&');
}

let committed = null;
let pending = 0;
let last = -Infinity;

// Browsers refuse a page that rewrites its address too often: what a drag says goes there ten times a second, its end at once.
function rewrite(address) {
  clearTimeout(pending);
  const now = () => {
    last = performance.now();
    window.history.replaceState(null, '', address);
  };
  const wait = last + 100 - performance.now();
  if (wait > 0) pending = setTimeout(now, wait);
  else now();
}

// While something is being typed its entry in the history is rewritten; a finished change gets an entry of its own, and the entry
// before it is put back to what it was.
export function writeAddress(text, finished) {
  const { pathname, hash } = window.location;
  const address = pathname + (text ? mark + text : '') + (hash.includes('=') || mark === '#' ? '' : hash);
  committed ??= address;
  if (!finished) return rewrite(address);
  clearTimeout(pending);
  if (address !== committed) {
    window.history.replaceState(null, '', committed);
    window.history.pushState(null, '', address);
  }
  committed = address;
}

// After a step through the history, or at the start: what stands there counts as finished.
export function settleAddress(text) {
  committed = null;
  last = -Infinity;
  writeAddress(text, false);
}
