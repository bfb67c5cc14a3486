// `vramfit/price-list`: a price list of one's own, as PRICES.md describes it.
import type { Catalog } from './catalog.js';
import type { Known } from './known.js';
import type { PriceKind } from './result.js';

export interface PriceListRow {
  gpu: string;
  usd_per_gpu_hour: number;
  kind: Exclude<PriceKind, 'own'>;
}

/** What estimate() and whatIf() take. */
export interface PriceList {
  provider: string;
  /** YYYY-MM-DD */
  date: string;
  /** Those that are used, with canonical ids. */
  rows: PriceListRow[];
  /** The same for the module. */
  table: string;
}

export interface PriceProblem {
  /** From 1; `null` is the list's head. */
  row: number | null;
  id: Known<
    | 'not-an-object' | 'missing' | 'bad-schema' | 'bad-currency' | 'bad-provider' | 'bad-date' | 'not-a-list' | 'too-long' | 'too-many-rows'
    | 'unknown-key' | 'unknown-gpu' | 'duplicate' | 'not-a-number' | 'out-of-range' | 'unknown-kind'
  >;
  /** The key it is about. */
  field: string;
  /** What stands there, shortened. */
  value: string;
}

export interface ReadPriceList {
  /** `null` when the list as a whole is refused. */
  prices: PriceList | null;
  problems: PriceProblem[];
}

/** `json`: the file, parsed; it may be anything. */
export function readPriceList(json: unknown, catalog: Catalog): ReadPriceList;
