// What was predicted against what a log measured, compartment by compartment, and where log and configuration are not about the same.
import { logSettings } from './log_settings.mjs';

const sum = (...ranges) => ranges.filter(Boolean).reduce((a, b) => ({ low: a.low + b.low, likely: a.likely + b.likely, high: a.high + b.high }), { low: 0, likely: 0, high: 0 });
const exactly = (value) => ({ low: value, likely: value, high: value });

// Programs that are one engine's code under another name.
const family = (engine) => (['ollama', 'lm-studio', 'koboldcpp'].includes(engine) ? 'llama.cpp' : engine);

// The answer to hold a log against: `result`, or the same configuration by the engine method where that can be had.
export async function resultForLog(result, calculator) {
  if (result.refused || result.methods.engine?.compartments.length > 0) return result;
  const keys = new URLSearchParams(result.share);
  keys.set('method', 'engine');
  const ask = () => calculator.estimate(keys.toString());
  try {
    let asked = ask();
    const growing = calculator.growFor(asked);
    if (growing) asked = await growing.then(ask);
    return asked.refused ? result : asked;
  } catch {
    return result;  // the full module could not be had
  }
}

// The method whose figures stand against the log's: the engine's, or else the one that counts as engines do.
export function comparedMethod(result) {
  const { engine } = result.methods;
  return engine?.compartments.length > 0 ? engine : result.methods.worksheet;
}

// [id, what is predicted, the figure measured]
function pairs(read, result) {
  const method = comparedMethod(result);
  const report = result.methods.engine === method ? result.engine : null;
  const part = (id) => method.compartments.find((c) => c.id === id)?.per_gpu_bytes ?? null;
  const of = (id) => read.figures.find((f) => f.id === id) ?? null;
  const pooled = ['vllm', 'sglang'].includes(read.engine);
  const cache = of('kv_cache');
  const state = of('state');
  const rows = [['weights', part('weights'), of('weights')]];
  if (pooled && cache) {
    // The engine fills what is left; the methods without pools count what the sequences need.
    const pool = state ? { ...cache, bytes: cache.bytes + state.bytes } : cache;
    rows.push(['pool', report?.pool_bytes ?? null, pool]);
  } else {
    rows.push(['kv_cache', part('kv_cache'), cache], ['state', part('state'), state]);
  }
  rows.push(['activations', part('activations'), of('activations')], ['communication', part('communication'), of('communication')], ['graphs', part('graphs'), of('graphs') ?? of('graphs_estimate')]);
  const held = ['weights', 'kv_cache', 'state', 'activations'].map(part);
  if (!pooled && of('total')) rows.push(['total', sum(...held), of('total')]);
  const seen = of('process') ?? of('used');
  const all = method.compartments.filter((c) => c.id !== 'headroom').map((c) => c.per_gpu_bytes);
  if (seen) rows.push(['reported', report ? report.reported_bytes : sum(...all), seen]);
  if (report) {
    rows.push(
      ['budget', report.budget_bytes > 0 ? exactly(report.budget_bytes) : null, of('budget')],
      ['kv_tokens', report.tokens, of('kv_tokens')],
      ['num_blocks', report.num_blocks > 0 ? exactly(report.num_blocks) : null, of('num_blocks')],
      ['max_concurrency', report.max_concurrency, of('max_concurrency')],
      ['longest_context', report.longest_context > 0 ? exactly(report.longest_context) : null, of('longest_context')],
    );
  }
  return rows;
}

function row([id, predicted, figure]) {
  const measured = figure.bytes ?? figure.number;
  const known = predicted && (predicted.high > 0 || measured === 0) ? predicted : null;
  // A figure printed to a digit is inside the range when one that is printed so may be.
  const slack = Math.max(Math.abs(measured) * 0.0005, (figure.step ?? 0) / 2);
  return {
    id,
    unit: figure.bytes === undefined ? 'number' : 'bytes',
    predicted: known,
    measured,
    difference: known ? known.likely - measured : null,
    error: known && measured > 0 ? known.likely / measured - 1 : null,
    inside: known ? measured >= known.low - slack && measured <= known.high + slack : null,
    estimate: Boolean(figure.estimate) || (id === 'graphs' && figure.id === 'graphs_estimate'),
    line_number: figure.line_number,
    line: figure.line,
  };
}

