// A quantity that the row's author worked out from the measured figure must not be tested with that figure.
const told = (row) =>
  [row.notes, row.note, row.check, row.extra?.note, row.check?.note, row.other].filter((v) => typeof v === 'string').join(' | ');

// -> a reason when the model itself was deduced from the figures, or null.
export function inferred_model(row) {
  return /\binferred\b/i.test(String(row.model ?? '')) ? 'model inferred from the measured figures' : null;
}

// -> quantities ("weights", "kv") that the row may not be used for, each with the reason.
export function not_to_validate(row) {
  const out = {};
  const name = String(row.model ?? '');
  if (/\(from [^)]*\d GiB/i.test(name)) out.weights = 'model inferred from its weight bytes';
  if (/\(from [^)]*(tokens|kv|cache)/i.test(name)) out.kv = 'model inferred from its cache';
  if (/from block|inferred|implied|guess/i.test(String(row.kv_dtype ?? ''))) out.kv = 'KV dtype inferred from the cache';
  if (/(context|ctx|n_ctx)[^.;:|]*inferred/i.test(told(row))) out.kv = 'context inferred from the cache';
  if (/inferred|implied|guess/i.test(String(row.weight_dtype ?? row.ftype ?? ''))) out.weights = 'format inferred from the weight bytes';
  return out;
}
