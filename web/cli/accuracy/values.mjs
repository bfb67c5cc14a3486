// Reading values that may be null, missing, text or plain wrong.
export const gib = 2 ** 30;
export const mib = 2 ** 20;

export const number_of = (v) => (typeof v === 'number' && Number.isFinite(v) ? v : null);
export const positive = (v) => (number_of(v) > 0 ? v : null);
export const text_of = (v) => (typeof v === 'string' && v.trim() ? v.trim() : null);
export const object_of = (v) => (v && typeof v === 'object' && !Array.isArray(v) ? v : {});

// A whole number above zero, from a number or from text such as "<=8" or "4".
export function count_of(v) {
  const n = typeof v === 'string' ? Number(/\d+/.exec(v)?.[0] ?? NaN) : v;
  return positive(n) && Number.isInteger(n) ? n : null;
}

// Logs of other locales print "84,604 GiB".
const with_point = (v) => (text_of(v) ?? '').replace(/(\d),(\d)/, '$1.$2');

// "8.03 B", "235.094B" -> parameters.
export function params_of(v) {
  const m = /(\d+(?:\.\d+)?)\s*([MBT])/i.exec(with_point(v));
  return m ? Number(m[1]) * { m: 1e6, b: 1e9, t: 1e12 }[m[2].toLowerCase()] : null;
}

// "4.58 GiB", "6405 MiB", "495 MB" -> bytes. Tools that print "GB" here divide by 2^30 only when they say GiB.
export function bytes_of(v) {
  const m = /(\d+(?:\.\d+)?)\s*(TiB|GiB|MiB|TB|GB|MB)/.exec(with_point(v));
  return m ? Number(m[1]) * { TiB: 2 ** 40, GiB: gib, MiB: mib, TB: 1e12, GB: 1e9, MB: 1e6 }[m[2]] : null;
}

// Half a unit of a printed figure's last digit, as a share of it: what a measured value may be off by rounding alone.
export function rounding_of(v) {
  if (number_of(v) === null || v === 0) return 0;
  const decimals = /\.(\d+)$/.exec(String(v))?.[1].length ?? 0;
  return (0.5 * 10 ** -decimals) / Math.abs(v);
}
