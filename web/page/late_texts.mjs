// The texts of what loads late: `text` with the named parts of the locale beside it.
import { createText } from '../text/text.mjs';

export async function lateTexts(text, site, parts) {
  const late = createText(Object.assign({}, ...(await Promise.all(parts.map((part) => site.locale(text.lang, part))))), text.lang, { formats: text.formats });
  const holder = (key) => (late.has(key) ? late : text);
  return {
    ...text,
    has: (key) => holder(key).has(key),
    parts: (key, ...more) => holder(key).parts(key, ...more),
    t: (key, ...more) => holder(key).t(key, ...more),
  };
}
