// How several GPUs share it, and where they do not hold the same, what each holds.
export function splitText({ split, compartments }, count, own, { t, format }) {
  if (count === 1) return null;
  const ranks = Array.from({ length: count }, (_, i) => compartments.reduce((sum, c) => sum + (c.rank_bytes?.[i] ?? c.per_gpu_bytes.likely), 0));
  const each = compartments.some((c) => c.rank_bytes) && t('page.compartments.ranks', { list: format.list(ranks.map((bytes) => format.bytes(bytes, own)), 'conjunction') });
  return [t(`split.${split}`), each].filter(Boolean).join(' ');
}
