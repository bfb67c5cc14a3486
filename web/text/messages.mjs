// Looks sentences up and fills them in. A message is a text with {names}, or one text per plural form chosen by {count}. Within a
// text, {name:one|other} is the word that goes with that name's number, taken from `numbers` where the value itself is text already.
// Figures pass through `parts` whole, so that a page can set number and unit apart.
export function createMessages(locale, lang, { strict = false } = {}) {
  const plurals = new Intl.PluralRules(lang);

  // Ids may hold dots, namespaces do not.
  function find(key) {
    const dot = key.indexOf('.');
    const messages = locale[key.slice(0, dot)];
    const id = key.slice(dot + 1);
    return messages && Object.hasOwn(messages, id) ? messages[id] : undefined;
  }

  function parts(key, values = {}, numbers = values) {
    let message = find(key);
    if (message === undefined) {
      if (strict) throw new Error(`no message "${key}" in ${lang}`);
      return [key.slice(key.lastIndexOf('.') + 1)];
    }
    if (typeof message === 'object') message = message[plurals.select(Number(values.count))] ?? message.other;
    return message.split(/\{(\w+(?::[^}]*)?)\}/).map((piece, i) => {
      if (i % 2 === 0) return piece;
      const [name, words] = piece.split(':');
      if (values[name] === undefined && strict) throw new Error(`message "${key}" in ${lang} needs {${name}}`);
      if (words) return words.split('|')[plurals.select(Number(numbers[name])) === 'one' ? 0 : 1];
      return values[name] ?? '';
    }).flat().filter((piece) => piece !== '');
  }

  return { lang, parts, has: (key) => find(key) !== undefined, t: (...args) => parts(...args).join('') };
}

// The languages, and where each has its page.
export const languages = [
  { lang: 'en', name: 'English', path: '' },
  { lang: 'es', name: 'Español', path: 'es/' },
  { lang: 'pt-BR', name: 'Português', path: 'pt-br/' },
];

// The language meant by `wanted` ("pt", "es-MX"), or null.
export function matchLanguage(wanted) {
  const base = String(wanted ?? '').toLowerCase().split('-')[0];
  return languages.find((l) => l.lang.toLowerCase().split('-')[0] === base)?.lang ?? null;
}
