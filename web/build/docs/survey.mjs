// What the shipped module really does, found out by asking it: which formulas, sources and reasons it uses where, what each weight
// and cache format takes, where a fit becomes tight, when an input plays a part. The documentation is made of these answers, so
// that it cannot say anything else than the calculator.

import { viewKeys as pageKeys } from '../../page/address.mjs';

const share = (inputs) => Object.entries(inputs).map(([key, value]) => `${key}=${value}`).join('&');

// Models that stand for all others where one is enough: a dense one and a mixture of experts.
export const referenceModels = { dense: 'llama-3.1-8b', mixture: 'qwen3-30b-a3b' };

const field = (catalog, key) => catalog.fields.find((f) => f.key === key);

// What each engine's memory goes by, apart from the model.
export function* engineQuestions(catalog) {
  const choices = (key) => field(catalog, key).choices;
  const models = [...Object.values(referenceModels), 'deepseek-v3', 'deepseek-v3.2', 'deepseek-v4-flash', 'gemma-3-27b', 'qwen3-next-80b-a3b', 'qwen2.5-vl-72b', 'gpt-oss-120b', 'falcon-h1-34b', 'llama-4-scout', 'mistral-7b-v0.1']
    .filter((id) => catalog.models.some((model) => model.id === id));
  // The programs around llama.cpp are it.
  for (const engine of ['vllm', 'sglang', 'tensorrt-llm', 'transformers', 'llama.cpp']) {
    const family = { engine, method: 'engine', gpus: 'h200', weights: ['vllm', 'sglang', 'tensorrt-llm', 'transformers'].includes(engine) ? 'bf16' : 'q4_k_m' };
    for (const model of models) {
      const base = { ...family, model };
      for (const count of [1, 2, 3, 4, 8]) yield { ...base, gpu: 'h200', count };
      for (const gpus of ['rtx-4090', 'l40s', 'h100-sxm', 'b200']) yield { ...base, gpus, gpu: gpus, count: 1, context: 131072, sequences: 64 };
      for (const speculative of choices('speculative')) yield { ...base, speculative, draft_model: 'llama-3.2-1b', gpu: 'h200', count: 2 };
      for (const version of choices('vllm_version')) yield { ...base, vllm_version: version };
      for (const build of choices('llama_cpp_build')) for (const flash of choices('flash_attn')) yield { ...base, llama_cpp_build: build, flash_attn: flash, context: 32768 };
      for (const attention of choices('attn_implementation')) yield { ...base, attn_implementation: attention, context: 16384 };
      for (const more of [{ max_loras: 4, max_lora_rank: 32 }, { cpu_offload_gb: 8 }, { pipeline_parallel: 2, count: 4 }, { expert_parallel: 'yes', count: 4 }, { decode_context_parallel: 8, count: 4 }, { attention_dp: 'yes', count: 4 },
        { n_gpu_layers: 10 }, { n_cpu_moe: 10 }, { mmproj: 'yes' }, { kv_offload: 'no' }, { swa_full: 'yes' }, { split_mode: 'row', count: 2 }, { quantize_at_load: 'yes', weights: engine === 'llama.cpp' ? 'q8_0' : 'fp8' },
        { kv_cache_memory_gib: 2 }, { gpu_memory_utilization: 0.995 }, { n_parallel: 4, kv_unified: 'no' }, { host_memory_gib: 16, n_gpu_layers: 0 }, { enforce_eager: 'yes' }, { data_parallel: 2, count: 4 }, { vllm_version: '0.6', pipeline_parallel: 2, count: 4 },
        { max_num_seqs: 1, max_num_batched_tokens: 65536 }, { kv: 'q8_0', context: 131072 }, { kv: 'q4_0', context: 131072, flash_attn: 'on' }, { kv: 'q8_0', flash_attn: 'off' }, { gpu: 'apple-m1-16gb' }, { gpu: 'mi300x' },
        { measured_weights_gib: 10, measured_activations_gib: 2, measured_other_gib: 1, measured_graphs_gib: 1 }]) yield { ...base, gpu: 'h200', count: 1, ...more };
    }
    for (const weights of ['fp8-block', 'int4-awq', 'int4-gptq', 'nvfp4', 'mxfp4']) for (const gpu of ['h200', 'v100-32gb', 't4', 'mi300x']) for (const count of [2, 4, 8]) yield { ...family, model: referenceModels.mixture, weights, gpu, count };
    for (const { id: gpu } of catalog.gpus) yield { ...family, model: referenceModels.dense, weights: family.weights === 'bf16' ? 'fp8' : 'q4_k_m', gpu, count: 1 };
    yield { ...family, model: referenceModels.dense, gpus: 'all' };
  }
}

