// Runs before the first paint: a link's own theme at once, no default answer shown for another configuration, and nothing in a language
// that is about to be replaced: the link's, or on the root page the browser's, as resolveLanguage() of text/messages.mjs has it.
(() => {
  const root = document.documentElement;
  const text = location.search.slice(1) || (location.hash.includes('=') ? location.hash.slice(1) : '');
  const keys = new URLSearchParams(text);
  if (/^(light|dark)$/.test(keys.get('theme'))) root.dataset.theme = keys.get('theme');
  const lang = [keys.get('lang'), ...(root.dataset.root === './' ? navigator.languages : [])].find((tag) => /^(en|es|pt)(-|$)/i.test(tag));
  const foreign = lang && !lang.toLowerCase().startsWith(root.lang.slice(0, 2));
  for (const key of ['theme', 'embed', 'view']) keys.delete(key);
  if (lang === keys.get('lang')) keys.delete('lang');
  if (!foreign && [...keys].length === 0) return;
  root.dataset.pending = foreign ? 'all' : '';
  setTimeout(() => {
    if (!('pending' in root.dataset)) return;
    delete root.dataset.pending;
    document.getElementById('failed').hidden = false;
  }, 15000);
})();
