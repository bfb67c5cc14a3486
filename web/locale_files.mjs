// The locale files as they lie in the tree. A language's texts are in parts: <lang>.json has what an answer needs, the others,
// <part>.<lang>.json, what is loaded late or stands on pages of its own. A message is in one part only.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { addMessages } from './text/messages.mjs';

const folder = join(dirname(fileURLToPath(import.meta.url)), 'locales');

// Parts beside the first.
export const localeParts = readdirSync(folder).map((file) => file.match(/^(\w+)\.en\.json$/)?.[1]).filter(Boolean).sort();

// One part, the first when none is named: {namespace: {id: message}}.
export const readLocale = (lang, part = '') => JSON.parse(readFileSync(join(folder, `${part && `${part}.`}${lang}.json`), 'utf8'));

// Of the choices those that createMessages() would not name by itself: for what readers download.
export const namedChoices = (choices) => Object.fromEntries(Object.entries(choices).filter(([id, name]) => name !== id.slice(id.lastIndexOf('.') + 1).toUpperCase()));

// The first part and those named.
export const readLocales = (lang, parts = localeParts) => parts.map((part) => readLocale(lang, part)).reduce(addMessages, readLocale(lang));
