// Published statements: works, minimum, out of memory, refused. Scored by whether the product says the same of the same GPUs.
import { dtype_in_name, kv_format, weights_format } from './format_match.mjs';
import { in_use } from './product.mjs';
import { count_reason, judge } from './fitting.mjs';
import { training_task } from './training_inputs.mjs';
import { count_of, gib, mib, number_of, text_of } from './values.mjs';

const positive_kinds = new Set(['works', 'minimum', 'recommended', 'max_context', 'max_concurrency']);
// Refused whatever the memory: the product must call the split itself unusable.
const by_shape = /divisib|layout_unsupported/;

export function fit(row, tools, records) {
  const data = row.data;
  const { product } = tools;
  const expected =
    data.polarity === 'negative'
      ? 'does-not-fit'
      : data.polarity === 'positive'
        ? 'fits'
        : positive_kinds.has(data.kind)
          ? 'fits'
          : ['oom', 'refused'].includes(data.kind)
            ? 'does-not-fit'
            : null;
  if (!expected) return records.skip(row, `no verdict stated: ${data.kind ?? 'kind missing'}`);
  if (data.confidence === 'low') return records.skip(row, 'low confidence (left out of the score)');
  const told = [data.flags, data.note, data.precision, data.model].filter((v) => typeof v === 'string').join(' | ');
  const host =
    /offload|partial/i.test(told.replace(/\bno (cpu )?offload\b/gi, '')) ||
    /ktransformers|offload/i.test(data.engine ?? '') ||
    /DRAM|TB RAM/.test(data.value_unit ?? '');
  if (host) return records.skip(row, 'offload to the host is not an input of the product');
  if (count_of(data.pp) > 1) return records.skip(row, 'pipeline parallelism is not an input of the product');
  const dp = count_of(data.dp) ?? 1;
  if (dp > 1) return records.skip(row, 'data parallelism is not an input of the product');

  const inputs = { ...row.subject.inputs, engine: row.engine };
  const assumed = [];
  const training = /lora|full/i.test(data.method ?? '');
  if (training) {
    const rl = /\b(GRPO|PPO|DPO|RLHF)\b/.exec(`${data.engine ?? ''} ${data.note ?? ''}`);
    if (rl) return records.skip(row, `training method not modelled: ${rl[1]}`);
    const task = training_task(data.method, null);
    if (task.reason) return records.skip(row, task.reason);
    if (/\bDDP\b/.test(data.flags ?? '') && count_of(data.gpu_count) > 1) return records.skip(row, 'sharding not modelled: DDP');
    // A LoRA row over a 4-bit base is QLoRA by another name.
    inputs.task = task.task === 'lora' && /nf4|int4|4-?bit/i.test(data.precision ?? '') ? 'qlora' : task.task;
    inputs.micro_batch = count_of(data.max_num_seqs) ?? undefined;
  } else {
    const said = text_of(data.precision)?.replace(/\s*\(not stated\)/i, '') ?? dtype_in_name(row.subject.name);
    const weights = weights_format(said, row.subject.model, product.choices('weights'));
    if (weights.missing) return records.skip(row, `quantization not modelled: ${weights.missing}`);
    const kv = kv_format(text_of(data.kv_dtype) ?? (/FP8 weights\+KV/i.test(data.precision ?? '') ? 'fp8' : null), product.choices('kv'));
    if (kv.missing) return records.skip(row, `KV format not modelled: ${kv.missing}`);
    Object.assign(inputs, { task: 'serve', weights: weights.id, kv: kv.id, sequences: 1 });
    assumed.push(weights.assumed);
  }
  const tokens = /^(KV )?tokens/.test(data.value_unit ?? '') && positive_kinds.has(data.kind) ? count_of(data.value) : null;
  // Most sources say nothing of the context: something modest, which is the product's default.
  inputs.context =
    (['max_context', 'max_concurrency'].includes(data.kind) ? tokens : null) ?? count_of(data.context) ?? tokens ?? undefined;
  if (!inputs.context) assumed.push('default context');
  const extra = {
    firmness: data.firmness === 'tested' ? 'tested' : 'recommended',
    statement: data.kind,
    reason_class: data.reason_class ?? null,
    flags: text_of(data.flags),
  };

  measured_figure();

  const shape_only = expected === 'does-not-fit' && by_shape.test(data.reason_class ?? '') && !training;
  const gpu = tools.gpus.find(text_of(data.gpu));
  const count = count_of(data.tp) && !training ? count_of(data.tp) : count_of(data.gpu_count);
  const reason = count_reason(row, count, tools);
  if (reason) return records.skip(row, reason);
  if (!gpu.gpus && !shape_only) return records.skip(row, gpu.missing ? `GPU not in the catalogue: ${gpu.missing}` : 'no GPU named');
  const gpus =
    gpu.gpus ??
    product.catalog.gpus
      .filter((g) => g.id === 'h100-sxm')
      .concat(product.catalog.gpus)
      .slice(0, 1);
  judge(row, inputs, gpus, count, expected, { ...extra, assumed: [gpu.assumed, ...assumed] }, tools, records);
  return undefined;

  // Some statements come with what was in use.
  function measured_figure() {
    const value = number_of(data.value);
    const m = /^(GB|GiB|MiB)( VRAM)? ?(peak|in use|used|per GPU|per card)/.exec(data.value_unit ?? '');
    if (!(value > 0) || !m || extra.firmness !== 'tested' || expected !== 'fits') return;
    const n = count_of(data.gpu_count);
    if (count_reason(row, n, tools)) return;
    if (training && !count_of(data.context)) return; // too little is known of the run
    const answer = product.ask({ ...inputs, method: 'worksheet', count: n });
    const process = m[3] !== 'peak';
    records.compare(
      row,
      training ? `peak_${inputs.task}` : process ? 'total_process' : 'total_allocated',
      value * { GB: 1e9, GiB: gib, MiB: mib }[m[1]],
      answer,
      (x) => (x === answer.methods.rule ? x.layouts[n - 1].need_bytes : x.missing.length > 0 ? null : in_use(x, { process })),
      { assumed },
    );
  }
}
