// The need at other contexts and numbers of sequences, and how far each goes.
import type { CacheFormat } from './inputs.js';
import type { CompartmentId } from './result.js';

export interface WhatIfCard {
  gpu: string;
  name: string;
  count: number;
  capacity_bytes: number;
}

/** Largest values of the axis's field; 0: none; the field's maximum: no limit found. */
export interface WhatIfLimit {
  fits: number;
  runs: number;
}

export interface WhatIfLine {
  /** `''` on the only line where nothing is kept in a cache. */
  kv: CacheFormat;
  chosen: boolean;
  /** Per GPU at each of the axis's values, headroom included. */
  need_bytes: number[];
  /** Only where it is uncertain. */
  low_bytes?: number[];
  high_bytes?: number[];
  /** On each of the cards. */
  limits: WhatIfLimit[];
}

export interface WhatIfAxis {
  field: 'context' | 'sequences' | 'micro_batch';
  /** The input's own. */
  value: number;
  values: number[];
  lines: WhatIfLine[];
}

export interface WhatIf {
  refused: boolean;
  count: number;
  missing: CompartmentId[];
  cards: WhatIfCard[];
  axes: WhatIfAxis[];
}