// What the page goes by where a key of the log's settings is concerned; undefined where it does not say.
function effective(key, result, catalog) {
  const { inputs, chosen, engine } = result;
  const field = catalog.fields.find((f) => f.key === key);
  const typed = inputs[key] ?? field?.default ?? null;
  if (key === 'engine') return engine?.id ?? typed;
  if (key === 'model') return inputs.shape ? undefined : result.model.id || null;  // which of the catalogue's an imported one is, nobody knows
  if (key === 'weights') return result.weights;
  if (key === 'gpu') return chosen?.gpu ?? typed;
  if (key === 'count') return chosen?.count ?? typed;
  if (key === 'vllm_version') return engine?.era || typed;
  if (key === 'max_num_seqs' || key === 'max_num_batched_tokens') return engine?.[key] || typed || undefined;
  if (key === 'gpu_memory_utilization') return typed || (engine?.usable_bytes > 0 && engine.budget_bytes > 0 ? Math.round(engine.budget_bytes / engine.usable_bytes * 100) / 100 : undefined);
  return typed === null || typed === '' || typed === 'auto' ? undefined : typed;
}

const sixteen = (id) => (['bf16', 'fp16', 'f16'].includes(id) ? '16' : id);

function same(key, log, page, result, catalog) {
  if (key === 'engine') return family(log) === family(page);
  if (key === 'kv') return sixteen(log) === sixteen(page);
  // As published is one format or another.
  const published = () => catalog.models.find((m) => m.id === result.model.id)?.native;
  if (key === 'weights') return sixteen(log) === sixteen(page) || (log === 'native' && page === published());
  // llama.cpp rounds its cells up.
  if (key === 'context') return Number(log) === Number(page) || Number(log) === Math.ceil(page / 256) * 256;
  if (key === 'n_gpu_layers') return Number(log) === Number(page) || Math.min(Number(log), Number(page)) >= 999;
  return Number.isFinite(Number(log)) && log !== '' ? Number(log) === Number(page) : log === String(page);
}

// -> {
//   rows        [{ id, unit: 'bytes' or 'number', predicted: { low, likely, high } or null, measured, difference, error, inside, estimate,
//               line_number, line }]: only what the log measured
//   mismatches  [{ key, log, page, line_number, line }]: settings that the log states and the configuration has otherwise; `gpu_total` in
//               bytes, and `model_unknown` for a model that the catalogue does not have
//   method      id of the method compared
//   engine      whether the log is of the engine that was predicted, or its family; null where none was
// }
// `calculator` as loadVramfit() gives it; `result` is its answer, not refused; `settings` the log's, where they are at hand.
export function compareLog(read, result, calculator, settings = logSettings(read, calculator)) {
  const catalog = calculator.catalog();
  const method = comparedMethod(result);
  const report = method === result.methods.engine ? result.engine : null;
  const otherEngine = report !== null && family(read.engine) !== family(report.id) && read.engine !== 'nvidia-smi';
  const isKnob = (key) => key !== 'engine' && catalog.fields.find((f) => f.key === key)?.group === 'engine';
  const mismatches = [];
  for (const { key, value, line_number, line } of settings) {
    // Another engine's knobs are not this one's, and without an engine there are none.
    if (isKnob(key) ? otherEngine || !report : key === 'engine' && !report) continue;
    if (key === 'gpu' && !result.chosen) continue;
    const page = effective(key, result, catalog);
    if (page !== undefined && !same(key, value, page, result, catalog)) mismatches.push({ key, log: value, page: page === null ? null : String(page), line_number, line });
  }
  const named = read.facts.name ?? read.facts.model;
  if (named && !result.inputs.shape && !settings.some((s) => s.key === 'model')) mismatches.unshift({ key: 'model_unknown', log: String(named.value), page: result.model.id, line_number: named.line_number, line: named.line });
  const total = read.figures.find((f) => f.id === 'gpu_total');
  const usable = report?.usable_bytes ?? result.fit?.find((row) => row.gpu === result.chosen?.gpu)?.capacity_bytes;
  if (total && usable && Math.abs(total.bytes / usable - 1) > 0.02 && !mismatches.some((m) => m.key === 'gpu')) {
    mismatches.push({ key: 'gpu_total', log: String(total.bytes), page: String(usable), line_number: total.line_number, line: total.line });
  }
  mismatches.sort((a, b) => (b.key === 'engine') - (a.key === 'engine'));
  return {
    method: method.id ?? Object.keys(result.methods).find((id) => result.methods[id] === method),
    engine: report === null || read.engine === 'nvidia-smi' ? null : !otherEngine,
    rows: pairs(read, result).filter(([, , figure]) => figure).map(row),
    mismatches,
  };
}
