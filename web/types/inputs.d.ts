// What is asked: the fields of a share string, by key.
import type { Known } from './known.js';

export type Task = 'serve' | 'full' | 'lora' | 'qlora';
export type MethodId = 'rule' | 'worksheet';

export type WeightFormat = Known<
  | 'native' | 'fp32' | 'bf16' | 'fp16' | 'fp8' | 'fp8-block' | 'int8' | 'int8-bnb' | 'int4' | 'int4-awq' | 'int4-gptq' | 'int4-experts'
  | 'nf4' | 'nf4-dq' | 'mxfp4' | 'nvfp4' | 'fp4-experts-fp8' | 'f16' | 'q8_0' | 'q6_k' | 'q5_k_m' | 'q5_k_s' | 'q5_1' | 'q5_0' | 'q4_k_m'
  | 'q4_k_s' | 'q4_1' | 'q4_0' | 'iq4_nl' | 'iq4_xs' | 'mxfp4_moe' | 'q3_k_l' | 'q3_k_m' | 'q3_k_s' | 'iq3_m' | 'iq3_s' | 'iq3_xxs' | 'q2_k'
  | 'q2_k_s' | 'iq2_m' | 'iq2_s' | 'iq2_xs' | 'iq2_xxs' | 'iq1_m' | 'iq1_s'
>;
export type CacheFormat = Known<'bf16' | 'fp16' | 'fp8' | 'int8' | 'int4' | 'q8_0' | 'q5_1' | 'q5_0' | 'q4_1' | 'q4_0'>;
export type GpuSet = 'all' | 'apple' | 'article' | 'consumer' | 'datacenter' | 'workstation';

/** Every field. `null`: an optional number left out. `''`: none chosen, where that can be. In a refusal a choice is what was typed. */
export interface Inputs {
  task: Known<Task>;
  /** Id of a catalogue model, `''` for a bare size or a shape of one's own. */
  model: string;
  params: number;
  num_layers: number | null;
  hidden_size: number | null;
  intermediate_size: number | null;
  vocab_size: number | null;
  num_heads: number | null;
  num_kv_heads: number | null;
  head_dim: number | null;
  weights: WeightFormat;
  group_size: Known<'32' | '64' | '128' | 'channel'>;
  kv: CacheFormat;
  /** Tokens of one sequence. */
  context: number;
  sequences: number;
  states: Known<'18-byte' | '16-byte' | '8-byte'>;
  checkpointing: Known<'full' | 'none'>;
  micro_batch: number;
  lora_rank: number;
  method: Known<MethodId>;
  situation: Known<'auto' | 'batch1' | 'serving' | 'production' | 'long-context' | 'benchmark'>;
  /** Percent. */
  headroom: number | null;
  /** Tokens. */
  batched_tokens: number;
  /** A set, or GPU ids, each with its own price where one follows: `h200:3.20,b200`. */
  gpus: Known<GpuSet>;
  /** Id of one GPU, `''` for any. */
  gpu: string;
  count: number | null;
  /** Id of a price book. */
  prices: Known<'market'>;
}

/** A key of a share string that is an input. */
export type InputKey = keyof Inputs;

/** Keys of a share string that are the page's own: no input, and no answer depends on them. */
export type ViewKey = 'lang' | 'theme' | 'units' | 'embed' | 'view';
