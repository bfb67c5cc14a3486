// Reads a number as people write it, in either decimal style, and gives the text the share string takes; null when it is none.
//
// "1.5" and "1,5" are one and a half; "1,234.5" and "1.234,5" agree too. A lone mark before exactly three digits is a thousands mark
// where only whole numbers make sense ("131,072" tokens), and a decimal mark elsewhere.
export function readNumber(kind, whole, typed) {
  const text = typed.trim().toLowerCase().replace(/[\s_'’]/g, '');
  const match = text.match(/^(\d[\d.,]*|[.,]\d+)([kmbt]?)$/);
  if (!match) return null;
  let [, digits, suffix] = match;
  if (suffix && (kind === 'number' || (kind === 'tokens' && 'bt'.includes(suffix)))) return null;
  const marks = digits.match(/[.,]/g) ?? [];
  const last = marks.at(-1);
  if (marks.length > 0) {
    const mixed = marks.some((m) => m !== last);
    const grouped = !mixed && (marks.length > 1 || (!suffix && (whole || kind === 'params') && /^[1-9]\d{0,2}[.,]\d{3}$/.test(digits)));
    if (mixed && marks.filter((m) => m === last).length > 1) return null;
    const split = grouped ? digits.length : digits.lastIndexOf(last);
    const before = digits.slice(0, split);
    if (/[.,]/.test(before) && !/^\d{1,3}([.,]\d{3})+$/.test(before)) return null;
    digits = before.replace(/[.,]/g, '') + (grouped ? '' : `.${digits.slice(split + 1)}`);
  }
  if (digits.startsWith('.')) digits = `0${digits}`;
  return digits.replace(/\.$/, '') + suffix;
}
