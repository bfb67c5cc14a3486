// Measured peaks of training runs, per GPU.
import { dtype_in_name } from './format_match.mjs';
import { in_use } from './product.mjs';
import { checkpointing, sharding, state_recipe, training_task } from './training_inputs.mjs';
import { count_of, gib, mib, positive, rounding_of, text_of } from './values.mjs';

const units = { GiB: gib, GB: 1e9, MiB: mib, MB: 1e6 };
const not_a_peak = /model init|after loading|stated minimum|kernel|capacity|OOM/i;
// What the framework's allocator counted, without the process's own reserve.
const allocator = /reserved|allocated|active|Max GPU RAM|peak memory|Peak Memory per GPU|Memory\(GiB\)|end of Trainer/i;

export function training(row, tools, records) {
  const data = row.data;
  const { product } = tools;
  const task = training_task(data.method, data.quantization);
  if (task.reason) return records.skip(row, task.reason);
  // The product's adapters stand on a 16-bit or NF4 base.
  const base =
    task.task === 'lora'
      ? (dtype_in_name(row.subject.name) ?? /\bnvfp4|mxfp4|fp8\b/i.exec(`${row.id} ${data.other ?? ''} ${data.precision ?? ''}`)?.[0])
      : null;
  if (base && !/bf16/i.test(base)) return records.skip(row, `base format not modelled for LoRA: ${base}`);
  const metric = text_of(data.metric) ?? '';
  const unit = units[data.unit];
  const gpus = count_of(data.n_gpus);
  if (!gpus) return records.skip(row, 'GPU count not stated');
  if (data.cpu_offload && data.cpu_offload !== 'false') return records.skip(row, 'CPU offload is not an input of the product');
  if (/offload/i.test(`${data.other ?? ''} ${data.zero_or_fsdp ?? ''}`) && !/no (cpu )?offload/i.test(data.other ?? ''))
    return records.skip(row, 'offload is not an input of the product');
  const layout = sharding(data.zero_or_fsdp, data.parallelism, gpus, product);
  if (layout) return records.skip(row, layout);
  const states = task.task === 'full' ? state_recipe(data) : {};
  if (states.reason) return records.skip(row, states.reason);

  const kept = checkpointing(data.checkpointing, data.other);
  const length = count_of(data.seq_len);
  const batch = count_of(data.micro_batch);
  // The rule of thumb asks for none of these; the other methods do.
  const missing =
    kept.reason ??
    (!length
      ? 'sequence length not stated'
      : !batch
        ? 'micro-batch not stated'
        : row.subject.basis === 'size'
          ? 'the product has no shape for this model'
          : null);
  const assumed = [kept.assumed, states.assumed, task.task !== 'full' && !count_of(data.lora_rank) && 'rank 16'];
  const inputs = {
    ...row.subject.inputs,
    task: task.task,
    engine: row.engine,
    method: 'worksheet',
    states: states.states,
    checkpointing: kept.value ?? 'full',
    count: gpus,
    context: length ?? 2048,
    micro_batch: batch ?? 1,
    lora_rank: count_of(data.lora_rank) ?? undefined,
    gpus: 'h100-sxm',
  };
  const answer = product.ask(inputs);
  if (!answer) return records.skip(row, 'the product refuses these inputs');
  const predict = (m) => {
    if (m === answer.methods.rule) return m.layouts[gpus - 1].need_bytes;
    return missing ? null : in_use(m, { process: !allocator.test(metric) });
  };

  // The longest sequence that fits a card: an upper bound of what the run took, so a verdict and not a figure.
  if (/capacity/i.test(metric)) {
    const capacity = positive(data.measured_peak);
    if (!capacity || !unit) return records.skip(row, 'card capacity not stated');
    if (missing) records.skip(row, `verdict: ${missing}`);
    for (const [id, m] of Object.entries(answer.methods)) {
      const need = predict(m);
      if (need)
        records.verdict(row, id, 'fits', need.likely <= capacity * unit ? 'fits' : 'does-not-fit', {
          firmness: 'tested',
          gpu: `${capacity} ${data.unit}`,
          count: gpus,
          share: answer.asked,
          assumed,
        });
    }
    return undefined;
  }
  if (/OOM/.test(metric)) {
    const gpu = tools.gpus.find(text_of(data.gpu));
    if (!gpu.gpus) return records.skip(row, `verdict: GPU not in the catalogue: ${gpu.missing ?? 'not stated'}`);
    const card = gpu.gpus.reduce((a, b) => (b.usable_mib > a.usable_mib ? b : a));
    for (const [id, m] of Object.entries(answer.methods)) {
      const need = m === answer.methods.rule ? predict(m) : in_use(m, { process: true });
      const room = m === answer.methods.rule ? card.marketed_gb * 1e9 : card.usable_mib * mib;
      records.verdict(row, id, 'does-not-fit', need.likely <= room ? 'fits' : 'does-not-fit', {
        firmness: 'tested',
        gpu: card.id,
        count: gpus,
        share: answer.asked,
        assumed,
      });
    }
    return undefined;
  }
  const peak = positive(data.measured_peak);
  if (!peak) return records.skip(row, 'no measured memory figure');
  if (!unit) return records.skip(row, `unit not known: ${data.unit ?? 'not stated'}`);
  if (not_a_peak.test(metric)) return records.skip(row, `not a measured training peak: ${metric}`);
  if (missing) records.skip(row, `worksheet: ${missing}`);
  const sum = /sum over/i.test(text_of(data.scope) ?? '');
  records.compare(row, `peak_${task.task}`, (peak * unit) / (sum ? gpus : 1), answer, predict, { assumed, rounding: rounding_of(peak) });
  return undefined;
}
