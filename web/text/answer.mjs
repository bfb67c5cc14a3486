// The answer in one sentence, and what to do when it is not a plain yes.
import { Name } from './format.mjs';
import { modelName } from './names.mjs';
import { exclusion } from './reasons.mjs';
import { noticeText } from './notices.mjs';

const namedSets = ['article', 'datacenter', 'workstation', 'consumer', 'apple'];

function setText(result, catalog, { t }) {
  const { gpus, gpu } = result.inputs;
  if (gpus === 'all') return t('answer.set.all', { count: catalog.gpus.length });
  return t(namedSets.includes(gpus) && !gpu ? `answer.set.${gpus}` : 'answer.set.other');
}

// Picks that satisfy `verdict`, smallest first: fewest GPUs, then least memory.
function smallest(result, verdict) {
  let best = null;
  for (const row of result.fit) {
    const count = row.verdicts.indexOf(verdict) + 1;
    if (!count) continue;
    const offer = { gpu: row.gpu, count, bytes: count * row.capacity_bytes };
    if (!best || count < best.count || (count === best.count && offer.bytes < best.bytes)) best = offer;
  }
  return best;
}

function largest(result) {
  let most = null;
  for (const row of result.fit) {
    const count = row.verdicts.lastIndexOf('does-not-fit') + 1;
    if (count && (!most || count * row.capacity_bytes > most.bytes)) most = { gpu: row.gpu, count, bytes: count * row.capacity_bytes };
  }
  return most;
}

export function createAnswer(result, catalog, names, own, text) {
  const { t, parts, format } = text;
  if (result.refused) {
    const error = result.notices.find((n) => n.severity === 'error');
    return { state: 'refused', key: 'answer.refused', values: { reason: error ? noticeText(error, names, text) : '' } };
  }
  const { inputs, chosen } = result;
  const method = result.methods[result.method];
  const call = (pick) => new Name(`${pick.count}x ${names.short(pick.gpu)}`);
  const what = t(`answer.what.${inputs.task}`, { model: modelName(result, text), weights: t(`choice.weights.${result.weights}`) });
  const need = parts(`answer.need.${result.method}${method.missing.length ? '.least' : ''}`, { need: format.bytes(method.total_bytes.likely, own) });
  const base = { what, need, set: setText(result, catalog, text) };
  const say = (state, values = {}, key = state) => ({ state, key: `answer.${key}`, values: { ...base, ...values } });

  if (inputs.gpu || inputs.count) {
    if (!chosen) {
      if (inputs.count) return say('none', { count: t('answer.gpus', { count: inputs.count }) }, 'none_at');
    } else {
      const { count } = chosen;
      const row = result.fit.find((r) => r.gpu === chosen.gpu);
      const layout = method.layouts[count - 1];
      const gpus = call(chosen);
      if (chosen.verdict === 'fits') return say('fits', { gpus }, 'chosen_fits');
      if (chosen.verdict === 'tight') return say('tight', { gpus });
      if (chosen.verdict === 'does-not-fit') {
        return say('none', { gpus, per_gpu: format.bytes(layout.need_bytes.likely, own), capacity: format.bytes(row.capacity_bytes, own) }, 'chosen_short');
      }
      return say('none', { gpus, reason: exclusion(row.verdicts[count - 1], count, layout, names.entry(chosen.gpu), text) }, 'chosen_unusable');
    }
  }
  const tight = smallest(result, 'tight');
  const fits = smallest(result, 'fits');
  if (fits && tight && (tight.count < fits.count || (tight.count === fits.count && tight.bytes < fits.bytes))) {
    return say('fits', { gpus: call(result.best), tight: call(tight) }, 'fits_or_tight');
  }
  if (fits) return say('fits', { gpus: call(result.best) });
  if (tight) return say('tight', { gpus: call(tight) });
  const most = largest(result);
  return say('none', most ? { gpus: call(most), capacity: format.bytes(most.bytes, own) } : { count: t('answer.gpus', { count: inputs.count || 1 }) }, most ? 'none' : 'none_at');
}

const engineSettings = ['max_model_len', 'max_num_seqs', 'kv_cache_dtype', 'tensor_parallel', 'quantization', 'p95'];

// {title, items, note} or null.
export function createHelp(answer, result, names, own, text) {
  const { t, format } = text;
  if (answer.state === 'refused') return null;
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
  return { title: t('help.none'), items };
}

// What is not counted and what to do about it, or null.
export const incompleteText = (missing, { t, format }) => (missing.length ? t('help.incomplete', { missing: format.list(missing.map((id) => t(`compartment.${id}`)), 'conjunction') }) : null);
