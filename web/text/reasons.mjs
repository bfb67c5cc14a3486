// Why a number of GPUs cannot share a model.

// Once for all what excludes a count.
export function reasonsByCount({ layouts }, { t, format }) {
  const groups = new Map();
  for (const l of layouts) {
    if (l.usable) continue;
    const key = `${l.reason} ${l.reason_number}`;
    if (!groups.has(key)) groups.set(key, { ...l, counts: [] });
    groups.get(key).counts.push(l.count);
  }
  return [...groups.values()].map((g) => ({ counts: g.counts, text: reasonText(g.reason, g.reason_number, g.counts, { t, format }) }));
}

export function reasonText(reason, number, counts, { t, has, format }) {
  const values = { number: format.number(number), counts: format.list(counts), count: counts.length };
  return t(has?.(`reason.${reason}`) === false ? 'reason.other' : `reason.${reason}`, values);
}

// Why an engine does not hold it; nothing where it does, or by the other methods.
export const causeText = (cause, { t, has }) => (cause ? t(has(`cause.${cause}`) ? `cause.${cause}` : 'cause.other', { id: cause }) : null);

// Why `count` GPUs of this kind cannot share the model.
export function exclusion(row, count, layout, gpu, text) {
  const reason = row.verdicts[count - 1];
  return reason === 'node-limit' ? text.t('reason.node-limit', { count: gpu.max_per_node }) : reasonText(reason, row.cause_numbers?.[count - 1] ?? layout.reason_number ?? 0, [count], text);
}
