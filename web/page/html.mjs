// Markup as text, escaped by default: the build writes it into files, the page into regions.
class Markup {
  kind = 'markup';
  constructor(text) {
    this.text = text;
  }
  toString() {
    return this.text;
  }
}

const escapes = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function show(value) {
  // By kind, not by class: scripts that load later have classes of their own.
  if (value?.kind === 'markup') return value.text;
  if (value?.kind === 'figure') {
    const unit = value.unit ? `<span class="unit">${value.gap}${show(value.unit)}</span>` : '';
    return `<span class="figure">${show(value.number)}${unit}</span>`;
  }
  if (value?.kind === 'name') return `<span class="name">${show(value.text)}</span>`;
  if (Array.isArray(value)) return value.map(show).join('');
  if (value === null || value === undefined || value === false) return '';
  return String(value).replace(/[&<>"]/g, (c) => escapes[c]);
}

export function html(strings, ...values) {
  return new Markup(String.raw({ raw: strings }, ...values.map(show)));
}
