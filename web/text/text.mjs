// All that writing in one language takes: its messages and its figures.
import { createFormat } from './format.mjs';
import { createMessages } from './messages.mjs';

export function createText(locale, lang, { units = 'auto', strict = false } = {}) {
  return { ...createMessages(locale, lang, { strict }), format: createFormat(lang, units) };
}