// Questions that between them make the module use every formula, source and reason it has. A test sees to it that they do.
function* questions(catalog) {
  const tasks = field(catalog, 'task').choices;
  for (const method of field(catalog, 'method').choices.filter((id) => id !== 'engine')) {
    for (const { id: model } of catalog.models) {
      for (const task of tasks) yield { task, model, method };
      for (const more of [{ weights: 'bf16' }, { weights: 'q4_k_m' }, { context: 131072, sequences: 16 }, { count: 2 }]) yield { model, method, ...more };
    }
    for (const model of Object.values(referenceModels)) {
      for (const weights of field(catalog, 'weights').choices) {
        yield { model, method, weights };
        yield { model: '', params: '70b', method, weights };
      }
      for (const kv of field(catalog, 'kv').choices) yield { model, method, kv, context: 65536 };
      for (const situation of field(catalog, 'situation').choices) yield { model, method, situation };
      for (const states of field(catalog, 'states').choices) yield { task: 'full', model, method, states };
      for (const checkpointing of field(catalog, 'checkpointing').choices) for (const task of tasks.slice(1)) yield { task, model, method, checkpointing, count: 2 };
      yield { model, method, headroom: 7 };
      yield { model, method, sequences: 256, batched_tokens: 512 };
      yield { model, method, weights: 'q4_k_m', context: 131072, count: 2 };
    }
    for (const task of tasks) yield { task, params: '70b', method };
    yield { params: '70b', num_layers: 80, num_kv_heads: 8, head_dim: 128, context: 65536, method };
    yield { params: '3b', num_layers: 3, num_heads: 32, num_kv_heads: 8, head_dim: 128, hidden_size: 4096, intermediate_size: 14336, vocab_size: 128256, method, weights: 'q4_k_m' };
    yield { model: referenceModels.dense, method, gpus: 'all' };
  }
  yield* engineQuestions(catalog);
}

export function survey(vramfit) {
  const catalog = vramfit.catalog();
  const formulas = new Map();  // id -> {uses: [{method, compartment, task}], sources, formatSources, example}
  const sources = new Map();   // id -> Set of formula ids and of 'split/<id>'
  const reasons = new Map();   // id -> {result, method, number, counts}
  const splits = new Map();    // id -> {methods, source}
  const methods = new Map();   // id -> {compartments: Map task -> [ids]}
  const causes = new Map();    // id -> {result, gpu, count}: of an engine's verdicts
  const link = (source, to) => source && sources.set(source, (sources.get(source) ?? new Set()).add(to));

  for (const inputs of questions(catalog)) {
    const result = vramfit.estimate(share(inputs));
    if (result.refused) continue;
    const { task } = result.inputs;
    for (const row of result.fit) row.causes?.forEach((cause, i) => {
      if (cause && ['tight', 'does-not-fit'].includes(row.verdicts[i]) && !causes.has(cause)) causes.set(cause, { result, gpu: row.gpu, count: i + 1 });
    });
    for (const [id, method] of Object.entries(result.methods)) {
      if (id === 'engine' && result.method !== id) continue;  // as it would be, had it been asked for
      const known = methods.get(id) ?? new Map();
      methods.set(id, known);
      known.set(task, new Set([...(known.get(task) ?? []), ...method.compartments.map((c) => c.id)]));
      splits.set(method.split, { source: method.split_source, tasks: new Set([...(splits.get(method.split)?.tasks ?? []), task]) });
      link(method.split_source, `split/${method.split}`);
      for (const compartment of method.compartments) for (const term of compartment.terms) {
        const known = formulas.get(term.formula) ?? { uses: new Map(), sources: new Set(), formatSources: new Set(), example: { term, result, method: id } };
        formulas.set(term.formula, known);
        known.uses.set(`${id}/${compartment.id}/${task}`, { method: id, compartment: compartment.id, task });
        if (term.source) known.sources.add(term.source);
        if (term.format_source) known.formatSources.add(term.format_source);
        link(term.source, `formula/${term.formula}`);
        link(term.format_source, `formula/${term.formula}`);
      }
      for (const layout of method.layouts) {
        if (layout.usable || reasons.has(layout.reason)) continue;
        const counts = method.layouts.filter((l) => l.reason === layout.reason && l.reason_number === layout.reason_number).map((l) => l.count);
        reasons.set(layout.reason, { result, number: layout.reason_number, counts });
      }
    }
    if (!reasons.has('node-limit') && result.fit.some((row) => row.verdicts.includes('node-limit'))) {
      const { gpu } = result.fit.find((row) => row.verdicts.includes('node-limit'));
      reasons.set('node-limit', { result, gpu });
    }
  }
  return { formulas, sources, reasons, splits, methods, causes };
}

