// `vramfit/import`: a model read from its own files, as IMPORT.md describes it.
import type { Known } from './known.js';

/** A file of a model, of which only the beginning is read. */
export interface ModelFile {
  name: string;
  /** Bytes in all. */
  size: number;
  /** The bytes from `start` to before `end`. */
  read(start: number, end: number, options: { signal?: AbortSignal }): Promise<Uint8Array>;
}

export interface ImportProgress {
  file: string;
  index: number;
  /** Files in all. */
  count: number;
  /** Bytes of this file, read and needed. */
  read: number;
  needed: number;
}

export interface ImportOptions {
  signal?: AbortSignal;
  onProgress?: (progress: ImportProgress) => void;
  /** Where vramfit-import.wasm is, when not beside the script. */
  wasmUrl?: string | URL;
  /** The module's bytes, in place of its address. */
  wasmBinary?: ArrayBuffer | Uint8Array;
}

export interface ImportedLayers {
  mixer: Known<
    | 'none' | 'full' | 'sliding' | 'chunked' | 'cross' | 'latent' | 'compressed' | 'gated-delta-net' | 'kimi-delta' | 'lightning'
    | 'mamba1' | 'mamba2' | 'short-conv'
  >;
  num_heads: number;
  num_kv_heads: number;
  head_dim: number;
  /** Tokens; 0: none. */
  window: number;
  shares_kv: boolean;
  feed_forward: Known<'none' | 'dense' | 'mixture' | 'dense-and-mixture'>;
  num_experts: number;
  experts_per_token: number;
  count: number;
  /** Which: `0-3,8`. */
  layers: string;
  /** Of one layer, in 16 bits. */
  kv_bytes_per_token: number;
  /** Of one layer and sequence. */
  state_bytes: number;
}

export interface ImportedShare {
  id: string;
  params: number;
  bytes: number;
}

export interface ImportRemark {
  severity: 'info' | 'warning' | 'error';
  id: string;
  file: string;
  /** JSON path, metadata key or tensor. */
  where: string;
  /** As found, shortened. */
  value: string;
  /** What would settle it. */
  wanted: string;
  number: number;
}

export interface InferredRule {
  id: string;
  where: string;
  source: string;
}

export interface ImportedModel {
  ok: boolean;
  /** For estimate(); empty unless `ok`. */
  share: string;
  name: string;
  origin: Known<'config' | 'params' | 'safetensors' | 'gguf'> | '';
  type: string;
  shape: string;
  formats: string;
  max_position_embeddings: number;
  file_bytes: number;
  tensor_bytes: number;
  explained_bytes: number;
  /** Counted from the shape; null unless `ok`. */
  parameters: { total: number; active: number; mtp: number } | null;
  layers: ImportedLayers[];
  classes: ImportedShare[];
  dtypes: ImportedShare[];
  inferred: InferredRule[];
  remarks: ImportRemark[];
}

export function importModel(files: ModelFile[], options?: ImportOptions): Promise<ImportedModel>;
export function fileFrom(blob: Blob, name?: string): ModelFile;
export function fileFromText(name: string, text: string): ModelFile;
/** In Node only. */
export function fileFromPath(path: string): Promise<ModelFile>;
