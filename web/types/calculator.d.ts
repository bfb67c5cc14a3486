// The calculator, however it was loaded.
import type { Catalog } from './catalog.js';
import type { Result } from './result.js';
import type { WhatIf } from './what_if.js';

export interface Vramfit {
  /** `share`: the part of a link behind `?`, such as `model=llama-3.1-70b&weights=fp8`. */
  estimate(share?: string): Result;
  whatIf(share?: string): WhatIf;
  /** The same object each time. */
  catalog(): Catalog;
}
