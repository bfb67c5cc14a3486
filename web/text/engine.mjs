// What the chosen engine will do on the chosen GPUs, as its own log will say it: in which state it ends, the lines of that log, each
// use of memory with its range, and what stands against a plain yes.
import { rangeText } from './compartments.mjs';
import { ownUnit } from './format.mjs';
import { causeText, reasonText } from './reasons.mjs';
import { sourceTitle } from './terms.mjs';

export const engineName = ({ engine }, { t }) => t(`choice.engine.${engine.id}`);

// Its blocks come out of a pool; the others reserve exactly what they are asked for.
export const hasPool = ({ engine }) => engine.pool_bytes.likely > 0 || engine.budget_bytes > 0;

const cacheIds = ['kv_cache', 'state'];
// Whose choices the eras are.
const eraFields = { vllm: 'vllm_version', sglang: 'sglang_version', transformers: 'transformers_version' };
const sumOf = (compartments, wanted, end = 'likely') => compartments.filter(wanted).reduce((sum, c) => sum + c.per_gpu_bytes[end], 0);

// A whole number as it is, others to a hundredth.
const most = (value, { format }) => format.number(value, value < 100 ? 2 : 0);

// What the sentences about a cause put in.
function causeValues(result, text) {
  const { t, format } = text;
  const { engine, inputs, chosen } = result;
  const { compartments, layouts } = result.methods.engine;
  const own = ownUnit('engine');
  const bytes = (value) => format.bytes(value, own);
  const budget = engine.budget_bytes || engine.usable_bytes;
  const fixed = (c) => !cacheIds.includes(c.id) && (!hasPool(result) || c.place === 'inside');
  const field = (value) => ({ value: format.number(value), number: value });
  const values = {
    weights: bytes(sumOf(compartments, (c) => ['weights', 'draft', 'adapters'].includes(c.id))),
    fixed: bytes(sumOf(compartments, fixed)),
    cache: bytes(sumOf(compartments, (c) => cacheIds.includes(c.id))),
    beside: bytes(sumOf(compartments, (c) => c.place === 'beside' || c.place === 'before')),
    rest: bytes(Math.max(0, engine.usable_bytes - budget)),
    budget: bytes(budget),
    capacity: bytes(engine.usable_bytes),
    host: bytes(engine.host_bytes.likely),
    high: bytes(layouts[(chosen?.count ?? 1) - 1].need_bytes.high),
    engine: t(`choice.engine.${engine.id}`),
    blocks: format.number(engine.num_blocks),
    most: most(engine.max_concurrency.likely, text),
  };
  const counted = { longest: engine.longest_context, context: inputs.context, sequences: inputs.sequences, seqs: engine.max_num_seqs, tokens: inputs.context * inputs.sequences };
  for (const [name, number] of Object.entries(counted)) values[name] = field(number).value;
  return { values, numbers: { ...counted, most: engine.max_concurrency.likely } };
}

// {state, cause, says}: how it ends on the chosen GPUs, in a sentence.
function ending(result, names, text) {
  const { t, has, format } = text;
  const { chosen, engine } = result;
  if (!chosen) return { state: 'none', cause: null, says: null };
  const row = result.fit.find(({ gpu }) => gpu === chosen.gpu);
  const cause = row.causes?.[chosen.count - 1] || null;
  const { values, numbers } = causeValues(result, text);
  if (chosen.verdict === 'unusable') {
    const { reason_number: number = 0 } = result.methods.engine.layouts[chosen.count - 1];
    return { state: 'none', cause, says: t('engine.unusable', { gpus: `${chosen.count}x ${names.short(chosen.gpu)}`, reason: reasonText(cause, number, [chosen.count], text) }) };
  }
  if (chosen.verdict === 'fits') {
    if (engine.max_concurrency.likely > 0) return { state: 'fits', cause: null, says: t('engine.fits', values, numbers) };
    if (engine.longest_context > 0) return { state: 'fits', cause: null, says: t('engine.fits_longest', values, numbers) };
    const free = Math.max(0, engine.usable_bytes - engine.reported_bytes.likely);
    return { state: 'fits', cause: null, says: t('engine.fits_exact', { free: format.bytes(free, ownUnit('engine')) }) };
  }
  if (chosen.verdict === 'tight' && cause !== 'many-requests') return { state: 'tight', cause, says: t('engine.may_fail', { ...values, cause: causeText(cause, text) }) };
  const state = chosen.verdict === 'tight' ? 'tight' : 'none';
  return { state, cause, says: has(`because.${cause}`) ? t(`because.${cause}`, values, numbers) : causeText(cause, text) };
}

