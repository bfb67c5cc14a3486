// The result object of schema 1. RESULT.md describes each key; within the schema keys are only added.
import type { EngineId, InputKey, Inputs, MethodId, ViewKey, WeightFormat } from './inputs.js';
import type { Known } from './known.js';
import type { Notice } from './notice.js';

/** Bytes; all three equal where nothing is uncertain. */
export interface Range {
  low: number;
  likely: number;
  high: number;
}

export interface Model {
  /** `''` for a bare size. */
  id: string;
  name: string;
  /** The vendor's round size, which the rule counts. */
  stated_params: number;
  /** Exact count; 0 for a bare size. */
  params: number;
  active_params: number;
  num_layers: number;
  num_heads: number;
  num_kv_heads: number;
  /** 0 when not stated. */
  max_position_embeddings: number;
  /** Cache growth of one sequence by one token; 0 when unknown. */
  kv_bytes_per_token: number;
}

export type CompartmentId = Known<
  'weights' | 'kv_cache' | 'state' | 'activations' | 'margin' | 'gradients' | 'optimizer' | 'adapters' | 'reserve' | 'headroom'
  | 'communication' | 'graphs' | 'encoder' | 'draft' | 'request_table' | 'workspace' | 'buffers'
>;

/** One line of the arithmetic behind a compartment. */
export interface Term {
  formula: string;
  source: string;
  /** Only where the number format has a source of its own. */
  format_source?: string;
  /** The figures put into the formula, by name. */
  values: Record<string, number>;
  /** For one whole copy of the model, before any split over GPUs. */
  bytes: Range;
}

export interface Compartment {
  id: CompartmentId;
  /** By the engine method: inside its budget, beside it, or there before it looks. */
  place?: Known<'inside' | 'beside' | 'before'>;
  /** On the fullest GPU. */
  per_gpu_bytes: Range;
  /** Over all GPUs, copies included. */
  total_bytes: Range;
  /** Likely bytes of each GPU, the fullest first; only where they do not hold the same. */
  rank_bytes?: number[];
  terms: Term[];
}

/** Why a number of GPUs cannot share the model. */
export type Reason = Known<'heads' | 'heads-unknown' | 'kv-heads' | 'state-heads' | 'state-channels' | 'ffn-width' | 'vocabulary' | 'layers'
  | 'layout-size' | 'quant-blocks' | 'context-parallel' | 'pipeline-support' | 'engine-vendor' | 'engine-chip' | 'chip-precision' | 'values-need-flash-attention'>;

/** Why an engine's verdict is no plain `fits`: one of these, or of an unusable count the reason. */
export type Cause = Known<'' | 'heads' | 'kv-heads' | 'state-heads' | 'ffn-width' | 'layout-size' | 'quant-blocks' | 'context-parallel' | 'pipeline-support' | 'engine-vendor' | 'engine-chip'
  | 'chip-precision' | 'values-need-flash-attention' | 'weights' | 'no-room-for-cache' | 'beside-budget' | 'one-request' | 'state-blocks' | 'cache' | 'many-requests' | 'activations' | 'graphs'
  | 'draft-model' | 'other-programs' | 'unified-memory' | 'host-memory' | 'quantize-at-load' | 'pool-size'>;

interface LayoutBytes {
  count: number;
  /** Per GPU, headroom included. */
  need_bytes: Range;
  /** Per GPU, without headroom: below this it cannot run. */
  floor_bytes: number;
}
export interface UsableLayout extends LayoutBytes {
  usable: true;
}
export interface UnusableLayout extends LayoutBytes {
  usable: false;
  reason: Reason;
  /** The number that does not divide. */
  reason_number: number;
}
export type Layout = UsableLayout | UnusableLayout;

export interface Method {
  /** For one copy of the model on one GPU, headroom included. */
  total_bytes: Range;
  split: Known<'tensor' | 'layer' | 'shard' | 'pipeline'>;
  split_source: string | null;
  /** What could not be computed: the total is then a lower bound. */
  missing: CompartmentId[];
  compartments: Compartment[];
  /** One per count, from 1 to 8. */
  layouts: Layout[];
}

