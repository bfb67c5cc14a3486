// What the product names as the cause of a refusal, and which published reasons are the same in kind. The kinds are the lines of the
// table of refusals that the published statements were sorted into: a reason is met when the product names a cause of its line.
const lines = [
  {
    reasons: ['weights', 'weights_plus_kv', 'no_kv_left'],
    causes: ['weights', 'no-room-for-cache', 'cache', 'activations', 'start-varies'],
  },
  { reasons: ['kv_single_request', 'kv_batch', 'weights_plus_kv'], causes: ['one-request', 'cache', 'many-requests', 'window-flag', 'engine-one-request'] },
  {
    reasons: ['heads_divisibility', 'layout_unsupported'],
    causes: ['heads', 'kv-heads', 'ffn-width', 'vocabulary', 'state-heads', 'state-channels', 'layers', 'layout-size', 'context-parallel', 'pipeline-support'],
  },
  { reasons: ['quant_block_divisibility'], causes: ['quant-blocks'] },
  { reasons: ['mamba_state_blocks'], causes: ['state-blocks', 'engine-state-blocks'] },
  {
    reasons: ['activations_workspace', 'cuda_graphs', 'draft_model', 'compute_buffer', 'engine_overhead'],
    causes: ['activations', 'graphs', 'beside-budget', 'little-beside-budget', 'draft-model', 'encoder-profile', 'start-varies'],
  },
  {
    reasons: ['prefill_warmup', 'request_time', 'multimodal_profile'],
    causes: ['activations', 'encoder-profile', 'cache-copy', 'little-beside-budget', 'beside-budget', 'long-prompt'],
  },
  { reasons: ['utilization_too_high'], causes: ['beside-budget', 'little-beside-budget', 'graphs'] },
  { reasons: ['unified_memory'], causes: ['unified-memory', 'other-programs'] },
  { reasons: ['precision_unsupported'], causes: ['chip-precision', 'precision-on-chip', 'engine-vendor', 'engine-chip', 'bfloat16-on-chip'] },
  { reasons: ['version_regression'], causes: ['start-varies'] },
  { reasons: ['online_quant_peak'], causes: ['quantize-at-load'] },
  { reasons: ['default_tp1'], causes: ['tensor-parallel-flag'] },
  { reasons: ['host_ram'], causes: ['host-memory'] },
];
const all_causes = new Set(lines.flatMap((l) => l.causes));

export const same_class = (reason, causes) => lines.some((l) => l.reasons.includes(reason) && l.causes.some((c) => causes.includes(c)));
export const known_reason = (reason) => lines.some((l) => l.reasons.includes(reason));

// What an answer names for `count` of a GPU: the verdict's cause and the warnings that are about the same question.
export function named_causes(answer, gpu, count) {
  const row = answer.fit?.find((f) => f.gpu === gpu);
  const cause = row?.causes?.[count - 1];
  const warnings = answer.notices.filter((n) => n.severity === 'warning' && all_causes.has(n.id)).map((n) => n.id);
  return { cause: cause || null, warnings: [...new Set(warnings)] };
}

// The words of an engine's refusal -> the reason's class, where a source quotes the message and names no class.
const messages = [
  [/negative KV|no available memory for cache blocks|weights exceed|minimum viable fraction/i, 'no_kv_left'],
  [/larger than|max seq len .*(tokens|KV)|needs? [\d.]+ GiB for one/i, 'kv_single_request'],
  [/graph capture/i, 'cuda_graphs'],
  [/warming up the sampler|prefill|batched tokens/i, 'activations_workspace'],
];
export const class_of_message = (text) => messages.find(([pattern]) => pattern.test(text ?? ''))?.[1] ?? null;

// The three questions of an engine's verdict. null: the row does not answer it.
export function score(expected, got, named, reason, stated) {
  const negative = expected === 'does-not-fit';
  const all = [named.cause, ...named.warnings].filter(Boolean);
  return {
    not_impossible: negative ? null : got === 'fits' || got === 'tight',
    // A warning beside "fits" counts only when it is about the reason.
    not_silent: negative ? got !== 'fits' || same_class(reason, named.warnings) : null,
    same_class: negative && stated && known_reason(reason) ? same_class(reason, all) : null,
  };
}
