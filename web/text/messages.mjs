// Looks sentences up and fills them in. A message is a text with {names}, or one text per plural form chosen by {count}. Within a
// text, {name:one|other} is the word that goes with that name's number, taken from `numbers` where the value itself is text already.
// {14.5} and {20%} are figures of the message's own, which `figure` writes as the reader's region does.
// Figures pass through `parts` whole, so that a page can set number and unit apart.
import { writable } from './format.mjs';

export function createMessages(locale, lang, { strict = false, figure = String } = {}) {
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
      if (strict) throw new Error(`${lang}: no ${key}`);
      // Most formats are called by their id in capitals; the texts that readers download leave those out.
      const id = key.slice(key.lastIndexOf('.') + 1);
      return [key.startsWith('choice.') ? id.toUpperCase() : id];
    }
    if (typeof message === 'object') message = message[plurals.select(Number(values.count))] ?? message.other;
    return message.split(/\{(\w+(?::[^}]*)?|[\d.]+%?)\}/).map((piece, i) => {
      if (i % 2 === 0) return piece;
      if (/^\d/.test(piece)) return figure(piece);
      const [name, words] = piece.split(':');
      if (strict && values[name] === undefined) throw new Error(`${lang}: no ${name} for ${key}`);
      if (words) return words.split('|')[plurals.select(Number(numbers[name])) === 'one' ? 0 : 1];
      return values[name] ?? '';
    }).flat().filter((piece) => piece !== '');
  }

  return { lang, parts, has: (key) => find(key) !== undefined, t: (...args) => parts(...args).join('') };
}

// Adds to a locale the messages of another part of it.
export function addMessages(locale, part) {
  for (const namespace in part) locale[namespace] = { ...locale[namespace], ...part[namespace] };
  return locale;
}

// The languages, and where each has its page.
export const languages = [
  { lang: 'en', name: 'English', path: '' },
  { lang: 'es', name: 'Español', path: 'es/' },
  { lang: 'pt-BR', name: 'Português', path: 'pt-br/' },
];

// The language meant by `wanted` ("pt", "es-MX"), or null.
export function matchLanguage(wanted) {
  const [base] = String(wanted).toLowerCase().split('-');
  return languages.find(({ lang }) => lang.slice(0, 2) === base)?.lang ?? null;
}

// What to speak: `lang`, one of the languages above, and `formats`, the tag whose region writes the figures ("es-MX"). `asked` is
// what a link, an option or an attribute says; `heard` the reader's own tags, best first; `own` the language of the page that speaks,
// if it has one. Who asked for a language without a region gets the reader's.
export function resolveLanguage(asked, heard = [], own) {
  const [lang] = [matchLanguage(asked), own, ...heard.map(matchLanguage), 'en'].filter(Boolean);
  return { lang, formats: [asked, ...heard].find((tag) => matchLanguage(tag) === lang && tag.includes('-') && writable(tag)) ?? lang };
}
