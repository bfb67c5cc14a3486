// The fit table in words: one row per GPU, best first, and once for all what excludes a count.
import { priceNote } from './price_note.mjs';
import { causeText, exclusion, reasonsByCount } from './reasons.mjs';
import { bestFirst, smallestOf } from './smallest.mjs';

export function fitRows(result, catalog, names, own, text) {
  const { t, format } = text;
  const { layouts } = result.methods[result.method];
  const rows = result.fit.map((row) => {
    const gpu = names.entry(row.gpu);
    const short = names.short(row.gpu);
    const counts = row.verdicts.map((verdict, i) => {
      const known = verdict === 'fits' || verdict === 'tight' || verdict === 'does-not-fit';
      const why = known ? causeText(row.causes?.[i], text) : null;
      const words = known ? t(`verdict.${verdict}`) + (why ? `, ${why}` : '') : `${t('verdict.unusable')}, ${exclusion(row, i + 1, layouts[i], gpu, text)}`;
      return {
        count: i + 1,
        verdict: known ? verdict : 'unusable',
        reason: known ? null : verdict,
        cause: why,
        label: t('page.fit.choose', { gpus: `${i + 1}x ${short}`, verdict: words }),
        chosen: result.chosen?.gpu === row.gpu && result.chosen.count === i + 1,
      };
    });
    const smallest = smallestOf(row, layouts, short, own, text);
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
      // Of the smallest that is only tight, or the largest that does not hold it.
      why: (smallest ? counts[smallest.count - 1] : counts.findLast((c) => c.verdict !== 'unusable'))?.cause || null,
      limit: limit ? t('reason.node-limit', { count: limit }) : null,
      capacity: row.capacity_bytes,
    };
  });
  return bestFirst(rows);
}

export const layoutNotes = (result, text) => reasonsByCount(result.methods[result.method], text).map((g) => g.text);
