// What the elements of a page share, by its address: made once, and again only when it failed.
const kept = new Map();

export function once(url, make) {
  if (!kept.has(url)) {
    kept.set(url, make());
    kept.get(url).catch(() => kept.delete(url));
  }
  return kept.get(url);
}
