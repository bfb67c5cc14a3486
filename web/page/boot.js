// Runs before the first paint: a link's own theme at once, and no default answer shown for another configuration.
(() => {
  const root = document.documentElement;
  const text = location.search.slice(1) || (location.hash.includes('=') ? location.hash.slice(1) : '');
  const keys = new URLSearchParams(text);
  if (/^(light|dark)$/.test(keys.get('theme'))) root.dataset.theme = keys.get('theme');
  for (const key of ['theme', 'embed', 'view']) keys.delete(key);
  if ([...keys].length === 0) return;
  root.dataset.pending = '';
  setTimeout(() => {
    if (!('pending' in root.dataset)) return;
    delete root.dataset.pending;
    document.getElementById('failed').hidden = false;
  }, 15000);
})();
