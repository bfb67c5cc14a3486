// A late script's style, once per root; there already where the page is one file.
export function lateStyle(root, site, file) {
  const href = site.at(file)?.href;
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
