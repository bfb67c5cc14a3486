// Which kind of case a row is, told by its keys alone: files may be named and mixed as they please.
const has = (row, key) => Object.hasOwn(row, key);

export const kinds = ['serving', 'gguf', 'training', 'fit', 'speed'];

// Keys that only one kind has. The first match wins, so the most telling keys stand first.
const marks = [
  ['speed', ['measured', 'test_kind', 'source_date', 'output_tokens']],
  ['fit', ['polarity', 'firmness', 'reason_class', 'value_unit']],
  ['training', ['measured_peak', 'micro_batch', 'lora_rank', 'zero_or_fsdp']],
  ['gguf', ['weights_mib', 'kv_mib', 'compute_mib', 'ftype', 'n_ctx', 'file_size']],
  [
    'serving',
    ['weights_gib_per_gpu', 'kv_cache_gib_per_gpu', 'kv_tokens', 'activation_peak_gib', 'gpu_total_gib', 'process_mib_nvidia_smi', 'oom'],
  ],
];

export function row_kind(row) {
  // One mark is enough unless another kind shows more of its own.
  let best = null;
  let most = 0;
  for (const [kind, keys] of marks) {
    const count = keys.filter((key) => has(row, key)).length;
    if (count > most) [best, most] = [kind, count];
  }
  return best;
}
