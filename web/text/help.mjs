// What to do when the answer is not a plain yes, or not a whole one.
const engineSettings = ['max_model_len', 'max_num_seqs', 'kv_cache_dtype', 'tensor_parallel', 'quantization', 'p95'];

// {title, items, note} or null. `answer` is {state, key}.
export function createHelp(answer, result, names, own, text) {
  const { t, format } = text;
  // What an engine lacks is said late, with what would settle it.
  if (answer.state === 'refused' || result.method === 'engine') return null;
  const next = result.best && `${result.best.count}x ${names.short(result.best.gpu)}`;
  const note = next && t('help.next_size', { gpus: next });
  if (answer.key === 'answer.fits_or_tight') return { title: note, items: [] };
  if (answer.state === 'tight') {
    const items = result.inputs.task === 'serve' ? engineSettings.map((id) => t(`help.${id}`)) : [];
    return items.length ? { title: t('help.tight'), items, note } : note && { title: note, items };
  }
  if (answer.state !== 'none') return null;
  const items = [];
  const total = result.methods.rule.total_bytes.likely;
  const lower = result.precision.filter((p) => p.total_bytes < total * 0.99);
  const holds = lower.find((p) => p.pick);
  if (holds) {
    items.push(t('help.none.precision', {
      weights: t(`choice.weights.${holds.weights}`), total: format.bytes(holds.total_bytes, 'GB'),
      gpus: `${holds.pick.count}x ${names.short(holds.pick.gpu)}`,
    }));
  } else if (lower.length) {
    const last = lower.at(-1);
    items.push(t('help.none.precision_smaller', { weights: t(`choice.weights.${last.weights}`), total: format.bytes(last.total_bytes, 'GB') }));
  }
  const cache = result.methods.worksheet.compartments.find((c) => c.id === 'kv_cache');
  if (cache && cache.total_bytes.likely > 0.2 * result.methods.worksheet.total_bytes.likely) {
    items.push(t('help.none.cache', { cache: format.bytes(cache.total_bytes.likely, own) }));
  }
  if (result.inputs.task === 'full') items.push(t('help.none.method'));
  if (result.inputs.gpus !== 'all') items.push(t('help.none.set'));
  if (!result.inputs.gpu) items.push(t('help.none.hosts'));
  return items.length ? { title: t('help.none'), items } : null;
}

// What is not counted and what to do about it, or null.
export const incompleteText = (missing, { t, format }) => (missing.length ? t('help.incomplete', { missing: format.list(missing.map((id) => t(`compartment.${id}`)), 'conjunction') }) : null);
