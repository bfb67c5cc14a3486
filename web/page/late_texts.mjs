// The texts of what loads late: `text` with the named parts of the locale beside it.
import { createMessages } from '../text/messages.mjs';

export async function lateTexts(text, site, parts) {
  const late = createMessages(Object.assign({}, ...(await Promise.all(parts.map((part) => site.locale(text.lang, part))))), text.lang, { figure: (digits) => text.format[digits.endsWith('%') ? 'percent' : 'number'](parseFloat(digits), 2) });
  const holder = (key) => (late.has(key) ? late : text);
  return {
    ...text,
    has: (key) => holder(key).has(key),
    parts: (key, ...more) => holder(key).parts(key, ...more),
    t: (key, ...more) => holder(key).t(key, ...more),
  };
}
