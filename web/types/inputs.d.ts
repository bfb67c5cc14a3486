// What is asked: the fields of a share string, by key.
import type { Known } from './known.js';

export type Task = 'serve' | 'full' | 'lora' | 'qlora';
export type MethodId = 'rule' | 'worksheet' | 'engine';
export type EngineId = 'vllm' | 'sglang' | 'tensorrt-llm' | 'transformers' | 'llama.cpp' | 'ollama' | 'lm-studio' | 'koboldcpp';

export type WeightFormat = Known<
  | 'native' | 'fp32' | 'bf16' | 'fp16' | 'fp8' | 'fp8-block' | 'int8' | 'int8-bnb' | 'int8-gptq' | 'int4' | 'int4-awq' | 'int4-gptq' | 'int4-w4a16' | 'fp8-ffn' | 'int4-experts'
  | 'nf4' | 'nf4-dq' | 'mxfp4' | 'nvfp4' | 'fp4-experts-fp8' | 'f16' | 'q8_0' | 'q6_k' | 'q5_k_m' | 'q5_k_s' | 'q5_1' | 'q5_0' | 'q4_k_m'
  | 'q4_k_s' | 'q4_1' | 'q4_0' | 'iq4_nl' | 'iq4_xs' | 'mxfp4_moe' | 'q3_k_l' | 'q3_k_m' | 'q3_k_s' | 'iq3_m' | 'iq3_s' | 'iq3_xxs' | 'q2_k'
  | 'q2_k_s' | 'iq2_m' | 'iq2_s' | 'iq2_xs' | 'iq2_xxs' | 'iq1_m' | 'iq1_s'
>;
export type CacheFormat = Known<'bf16' | 'fp16' | 'fp8' | 'int8' | 'int4' | 'nvfp4' | 'q8_0' | 'q5_1' | 'q5_0' | 'q4_1' | 'q4_0'>;
export type GpuSet = 'all' | 'apple' | 'article' | 'consumer' | 'datacenter' | 'workstation';

/** Every field. `null`: an optional number left out. `''`: none chosen, where that can be. In a refusal a choice is what was typed. */
export interface Inputs extends EngineInputs {
  task: Known<Task>;
  /** Id of a catalogue model, `''` for a bare size. */
  model: string;
  /** A model of one's own in place of `model`, as its shape string; `''` for none. */
  shape: string;
  /** What to call that model. */
  name: string;
  /** What its files store its tensors in, as a format table. */
  formats: string;
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

type YesNo = Known<'yes' | 'no'>;
type AutoYesNo = Known<'auto' | 'yes' | 'no'>;

/** The engine method's fields, under the engines' own names. Of these only what plays a part, or was given, is in a result. */
export interface EngineInputs {
  engine?: Known<'auto' | EngineId>;
  /** The release that began an era of its memory accounting. */
  vllm_version?: Known<'0.21' | '0.17' | '0.8' | 'v0' | '0.6'>;
  sglang_version?: Known<'0.5' | '0.4'>;
  transformers_version?: Known<'4.56' | '4.45' | '4.36' | '4.0'>;
  llama_cpp_build?: Known<'2026-05' | '2026-01' | '2025-05' | '2024'>;
  gpu_memory_utilization?: number | null;
  mem_fraction_static?: number | null;
  free_gpu_memory_fraction?: number;
  pipeline_parallel?: number;
  data_parallel?: number;
  expert_parallel?: YesNo;
  decode_context_parallel?: number;
  attention_dp?: YesNo;
  max_num_seqs?: number | null;
  max_running_requests?: number | null;
  max_batch_size?: number | null;
  max_num_batched_tokens?: number | null;
  chunked_prefill_size?: number | null;
  max_num_tokens?: number;
  enforce_eager?: YesNo;
  disable_cuda_graph?: YesNo;
  block_size?: number | null;
  page_size?: number;
  tokens_per_block?: number;
  enable_prefix_caching?: YesNo;
  disable_hybrid_kv_cache_manager?: YesNo;
  mamba_ssm_cache_dtype?: Known<'auto' | 'float32' | 'float16'>;
  mamba_full_memory_ratio?: number;
  max_mamba_cache_size?: number | null;
  swa_full_tokens_ratio?: number;
  quantize_at_load?: YesNo;
  speculative?: Known<'none' | 'mtp' | 'eagle3' | 'draft'>;
  num_speculative_tokens?: number;
  /** Id of a catalogue model, `''` for none. */
  draft_model?: string;
  language_model_only?: YesNo;
  max_loras?: number | null;
  max_lora_rank?: number;
  /** GiB, as all that ends in `_gib`. */
  cpu_offload_gb?: number | null;
  kv_cache_memory_gib?: number | null;
  attn_implementation?: Known<'sdpa' | 'flash_attention_2' | 'eager'>;
  /** Tokens read at once. */
  prompt_tokens?: number | null;
  do_fuse?: YesNo;
  n_gpu_layers?: number;
  n_cpu_moe?: number;
  n_batch?: number;
  n_ubatch?: number;
  n_parallel?: number | null;
  kv_unified?: AutoYesNo;
  flash_attn?: Known<'auto' | 'on' | 'off'>;
  swa_full?: AutoYesNo;
  kv_offload?: YesNo;
  mmproj?: YesNo;
  split_mode?: Known<'layer' | 'row'>;
  host_memory_gib?: number | null;
  other_programs_gib?: number | null;
  /** What a start-up log printed, in place of what would be predicted. */
  measured_total_gib?: number | null;
  measured_weights_gib?: number | null;
  measured_activations_gib?: number | null;
  measured_other_gib?: number | null;
  measured_graphs_gib?: number | null;
}

/** A key of a share string that is an input. */
export type InputKey = keyof Inputs;

/** Keys of a share string that are the page's own: no input, and no answer depends on them. */
export type ViewKey = 'lang' | 'theme' | 'units' | 'embed' | 'view';
