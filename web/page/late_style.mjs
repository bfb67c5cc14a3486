// A style that comes with a late script, once per root; there already where the page is one file.
export function lateStyle(name, root, site) {
  const href = site.at(name)?.href;
  if (!href) return null;
  const place = root.head ?? root;
  if ([...place.querySelectorAll('link')].some((link) => link.href === href)) return null;
  return new Promise((done, failed) => {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href, onload: done });
    link.onerror = () => {
      link.remove();
      failed(new Error(href));
    };
    place.append(link);
  });
}
