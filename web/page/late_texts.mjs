// The texts of what loads late: `text` with the named parts of the locale beside it.
import { createMessages } from '../text/messages.mjs';

async function fetchPart(part, lang, assets) {
  const response = await fetch(new URL(`locales/${part}.${lang}.json`, assets));
  if (!response.ok) throw new Error(`${response.status} ${response.url}`);
  return response.json();
}

export async function lateTexts(text, assets, parts) {
  const late = createMessages(Object.assign({}, ...(await Promise.all(parts.map((part) => fetchPart(part, text.lang, assets))))), text.lang);
  const holder = (key) => (late.has(key) ? late : text);
  return {
    ...text,
    has: (key) => holder(key).has(key),
    parts: (key, ...more) => holder(key).parts(key, ...more),
    t: (key, ...more) => holder(key).t(key, ...more),
  };
}
