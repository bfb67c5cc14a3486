// The package's reader of price lists.
export { readPriceList } from '../price_list.mjs';
