// The answer in one sentence.
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
  const need = parts(`answer.need.${result.method}${method.missing.length ? '.least' : ''}`, { need: format.bytes(method.total_bytes.likely, own), engine: result.method === 'engine' && t(`choice.engine.${result.engine.id}`) });
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
      return say('none', { gpus, reason: exclusion(row, count, layout, names.entry(chosen.gpu), text) }, 'chosen_unusable');
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
