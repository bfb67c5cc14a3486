// What a training row says, in the product's inputs; or why the product cannot be asked.
import { count_of, text_of } from './values.mjs';

// -> {task} or {reason}
export function training_task(method, quantization) {
  const m = (text_of(method) ?? '').toLowerCase();
  const q = (text_of(quantization) ?? '').toLowerCase();
  if (/dpo|\brm\b|orpo|cpo|grpo|ppo|kto|\+|offload|\(emb\)|galore|benchmark|rslora|lora_llm/.test(m))
    return { reason: `training method not modelled: ${method}` };
  const eight_bit = /8-?bit|int8/.test(q) && !/4-?bit/.test(q);
  if (/^q-?lora/.test(m)) return eight_bit ? { reason: `quantization not modelled for QLoRA: ${quantization}` } : { task: 'qlora' };
  if (m === 'lora') {
    if (!q) return { task: 'lora' };
    return eight_bit ? { reason: `quantization not modelled for LoRA: ${quantization}` } : { task: 'qlora' };
  }
  if (/^full\b|^pretraining/.test(m))
    return q ? { reason: `quantization not modelled for full training: ${quantization}` } : { task: 'full' };
  return { reason: `training method not modelled: ${method ?? 'not stated'}` };
}

// -> {value, assumed} or {reason}
export function checkpointing(value, other) {
  const told = `${other ?? ''}`.toLowerCase();
  if (value === true) return { value: 'full' };
  if (value === false) return { value: 'none' };
  const s = (text_of(value) ?? '').toLowerCase();
  if (/selective/.test(s)) return { reason: 'checkpointing not modelled: selective' };
  if (/offload/.test(s)) return { reason: 'checkpointing not modelled: offloaded' };
  if (/^true|full/.test(s)) return { value: 'full' };
  if (/^false|none|off/.test(s)) return { value: 'none' };
  if (s) return { reason: `checkpointing not modelled: ${value}` };
  if (/without activation checkpointing/.test(told)) return { value: 'none', assumed: 'no checkpointing, as noted' };
  if (/activation checkpointing on|gradient checkpointing is/.test(told)) return { value: 'full', assumed: 'checkpointing, as noted' };
  return { value: 'full', assumed: 'checkpointing' };
}

// The product shards states over all GPUs and keeps each GPU's own activations. -> null or the reason it cannot stand for the layout.
export function sharding(zero, parallelism, gpus, product) {
  if (gpus > product.max_count) return `more GPUs than the product counts: ${gpus}`;
  const layout = [...(text_of(parallelism) ?? '').matchAll(/\b(TP|PP|EP|CP|SP)\s*=?\s*(\d+)/gi)]
    .filter((m) => Number(m[2]) > 1)
    .map((m) => m[0]);
  if (layout.length > 0) return `parallel layout not modelled: ${layout.join(', ')}`;
  if (gpus === 1) return null;
  const z = (text_of(zero) ?? '').toLowerCase();
  if (/zero-?3|fsdp/.test(z)) return null;
  if (!z) return 'how the states are sharded is not stated';
  return `sharding not modelled: ${zero}`;
}

// -> {states, assumed} or {reason}. Only full training has a choice of states.
export function state_recipe(row) {
  const told = `${row.precision ?? ''} ${row.other ?? ''} ${row.check ?? ''}`.toLowerCase();
  const optimizer = (text_of(row.optimizer) ?? '').toLowerCase();
  if (/8-?bit|muon|galore|lion|sgd|adafactor/.test(optimizer)) return { reason: `optimizer not modelled: ${row.optimizer}` };
  if (/optimizer[-_ ]in[-_ ](backward|bwd)/.test(told)) return { reason: 'optimizer in backward is not modelled' };
  if (/\b(nvfp4|mxfp8|float8)\b/i.test(row.precision ?? '')) return { reason: `training precision not modelled: ${row.precision}` };
  if (/bf16-true|pure bf16/.test(told) || /torchtune/i.test(row.engine ?? ''))
    return { states: '8-byte', assumed: 'all states in bf16 (8 bytes); the product has no such choice and answers its default' };
  if (/fp32 master|mixed/.test(told) && !/torchtitan/i.test(row.engine ?? '')) return { states: '18-byte' };
  if (/fp32|torchtitan/.test(told) || /torchtitan|deepspeed|zero/i.test(`${row.engine ?? ''} ${row.zero_or_fsdp ?? ''}`))
    return { states: '16-byte' };
  return { assumed: '18-byte states' };
}
