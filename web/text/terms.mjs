// The arithmetic behind each use of memory.

// How each value in a formula is written. Sizes and counts not named here are plain whole numbers.
const writers = {
  params: (v, f) => f.params(v),
  bytes_per_param: (v, f) => f.number(v, 3),
  bits_per_param: (v, f) => f.number(v, 2),
  bytes_per_element: (v, f) => f.number(v, 4),
  bytes_per_token: (v, f) => f.number(v, 1),
  gb_per_billion: (v, f) => f.number(v, 2),
  percent: (v, f) => f.percent(v),
  bytes: (v, f, own) => f.bytes(v, own),
  state_bytes: (v, f, own) => f.bytes(v, own),
};

export function termText(term, own, { t, format }) {
  const values = Object.entries(term.values).map(([name, v]) => [name, (writers[name] ?? ((x, f) => f.number(x, 2)))(v, format, own)]);
  return t(`formula.${term.formula}`, Object.fromEntries(values), term.values);
}

export const sourceTitle = (id, { t, has }) => (has(`cite.${id}`) ? t(`cite.${id}`) : t('cite.other', { id }));

export const termRows = (terms, own, text) => terms.map((term) => ({
  text: termText(term, own, text),
  bytes: text.format.bytes(term.bytes.likely, own),
  source: [term.source, term.format_source].filter(Boolean).map((id) => sourceTitle(id, text)).join('; '),
}));