export interface Pick {
  gpu: string;
  name: string;
  count: number;
  verdict: Known<'fits' | 'tight' | 'does-not-fit' | 'unusable'>;
  /** For all GPUs of the pick; `null` when the price is unknown. */
  usd_per_hour: number | null;
}

export type PriceKind = 'on-demand' | 'marketplace' | 'spot' | 'reference' | 'publisher' | 'own';

export interface Price {
  usd_per_gpu_hour: number;
  /** Id of a price book; `own`: typed by the user; `host`: of a price list. */
  book: string;
  provider: string;
  kind: Known<PriceKind>;
  /** YYYY-MM-DD; `''` for a price typed by the user. */
  date: string;
}

export type Verdict = Known<'fits' | 'tight' | 'does-not-fit' | 'node-limit' | Reason>;

export interface FitRow {
  gpu: string;
  /** What the figures are held against: marketed for the rule, reported by the driver for the worksheet. */
  capacity_bytes: number;
  price: Price | null;
  /** For 1 to 8 GPUs of one host. */
  verdicts: Verdict[];
  /** By the engine method, for each of these counts: why it is no plain `fits`. */
  causes?: Cause[];
  cause_numbers?: number[];
  /** By the engine method, for each of these counts: the likely need per GPU of this kind. */
  need_bytes?: number[];
}

export interface PrecisionStep {
  weights: WeightFormat;
  total_bytes: number;
  pick: Pick | null;
}

/** What the engine does with the memory of one GPU of the chosen layout, as its own log would say it; zeros where it has no such thing. */
export interface EngineReport {
  id: Known<EngineId>;
  /** The era of its memory accounting in use; `''` where there is only one. */
  era: string;
  tensor_parallel: number;
  pipeline_parallel: number;
  data_parallel: number;
  /** Of one GPU. */
  usable_bytes: number;
  /** What the engine allows itself. */
  budget_bytes: number;
  /** The share in use: of the GPU, or of what is free. */
  memory_share: number;
  /** Room for cache and state. */
  pool_bytes: Range;
  /** Of the pool. */
  tokens: Range;
  /** Requests of the context asked for that the pool holds. */
  max_concurrency: Range;
  num_blocks: number;
  block_tokens: number;
  /** Of one request. */
  longest_context: number;
  max_num_seqs: number;
  max_num_batched_tokens: number;
  /** Source id of the two limits where one is the engine's default for the card; else empty. */
  limits_source: string;
  /** Of the process, as nvidia-smi shows it. */
  reported_bytes: Range;
  host_bytes: Range;
  /** llama.cpp: layers, the output layer among them, that the GPUs hold with this context. */
  gpu_layers: number;
}

export interface Methods {
  rule: Method;
  worksheet: Method;
  /** Where an engine can serve it. */
  engine?: Method;
}

interface Always {
  schema: 1;
  version: string;
  /** YYYY-MM-DD: newest date of any catalogue row. */
  catalog_date: string;
  /** Canonical share string of the inputs; `''` when all are defaults. */
  share: string;
  /** The page's own keys found in the input, as typed. */
  view: Partial<Record<ViewKey, string>>;
  notices: Notice[];
  inputs: Inputs;
  /** Keys of the fields that matter, given the others. */
  applies: InputKey[];
  model: Model;
  /** The weight format in use: `native` is resolved to what the checkpoint was published in. */
  weights: WeightFormat;
}

/** An error notice stands against an answer. */
export interface Refusal extends Always {
  refused: true;
}

export interface Answer extends Always {
  refused: false;
  method: MethodId;
  methods: Methods;
  /** Of the engine method; `null` where it has no part: training, a size without layers. */
  engine: EngineReport | null;
  /** Fewest GPUs that fit, then least memory, then lowest price. */
  best: Pick | null;
  /** Lowest hourly price that fits. */
  cheapest: Pick | null;
  /** What the itemised figures are for. */
  chosen: Pick | null;
  fit: FitRow[];
  /** The rule at BF16, FP8 and 4-bit; empty for training tasks. */
  precision: PrecisionStep[];
}

/** What estimate() returns: look at `refused` first. */
export type Result = Answer | Refusal;
