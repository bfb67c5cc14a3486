// What would make an engine's answer a plain yes: one setting at a time, each tried with the calculator itself, so that what is said
// to help does.

const ladders = [
  ['bf16', 'fp8', 'int4-awq'],
  ['f16', 'q8_0', 'q6_k', 'q5_k_m', 'q4_k_m', 'q3_k_m', 'q2_k'],
];
const smallerWeights = (id) => {
  const ladder = ladders.find((steps) => steps.includes(id)) ?? (/^(i?q\d)/.test(id) ? ladders[1] : ladders[0]);
  return ladder.slice(ladder.indexOf(id) + 1);
};
const shareFields = { vllm: 'gpu_memory_utilization', sglang: 'mem_fraction_static', 'tensorrt-llm': 'free_gpu_memory_fraction' };
const seqsFields = { vllm: 'max_num_seqs', sglang: 'max_running_requests', 'tensorrt-llm': 'max_batch_size' };
const graphsFields = { vllm: 'enforce_eager', sglang: 'disable_cuda_graph' };
const most = 6;

// The settings to try, the mildest first: [{id, key, values}]; of the values the first that does it is meant.
function candidates(result) {
  const { engine, inputs, applies, model } = result;
  const applied = (key) => applies.includes(key);
  const share = shareFields[engine.id];
  const found = [];
  const add = (id, key, values) => key && applied(key) && values.length > 0 && found.push({ id, key, values });
  if (share) {
    const now = Math.round(engine.memory_share * 100);
    add('more_share', share, [94, 95, 96, 97, 98].filter((percent) => percent > now).map((percent) => percent / 100));
    add('less_share', share, [90, 88, 85, 80, 75, 70].filter((percent) => percent < now).map((percent) => percent / 100));
  }
  add('fewer_seqs', seqsFields[engine.id], [512, 256, 128, 64, 32, 16, 8].filter((n) => n < (engine.max_num_seqs || 1024) && n >= inputs.sequences));
  if (inputs[graphsFields[engine.id]] === 'no') add('no_graphs', graphsFields[engine.id], ['yes']);
  add('kv', 'kv', ['bf16', 'fp16'].includes(inputs.kv) ? [applied('n_gpu_layers') ? 'q8_0' : 'fp8'] : []);
  add('weights', 'weights', smallerWeights(result.weights));
  if (engine.gpu_layers > 0 && engine.gpu_layers < Math.min(inputs.n_gpu_layers ?? 0, model.num_layers + 1)) add('layers', 'n_gpu_layers', [0, 1, 2, 3, 4, 6, 8].map((less) => engine.gpu_layers - less).filter((layers) => layers > 0));
  add('ubatch', 'n_ubatch', [256, 128, 64].filter((n) => n < inputs.n_ubatch));
  return found;
}

// How far a field may go and fit: from the what-if limits of the chosen card, 0 where none does.
function limitOf(whatIf, field) {
  const axis = whatIf.axes?.find((each) => each.field === field);
  return axis?.lines.find(({ chosen }) => chosen)?.limits[0]?.fits ?? 0;
}

// Keys that are settled already, so that only one setting changes.
function withChange(result, change) {
  const keys = new URLSearchParams(result.share);
  for (const [key, value] of Object.entries(change)) keys.set(key, String(value));
  return keys.toString();
}

// [{text, change}] for a result that is tight or does not fit; `change` is the query to lay over the configuration. `vramfit` answers.
export function settleItems(result, view, names, vramfit, text) {
  const { t, format } = text;
  const { chosen, engine, inputs } = result;
  if (!chosen || chosen.verdict === 'fits' || !vramfit) return [];
  const pinned = { gpu: chosen.gpu, count: chosen.count };
  const fits = (change) => {
    const answer = vramfit.estimate(withChange(result, { gpus: chosen.gpu, ...pinned, ...change }));
    return !answer.refused && answer.chosen?.verdict === 'fits' && answer.chosen.gpu === chosen.gpu && answer.chosen.count === chosen.count;
  };
  const items = [];
  const put = (id, change, values, numbers) => items.push({ id, text: t(`settle.${id}`, values, numbers), change: { ...pinned, ...change } });
  const written = (value) => (typeof value === 'number' ? format.number(value, 2) : value);
  if (chosen.verdict !== 'unusable') {
    const whatIf = vramfit.whatIf(result.share);
    for (const field of ['sequences', 'context']) {
      const limit = limitOf(whatIf, field);
      const value = field === 'context' && limit > 1024 ? Math.floor(limit / 256) * 256 : limit;
      if (value > 0 && value < inputs[field] && fits({ [field]: value })) put(field, { [field]: value }, { value: format.number(value) }, { value });
    }
    const graphs = result.methods.engine.compartments.find((c) => c.id === 'graphs');
    for (const { id, key, values } of candidates(result)) {
      if (id === 'less_share' && items.some((item) => item.id === 'more_share')) continue;
      const value = values.find((each) => fits({ [key]: each }));
      if (value === undefined) continue;
      const shown = id === 'kv' || id === 'weights' ? t(`choice.${key}.${value}`) : written(value);
      put(id, { [key]: value }, { field: key, value: shown, graphs: graphs && format.bytes(graphs.per_gpu_bytes.likely, 'GiB') });
    }
  }
  const row = view.fit.find(({ id }) => id === chosen.gpu);
  const more = row?.counts.find(({ count, verdict }) => count > chosen.count && verdict === 'fits');
  const gpus = [more && { gpu: chosen.gpu, count: more.count }, result.best?.gpu !== chosen.gpu && result.best].filter(Boolean);
  const kept = items.slice(0, most - gpus.length);
  for (const { gpu, count } of gpus) kept.push({ text: t('settle.gpus', { gpus: `${count}x ${names.short(gpu)}` }), change: { gpu, count } });
  return kept;
}

// As createHelp() gives it, with the change that each item stands for.
export function engineHelp(result, view, names, vramfit, text) {
  const { t } = text;
  const { engine } = view;
  if (!engine || engine.state === 'fits' || !engine.says) return null;
  const items = settleItems(result, view, names, vramfit, text);
  return {
    title: engine.says,
    lead: vramfit ? t(items.length ? 'settle.title' : 'settle.none') : null,
    items: items.map((item) => item.text),
    changes: items.map(({ change }) => new URLSearchParams(change).toString()),
    note: null,
  };
}
