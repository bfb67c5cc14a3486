// Markup as text, escaped by default: the build writes it into files, the page into regions.
import { Figure, Name } from '../text/format.mjs';

class Markup {
  constructor(text) {
    this.text = text;
  }
  toString() {
    return this.text;
  }
}

const escapes = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function show(value) {
  if (value instanceof Markup) return value.text;
  if (value instanceof Figure) {
    const unit = value.unit ? `<span class="unit">${value.gap}${show(value.unit)}</span>` : '';
    return `<span class="figure">${show(value.number)}${unit}</span>`;
  }
  if (value instanceof Name) return `<span class="name">${show(value.text)}</span>`;
  if (Array.isArray(value)) return value.map(show).join('');
  if (value === null || value === undefined || value === false) return '';
  return String(value).replace(/[&<>"]/g, (c) => escapes[c]);
}

export function html(strings, ...values) {
  return new Markup(String.raw({ raw: strings }, ...values.map(show)));
}
