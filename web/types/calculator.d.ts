// The calculator, however it was loaded.
import type { Catalog } from './catalog.js';
import type { PriceList } from './price_list.js';
import type { Result } from './result.js';
import type { WhatIf } from './what_if.js';

export interface EstimateOptions {
  /** The only prices, in place of the catalogue's; `null` stands for the catalogue's. */
  prices?: PriceList | null;
}

export interface Vramfit {
  /** `share`: the part of a link behind `?`, such as `model=llama-3.1-70b&weights=fp8`. */
  estimate(share?: string, options?: EstimateOptions): Result;
  whatIf(share?: string, options?: EstimateOptions): WhatIf;
  /** The same object each time. */
  catalog(): Catalog;
}
