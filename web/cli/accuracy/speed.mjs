// Speed cases: counted, and compared as soon as the product has a figure for them.
export function speed(row, tools, records) {
  records.skip(row, 'the product has no speed method');
}