const compartmentOf = (result, method, id) => result.methods[method].compartments.find((c) => c.id === id);
const termsOf = (result, method, id) => compartmentOf(result, method, id)?.terms ?? [];

// One row per weight format: what the rule counts, and what the reference models' weights take by the worksheet.
export function weightFormats(vramfit) {
  const catalog = vramfit.catalog();
  return field(catalog, 'weights').choices.filter((id) => id !== 'native').map((id) => {
    const measured = Object.fromEntries(Object.entries(referenceModels).map(([kind, model]) => {
      const result = vramfit.estimate(share({ model, weights: id, method: 'worksheet' }));
      const terms = termsOf(result, 'worksheet', 'weights');
      const params = terms.reduce((sum, term) => sum + term.values.params, 0);
      const inFormat = terms.find((term) => term.formula !== 'weights-kept');
      return [kind, {
        result,
        formatBits: inFormat?.values.bits_per_param ?? null,
        keptShare: terms.filter((term) => term.formula === 'weights-kept').reduce((sum, term) => sum + term.values.params, 0) / params,
        averageBits: (terms.reduce((sum, term) => sum + term.bytes.likely, 0) * 8) / params,
        source: terms[0].source,
      }];
    }));
    const { dense } = measured;
    return {
      id,
      ruleBits: termsOf(dense.result, 'rule', 'weights')[0].values.bytes_per_param * 8,
      takesGroupSize: dense.result.applies.includes('group_size'),
      source: dense.source,
      ...measured,
    };
  });
}

// Bits per weight in the formats that take a group size, by group size.
export function groupSizes(vramfit) {
  const catalog = vramfit.catalog();
  const sizes = field(catalog, 'group_size').choices;
  return weightFormats(vramfit).filter((format) => format.takesGroupSize).map(({ id }) => ({
    id,
    bits: sizes.map((size) => {
      const result = vramfit.estimate(share({ model: referenceModels.dense, weights: id, group_size: size, method: 'worksheet' }));
      return { size, bits: termsOf(result, 'worksheet', 'weights').find((term) => term.formula !== 'weights-kept').values.bits_per_param };
    }),
  }));
}

export function cacheFormats(vramfit) {
  return field(vramfit.catalog(), 'kv').choices.map((id) => {
    const result = vramfit.estimate(share({ model: referenceModels.dense, kv: id, method: 'worksheet' }));
    const [term] = termsOf(result, 'worksheet', 'kv_cache');
    return { id, bytes: term.values.bytes_per_element, source: term.format_source ?? term.source, perToken: result.model.kv_bytes_per_token };
  });
}

// Percent kept free by situation, with its range.
export function headrooms(vramfit) {
  const ask = (inputs) => {
    const result = vramfit.estimate(share({ model: referenceModels.dense, method: 'worksheet', ...inputs }));
    const { bytes, values, source } = termsOf(result, 'worksheet', 'headroom')[0];
    const sum = (end) => result.methods.worksheet.total_bytes[end] - bytes[end];
    const percent = (end) => Math.round((1000 * bytes[end]) / sum(end)) / 10;
    return { low: percent('low'), likely: values.percent, high: percent('high'), source };
  };
  return [
    ...field(vramfit.catalog(), 'situation').choices.filter((id) => id !== 'auto').map((id) => ({ id, ...ask({ situation: id }) })),
    { id: 'training', ...ask({ task: 'full' }) },
  ];
}

// Bytes per parameter of each training state.
export function trainingStates(vramfit) {
  return field(vramfit.catalog(), 'states').choices.map((id) => {
    const result = vramfit.estimate(share({ task: 'full', model: referenceModels.dense, method: 'worksheet', states: id }));
    const of = (compartment) => termsOf(result, 'worksheet', compartment)[0];
    return { id, weights: of('weights').values.bytes_per_param, gradients: of('gradients').values.bytes_per_param, optimizer: of('optimizer').values.bytes_per_param, source: of('weights').source };
  });
}