// The lines that a start-up log would have: [{id, label, value, range}].
function logLines(result, text) {
  const { t, format } = text;
  const { engine, inputs, model } = result;
  const { compartments } = result.methods.engine;
  const own = ownUnit('engine');
  const part = (id) => compartments.find((c) => c.id === id)?.per_gpu_bytes;
  const lines = [];
  const line = (id, value, range = null, values = {}, numbers = values) => lines.push({ id, label: t(`engine.log.${id}`, values, numbers), value, range });
  const bytes = (id, range, values) => range && range.high > 0 && line(id, format.bytes(range.likely, own), rangeText(range, own, text), values);
  const count = (id, range, write, values) => {
    if (range.high <= 0) return;
    const [low, high] = [write(range.low), write(range.high)];
    line(id, write(range.likely), low === high ? null : t('page.range', { low, high }), values);
  };
  const exact = (value) => ({ low: value, likely: value, high: value });
  const whole = (value) => format.number(value);
  const pooled = hasPool(result);
  bytes('usable', exact(engine.usable_bytes));
  if (engine.budget_bytes > 0) bytes(engine.id === 'vllm' ? 'budget' : 'budget_free', exact(engine.budget_bytes), { percent: format.percent(engine.memory_share * 100) });
  bytes('weights', part('weights'));
  if (pooled) {
    bytes('pool', engine.pool_bytes);
    count('tokens', engine.tokens, whole);
    count('concurrency', engine.max_concurrency, (value) => most(value, text), { context: whole(inputs.context) });
    if (engine.num_blocks > 0) line('blocks', whole(engine.num_blocks), null, { tokens: whole(engine.block_tokens) }, { tokens: engine.block_tokens });
  } else {
    bytes('kv_cache', part('kv_cache'));
    bytes('state', part('state'));
    bytes('compute', part('activations'));
  }
  if (engine.longest_context > 0) line('longest', whole(engine.longest_context));
  if (engine.gpu_layers > 0) line('gpu_layers', t('engine.log.gpu_layers_of', { layers: whole(Math.min(engine.gpu_layers, model.num_layers + 1)), all: whole(model.num_layers + 1) }));
  bytes('host', engine.host_bytes);
  if (['fits', 'tight'].includes(result.chosen?.verdict)) bytes('reported', engine.reported_bytes);
  const by_default = engine.limits_source && t('engine.log.by_default', { source: sourceTitle(engine.limits_source, text) });
  for (const id of ['max_num_seqs', 'max_num_batched_tokens']) if (engine[id] > 0) line(id, whole(engine[id]), (!inputs[id] && by_default) || null);
  const parallel = [engine.tensor_parallel, engine.pipeline_parallel, engine.data_parallel];
  if (parallel.slice(1).some((n) => n > 1)) line('parallel', parallel.map(whole).join(' × '));
  return lines;
}

// What the GPUs hold: one stack of pieces for all, or for each that differs, and what the pool holds beyond the requests.
function stacks(result, count) {
  const { engine, methods: { engine: { compartments } } } = result;
  const differ = compartments.some((c) => c.rank_bytes);
  return Array.from({ length: differ ? count : 1 }, (_, i) => {
    const pieces = compartments.map((c) => ({ id: c.id, bytes: c.rank_bytes?.[i] ?? c.per_gpu_bytes.likely }));
    const cached = pieces.filter(({ id }) => cacheIds.includes(id)).reduce((sum, { bytes }) => sum + bytes, 0);
    const spare = engine.pool_bytes.likely - cached;
    if (spare > 0) pieces.push({ id: 'pool', bytes: spare });
    return { number: differ ? i + 1 : null, pieces, sum: pieces.reduce((sum, { bytes }) => sum + bytes, 0) };
  });
}

// `view` is viewOf()'s for `result`, which goes by the engine method and is not refused.
export function explainEngine(result, view, names, text) {
  const { t } = text;
  const { engine, chosen } = result;
  const name = engineName(result, text);
  const gpus = chosen ? `${chosen.count}x ${names.short(chosen.gpu)}` : t('answer.gpus', { count: view.compartments.count });
  const end = ending(result, names, text);
  return {
    name,
    on: engine.era ? t('engine.on_era', { engine: name, era: t(`choice.${eraFields[engine.id] ?? 'llama_cpp_build'}.${engine.era}`), gpus }) : t('engine.on', { engine: name, gpus }),
    ...end,
    log: logLines(result, text),
    usable: engine.usable_bytes,
    stacks: stacks(result, view.compartments.count),
  };
}
