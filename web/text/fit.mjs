// The fit table in words: one row per GPU, best first, and once for all what excludes a count.

function reasonsByCount({ layouts }, { t, format }) {
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

// Why `count` GPUs of this kind cannot share the model.
export function exclusion(reason, count, layout, gpu, text) {
  return reason === 'node-limit' ? text.t('reason.node-limit', { count: gpu.max_per_node }) : reasonText(reason, layout.reason_number ?? 0, [count], text);
}

// Whose price, of which kind where it is not a plain on-demand offer, and when.
const plainKinds = ['on-demand', 'publisher', 'own'];
function priceNote({ book, provider, kind, date }, { t, has, format }) {
  const who = has(`choice.prices.${book}`) ? t(`choice.prices.${book}`) : provider || book;
  return [who, !plainKinds.includes(kind) && !(book === 'reference') && t(`price_kind.${kind}`), date && format.date(date)].filter(Boolean).join(', ');
}

const rank = { fits: 0, tight: 1 };

export function fitRows(result, catalog, names, own, text) {
  const { t, format } = text;
  const { layouts } = result.methods[result.method];
  const rows = result.fit.map((row) => {
    const gpu = names.entry(row.gpu);
    const short = names.short(row.gpu);
    const counts = row.verdicts.map((verdict, i) => {
      const known = verdict === 'fits' || verdict === 'tight' || verdict === 'does-not-fit';
      const words = known ? t(`verdict.${verdict}`) : `${t('verdict.unusable')}, ${exclusion(verdict, i + 1, layouts[i], gpu, text)}`;
      return {
        count: i + 1,
        verdict: known ? verdict : 'unusable',
        reason: known ? null : verdict,
        label: t('page.fit.choose', { gpus: `${i + 1}x ${short}`, verdict: words }),
        chosen: result.chosen?.gpu === row.gpu && result.chosen.count === i + 1,
      };
    });
    const first = counts.find((c) => c.verdict === 'fits') ?? counts.find((c) => c.verdict === 'tight') ?? null;
    let smallest = null;
    if (first) {
      const free = row.capacity_bytes - layouts[first.count - 1].need_bytes.likely;
      smallest = {
        count: first.count,
        verdict: first.verdict,
        gpus: `${first.count}x ${short}`,
        room: free > 0 ? format.bytes(free, own) : null,
        free: free > 0 ? t('page.fit.headroom', { free: format.bytes(free, own), percent: format.share(free / row.capacity_bytes) }) : t('verdict.tight'),
        cost: row.price ? format.usdPerHour(row.price.usd_per_gpu_hour * first.count) : null,
        share: free / row.capacity_bytes,
        usd: row.price ? row.price.usd_per_gpu_hour * first.count : Infinity,
      };
    }
    const limit = counts.some((c) => c.reason === 'node-limit') ? gpu.max_per_node : 0;
    return {
      id: row.gpu,
      name: gpu.name,
      short,
      vendor: gpu.vendor,
      kind: gpu.form,
      gb: gpu.marketed_gb,
      form: [t(`form.${gpu.form}`), t(`interconnect.${gpu.link}`)].filter(Boolean).join(', '),
      marketed: t('page.fit.marketed', { memory: format.bytes(gpu.marketed_gb * 1e9, 'GB') }),
      usable: t('page.fit.usable', { memory: format.bytes(gpu.usable_mib * 2 ** 20, 'GiB'), basis: t(`basis.${gpu.usable_basis}`) }),
      price: row.price && {
        perGpu: format.usdPerHour(row.price.usd_per_gpu_hour),
        note: priceNote(row.price, text),
      },
      counts,
      smallest,
      limit: limit ? t('reason.node-limit', { count: limit }) : null,
      capacity: row.capacity_bytes,
    };
  });
  const key = (row) => [row.smallest ? rank[row.smallest.verdict] : 2, row.smallest?.count ?? 0, row.capacity, row.smallest?.usd ?? 0];
  return rows
    .map((row) => ({ row, key: key(row) }))
    .sort((a, b) => a.key.reduce((d, v, i) => d || (v === b.key[i] ? 0 : v - b.key[i]), 0))
    .map(({ row }) => row);
}

export const layoutNotes = (result, text) => reasonsByCount(result.methods[result.method], text).map((g) => g.text);
