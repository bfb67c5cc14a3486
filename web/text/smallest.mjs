// The smallest number of each GPU that holds the model, and which of them come first.

// {count, verdict, gpus, room, free, cost, share, usd} or null. `row` is one of result.fit, `layouts` those of the method in use.
export function smallestOf(row, layouts, short, own, { t, format }) {
  const verdict = ['fits', 'tight'].find((wanted) => row.verdicts.includes(wanted));
  if (!verdict) return null;
  const count = row.verdicts.indexOf(verdict) + 1;
  const free = row.capacity_bytes - (row.need_bytes?.[count - 1] ?? layouts[count - 1].need_bytes.likely);
  const usd = row.price ? row.price.usd_per_gpu_hour * count : Infinity;
  return {
    count,
    verdict,
    gpus: `${count}x ${short}`,
    room: free > 0 ? format.bytes(free, own) : null,
    free: free > 0 ? t('page.fit.headroom', { free: format.bytes(free, own), percent: format.share(free / row.capacity_bytes) }) : t('verdict.tight'),
    cost: row.price ? format.usdPerHour(usd) : null,
    share: free / row.capacity_bytes,
    usd,
  };
}

const rank = { fits: 0, tight: 1 };

// Fewest GPUs first, then the least memory, then the lowest price; those that are only tight after those that fit, and then the rest.
export function bestFirst(rows) {
  const key = ({ smallest, capacity }) => [smallest ? rank[smallest.verdict] : 2, smallest?.count ?? 0, capacity, smallest?.usd ?? 0];
  return rows
    .map((row) => ({ row, key: key(row) }))
    .sort((a, b) => a.key.reduce((d, v, i) => d || (v === b.key[i] ? 0 : v - b.key[i]), 0))
    .map(({ row }) => row);
}
