// All that writing in one language takes: its messages and its figures.
import { createFormat } from './format.mjs';
import { createMessages } from './messages.mjs';

// `formats`: the tag whose region writes the figures.
export function createText(locale, lang, { units = 'auto', strict = false, formats = lang } = {}) {
  const format = createFormat(lang, units, formats);
  const figure = (digits) => format[digits.endsWith('%') ? 'percent' : 'number'](parseFloat(digits), 2);
  return { ...createMessages(locale, lang, { strict, figure }), formats, format };
}
