// Quantiles and grouping.
export function quantile(values, q) {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * q;
  const low = Math.floor(at);
  const high = Math.ceil(at);
  return sorted[low] + (sorted[high] - sorted[low]) * (at - low);
}

export function group_by(items, key) {
  const groups = new Map();
  for (const item of items) {
    const k = key(item);
    if (!groups.has(k)) groups.set(k, []);
    groups.get(k).push(item);
  }
  return groups;
}

export function comparison_groups(comparisons, keys = ['kind', 'engine', 'compartment', 'method', 'basis']) {
  return [...group_by(comparisons, (c) => keys.map((k) => c[k]).join('\t')).values()]
    .map((items) => ({
      ...Object.fromEntries(keys.map((k) => [k, items[0][k]])),
      count: items.length,
      median_error: quantile(
        items.map((c) => c.error),
        0.5,
      ),
      p90_error: quantile(
        items.map((c) => c.error),
        0.9,
      ),
      // In the figure's own unit: a pool's error matters in bytes.
      median_difference: quantile(
        items.map((c) => Math.abs(c.predicted.likely - c.measured)),
        0.5,
      ),
      p90_difference: quantile(
        items.map((c) => Math.abs(c.predicted.likely - c.measured)),
        0.9,
      ),
      within_2_percent: items.filter((c) => c.error <= 0.02).length / items.length,
      median_bias: quantile(
        items.map((c) => c.bias),
        0.5,
      ),
      coverage: items.filter((c) => c.covered).length / items.length,
      median_width: quantile(
        items.map((c) => c.width),
        0.5,
      ),
      items,
    }))
    .sort((a, b) => keys.reduce((order, k) => order || (a[k] < b[k] ? -1 : a[k] > b[k] ? 1 : 0), 0));
}

export function verdict_groups(verdicts, keys) {
  return [...group_by(verdicts, (v) => keys.map((k) => v[k] ?? '').join('\t')).values()]
    .map((items) => {
      const of = (expected) => items.filter((v) => v.expected === expected);
      const right = (list) => list.filter((v) => v.outcome === 'right').length;
      return {
        ...Object.fromEntries(keys.map((k) => [k, items[0][k] ?? null])),
        count: items.length,
        right: right(items),
        wrong: items.filter((v) => v.outcome === 'wrong').length,
        margin: items.filter((v) => v.outcome === 'margin').length,
        fits: of('fits').length,
        fits_right: right(of('fits')),
        refused: of('does-not-fit').length,
        refused_right: right(of('does-not-fit')),
        items,
      };
    })
    .sort((a, b) => keys.reduce((order, k) => order || (String(a[k]) < String(b[k]) ? -1 : String(a[k]) > String(b[k]) ? 1 : 0), 0));
}

// The three questions of the engine method's verdicts, over `verdicts` grouped by `keys`. Each count is [right, of].
export function score_groups(verdicts, keys) {
  const ratio = (items, key) => {
    const asked = items.filter((v) => v[key] !== null && v[key] !== undefined);
    return [asked.filter((v) => v[key]).length, asked.length];
  };
  return [...group_by(verdicts, (v) => keys.map((k) => v[k] ?? '').join('\t')).values()]
    .map((items) => ({
      ...Object.fromEntries(keys.map((k) => [k, items[0][k] ?? null])),
      count: items.length,
      not_impossible: ratio(items, 'not_impossible'),
      not_silent: ratio(items, 'not_silent'),
      same_class: ratio(items, 'same_class'),
      items,
    }))
    .sort((a, b) => keys.reduce((order, k) => order || (String(a[k]) < String(b[k]) ? -1 : String(a[k]) > String(b[k]) ? 1 : 0), 0));
}
