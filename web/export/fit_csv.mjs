// The fit table as CSV (RFC 4180), for programs: ids, plain numbers with a point, dates as they are in the catalogue. One row per GPU
// in the page's order. web/RESULT.md lists the columns; new ones come at the end.

// A program that opens the file must not take a text for a formula.
const looksLikeFormula = /^[\s\u0000]*[=+\-@|%\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;

function cell(value) {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const text = looksLikeFormula.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

// Dollars to a hundredth of a cent: 3 x 0.1 is no 0.30000000000000004.
const usd = (value) => Math.round(value * 1e4) / 1e4;

function row({ id, name, smallest }, result, link) {
  const { capacity_bytes, price, verdicts } = result.fit.find((fit) => fit.gpu === id);
  const { layouts } = result.methods[result.method];
  const count = smallest?.count ?? null;
  return {
    gpu_id: id,
    gpu_name: name,
    method: result.method,
    capacity_bytes,
    usd_per_gpu_hour: price?.usd_per_gpu_hour,
    price_book: price?.book,
    price_provider: price?.provider,
    price_kind: price?.kind,
    price_date: price?.date,
    ...Object.fromEntries(verdicts.map((verdict, i) => [`verdict_${i + 1}_gpus`, verdict])),
    smallest_count: count,
    smallest_verdict: smallest?.verdict,
    need_bytes_per_gpu: count && layouts[count - 1].need_bytes.likely,
    usd_per_hour: count && price ? usd(price.usd_per_gpu_hour * count) : null,
    catalog_date: result.catalog_date,
    link,
  };
}

// `view` is explain()'s for `result`, which is no refused one.
export function fitCsv({ result, view, link }) {
  const rows = view.fit.map((fit) => row(fit, result, link));
  return [Object.keys(rows[0]), ...rows.map(Object.values)].map((cells) => `${cells.map(cell).join(',')}\r\n`).join('');
}
