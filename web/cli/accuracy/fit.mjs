// Published statements: works, minimum, out of memory, refused. Scored by whether the product says the same of the same GPUs.
import { engine_inputs } from './engine_inputs.mjs';
import { dtype_in_name, kv_format, weights_format } from './format_match.mjs';
import { in_use } from './product.mjs';
import { count_reason, judge } from './fitting.mjs';
import { training_task } from './training_inputs.mjs';
import { count_of, gib, mib, number_of, text_of } from './values.mjs';

const positive_kinds = new Set(['works', 'minimum', 'recommended', 'max_context', 'max_concurrency']);
// Refused whatever the memory, and by some of these whatever the count.
const by_shape = /divisib|layout_unsupported/;
const by_chip = /precision_unsupported/;

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
  const training = /lora|full/i.test(data.method ?? '');
  const told = [data.flags, data.note, data.precision, data.model].filter((v) => typeof v === 'string').join(' | ');
  const host =
    /partial/i.test(told) ||
    (/offload/i.test(told.replace(/\bno (cpu )?offload\b/gi, '')) && (training || !/offload[-_]gb|rank offload/i.test(data.flags ?? ''))) ||
    /ktransformers|offload/i.test(data.engine ?? '') ||
    /DRAM|TB RAM/.test(data.value_unit ?? '');
  if (host) return records.skip(row, 'how much is left on the host is not stated, or by rules of its own');
  if (!training && /quantization run/i.test(data.model ?? '')) return records.skip(row, 'a run that quantizes, not one that serves');
  const settings = training ? { inputs: {}, others: [], count: count_of(data.gpu_count), assumed: [] } : engine_inputs(data);
  if (training && count_of(data.pp) > 1) return records.skip(row, 'pipeline parallelism is not an input of the product');
  if (training && count_of(data.dp) > 1) return records.skip(row, 'data parallelism is not an input of the product');

  const inputs = { ...row.subject.inputs };
  const assumed = [...settings.assumed];
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
    const gguf = ['llama.cpp', 'ollama', 'lm-studio', 'koboldcpp'].includes(settings.inputs.engine);
    const weights = statement_format(said, row.subject, product.choices('weights'), gguf);
    if (weights.missing) return records.skip(row, `quantization not modelled: ${weights.missing}`);
    const kv = statement_cache(text_of(data.kv_dtype) ?? (/FP8 weights\+KV/i.test(data.precision ?? '') ? 'fp8' : null), product.choices('kv'));
    if (kv.missing) return records.skip(row, `KV format not modelled: ${kv.missing}`);
    Object.assign(inputs, { task: 'serve', weights: weights.id, kv: kv.id, sequences: 1 });
    assumed.push(weights.assumed);
  }
  const tokens = /^(KV )?tokens/.test(data.value_unit ?? '') && positive_kinds.has(data.kind) ? count_of(data.value) : null;
  // Most sources say nothing of the context: something modest, which is the product's default.
  inputs.context = (data.kind === 'max_context' ? tokens : null) ?? count_of(data.context) ?? tokens ?? undefined;
  if (!inputs.context) assumed.push('default context');
  const extra = {
    firmness: data.firmness === 'tested' ? 'tested' : 'recommended',
    statement: data.kind,
    reason_class: data.reason_class ?? null,
    reason_basis: data.reason_basis ?? null,
    flags: text_of(data.flags),
  };

  measured_figure();

  const shape_only = expected === 'does-not-fit' && by_shape.test(data.reason_class ?? '') && !training;
  const gpu = tools.gpus.find(text_of(data.gpu));
  const any_count = expected === 'does-not-fit' && by_chip.test(data.reason_class ?? '') && !settings.count;
  const count = training ? count_of(data.gpu_count) : any_count ? product.max_count : settings.count;
  const reason = count_reason(row, count, tools);
  if (reason) return records.skip(row, reason);
  if (!gpu.gpus && !shape_only) return records.skip(row, gpu.missing ? `GPU not in the catalogue: ${gpu.missing}` : 'no GPU named');
  const gpus =
    gpu.gpus ??
    product.catalog.gpus
      .filter((g) => g.id === 'h100-sxm')
      .concat(product.catalog.gpus)
      .slice(0, 1);
  const only_engine = !training && (settings.pp > 1 || settings.dp > 1 || settings.inputs.cpu_offload_gb > 0);
  const knobs = { ...gpu.knobs, ...settings.inputs };
  judge(row, inputs, gpus, count, expected, { ...extra, assumed: [gpu.assumed, ...assumed] }, tools, records, { knobs, others: settings.others, only_engine, not_engine: settings.not_engine, some_card: gpu.some_card });
  return undefined;

  // Some statements come with what was in use.
  function measured_figure() {
    const value = number_of(data.value);
    const m = /^(GB|GiB|MiB)( VRAM)? ?(peak|in use|used|per GPU|per card)/.exec(data.value_unit ?? '');
    if (!(value > 0) || !m || extra.firmness !== 'tested' || expected !== 'fits') return;
    const n = count_of(data.gpu_count);
    if (count_reason(row, n, tools)) return;
    if (training && !count_of(data.context)) return; // too little is known of the run
    const answer = product.ask({ ...inputs, ...settings.inputs, method: 'worksheet', count: n });
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

// Statements name formats more loosely than logs do: a maker's own mix is taken as its base, and a mix of two as the narrower.
function statement_format(said, subject, choices, gguf) {
  const text = (said ?? '').replace(/\s*\((?:~?[\d.]+ ?[GT]i?B(?: load)?|default|as stated|weight-only on Ampere|reference torch code)\)/gi, '');
  const native = subject.model?.native ?? '';
  if (native === 'fp4-experts-fp8' && /fp8/i.test(text) && /fp4|native|mixed/i.test(text)) return { id: 'native' };
  if (/^online/i.test(text)) return { id: /block/i.test(text) ? 'fp8-block' : 'fp8' };
  if (gguf) {
    const bare = text.replace(/\b(?:UD-)?(I?Q\d\w*?)_XL\b/i, (_, base) => `${base}_M`).replace(/\bUD-/i, '').replace(/\+.*|\bMTP\b/g, '');
    const found = weights_format(mix_of(bare), subject.model, choices);
    return found.missing ? found : { ...found, assumed: found.assumed ?? (bare === text ? undefined : `${said} as ${found.id}`) };
  }
  if (/nvfp4/i.test(text)) return { id: 'nvfp4', assumed: /fp8|mixed/i.test(text) ? `${said} as nvfp4` : undefined };
  if (/^mxfp4/i.test(text) && !/gguf/i.test(text)) return { id: native === 'mxfp4' ? 'native' : 'mxfp4' };
  if (/^int4\/fp8/i.test(text)) return { missing: said };
  const found = weights_format(text.replace(/\s*\+ ?(MTP|LoRA).*$/i, ''), subject.model, choices);
  // Qwen's own FP8 checkpoints are in blocks.
  if (found.id === 'fp8' && /^Qwen\//.test(subject.name ?? '') && !/dynamic/i.test(text)) return { id: 'fp8-block', assumed: 'FP8 of Qwen in blocks' };
  return found;
}

// Mixes that the product has no recipe for, by the one that is nearest in bits.
function mix_of(text) {
  const s = text.toLowerCase();
  if (/mxfp4/.test(s)) return 'MXFP4 GGUF';
  if (/^gguf$|\bq4$|4-?bit/.test(s.trim())) return 'Q4_K_M';
  if (/q8_k/.test(s)) return 'Q8_0';
  if (/q6_k/.test(s)) return 'Q6_K';
  if (/q2_k_[ml]/.test(s)) return 'Q2_K';
  if (/iq4_ks/.test(s)) return 'IQ4_XS';
  if (/\bf32/.test(s)) return 'fp32';
  return text;
}

// A cache with keys and values apart is asked for at the wider of the two.
function statement_cache(said, choices) {
  const pair = /^(q\d_\d)\/(q\d_\d)$/i.exec(said ?? '');
  return kv_format(pair ? pair.slice(1).sort().at(-1) : said, choices);
}
