// Every type of what goes in and comes out.
export * from './calculator.js';
export * from './catalog.js';
export * from './inputs.js';
export * from './known.js';
export * from './notice.js';
export type { PriceList, PriceListRow } from './price_list.js';
export * from './result.js';
export * from './what_if.js';
