// What fills one GPU, with the arithmetic behind each use.

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

export function rangeText(range, own, { t, format }) {
  const low = String(format.bytes(range.low, own));
  const high = String(format.bytes(range.high, own));
  return low === high ? null : t('page.range', { low, high });
}

// How several GPUs share it, and where they do not hold the same, what each holds.
export function splitText({ split, compartments }, count, own, { t, format }) {
  if (count === 1) return null;
  const ranks = Array.from({ length: count }, (_, i) => compartments.reduce((sum, c) => sum + (c.rank_bytes?.[i] ?? c.per_gpu_bytes.likely), 0));
  const each = compartments.some((c) => c.rank_bytes) && t('page.compartments.ranks', { list: format.list(ranks.map((bytes) => format.bytes(bytes, own)), 'conjunction') });
  return [t(`split.${split}`), each].filter(Boolean).join(' ');
}

export function compartmentRows(result, own, text) {
  const method = result.methods[result.method];
  const sum = method.compartments.reduce((total, c) => total + c.per_gpu_bytes.likely, 0);
  const rows = method.compartments.map((c) => ({
    id: c.id,
    label: text.t(`compartment.${c.id}`),
    bytes: c.per_gpu_bytes.likely,
    low: c.per_gpu_bytes.low,
    high: c.per_gpu_bytes.high,
    perGpu: text.format.bytes(c.per_gpu_bytes.likely, own),
    all: text.format.bytes(c.total_bytes.likely, own),
    range: rangeText(c.per_gpu_bytes, own, text),
    share: text.format.share(sum > 0 ? c.per_gpu_bytes.likely / sum : 0),
    terms: c.terms.map((term) => ({
      text: termText(term, own, text),
      bytes: text.format.bytes(term.bytes.likely, own),
      source: [term.source, term.format_source].filter(Boolean).map((id) => sourceTitle(id, text)).join('; '),
    })),
  }));
  return { rows, sum, sumAll: method.compartments.reduce((total, c) => total + c.total_bytes.likely, 0) };
}