// The share of a card's memory that must stay free for `fits`: found between the largest size that fits one card and the next.
export function tightBelow(vramfit) {
  const ask = (millions) => vramfit.estimate(share({ params: `${millions}m`, gpus: 'h200', count: 1, weights: 'bf16' }));
  const free = (result) => 1 - result.methods.rule.total_bytes.likely / result.fit[0].capacity_bytes;
  let fits = 1000;
  let tight = 60000;
  while (tight - fits > 1) {
    const middle = Math.floor((fits + tight) / 2);
    if (ask(middle).fit[0].verdicts[0] === 'fits') fits = middle;
    else tight = middle;
  }
  return Math.round(((free(ask(fits)) + free(ask(tight))) / 2) * 1000) / 1000;
}

// When each input plays a part: {key: {factor: values it needs}}, factors that do not matter left out. The table of answers must be
// the product of its factors; a field for which it is not fails the build rather than being described wrongly.
export function conditions(vramfit) {
  const catalog = vramfit.catalog();
  const needs = {};

  // `factors`: {factor: values}; `inputsOf` makes of one value of each what to ask.
  function ask(fields, factors, inputsOf) {
    const applies = new Map(fields.map((f) => [f.key, []]));
    const combinations = Object.entries(factors).reduce((all, [factor, values]) => all.flatMap((at) => values.map((value) => ({ ...at, [factor]: value }))), [{}]);
    for (const at of combinations) for (const key of vramfit.estimate(share(inputsOf(at))).applies) applies.get(key)?.push(at);
    for (const [key, places] of applies) {
      const wanted = Object.fromEntries(Object.keys(factors).map((factor) => [factor, factors[factor].filter((value) => places.some((at) => at[factor] === value))]));
      const product = Object.values(wanted).reduce((n, values) => n * values.length, 1);
      if (product !== places.length) throw new Error(`when "${key}" applies cannot be said factor by factor`);
      needs[key] = Object.fromEntries(Object.entries(wanted).filter(([factor, values]) => values.length < factors[factor].length));
    }
  }

  const general = { task: field(catalog, 'task').choices, method: field(catalog, 'method').choices, weights: field(catalog, 'weights').choices, model: ['catalogue', 'imported', 'bare'] };
  const model = { catalogue: { model: referenceModels.dense }, imported: { shape: 'hidden64,vocab1000;full,q4,kv2,dim16;dense,i128;4aA' }, bare: { params: '7b' } };
  ask(catalog.fields.filter((f) => f.group !== 'engine'), general, ({ model: kind, ...at }) => ({ ...at, ...model[kind] }));

  // An engine's fields go by the engine, whatever the weights, and by each other.
  const engine = {
    method: general.method, task: general.task, engine: field(catalog, 'engine').choices.filter((id) => id !== 'auto'),
    speculative: field(catalog, 'speculative').choices, max_loras: ['none', 'some'],
  };
  ask(catalog.fields.filter((f) => f.group === 'engine'), engine, ({ max_loras: loras, ...at }) => ({ model: referenceModels.dense, gpus: 'h200', ...at, ...(loras === 'some' && { max_loras: 1 }) }));
  return needs;
}

// Characters that a share string may have, and the keys that the page keeps for itself.
export function grammar(vramfit) {
  const { notices } = vramfit.estimate(`note=${'x'.repeat(1 << 20)}`);
  const { view } = vramfit.estimate(pageKeys.map((key) => `${key}=x`).join('&'));
  return { maxLength: notices.find((notice) => notice.id === 'too-long').used, viewKeys: Object.keys(view) };
}

// Everything above, asked once for all languages.
export function askAll(vramfit) {
  const name = (id) => vramfit.catalog().models.find((model) => model.id === id).name;
  return {
    models: Object.fromEntries(Object.entries(referenceModels).map(([kind, id]) => [kind, name(id)])),
    survey: survey(vramfit),
    formats: weightFormats(vramfit),
    groups: groupSizes(vramfit),
    caches: cacheFormats(vramfit),
    headrooms: headrooms(vramfit),
    states: trainingStates(vramfit),
    tightBelow: tightBelow(vramfit),
    conditions: conditions(vramfit),
    ...grammar(vramfit),
  };
}
