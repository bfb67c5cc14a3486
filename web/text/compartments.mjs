// What fills one GPU.

export function rangeText(range, own, { t, format }) {
  const low = String(format.bytes(range.low, own));
  const high = String(format.bytes(range.high, own));
  return low === high ? null : t('page.range', { low, high });
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
  }));
  return { rows, sum, sumAll: method.compartments.reduce((total, c) => total + c.total_bytes.likely, 0) };
}
