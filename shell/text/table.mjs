// Writes a locale as the table that the canvas reads: to FILE, or as a list of bytes for a C++ array where FILE ends in .inc.
//
//   node shell/text/table.mjs LOCALE.json FILE [NAMESPACE ...]
//
// Programs speak in the terminal too.
import { readFileSync, writeFileSync } from 'node:fs';

import { canvasNamespaces, toTable } from '../../web/text/table.mjs';

const [from, to, ...namespaces] = process.argv.slice(2);
if (!to) {
  console.error('usage: node shell/text/table.mjs LOCALE.json FILE [NAMESPACE ...]');
  process.exit(64);
}
const table = Buffer.from(toTable(JSON.parse(readFileSync(from, 'utf8')), namespaces.length ? namespaces : to.endsWith('.inc') ? [...canvasNamespaces, 'cli'] : canvasNamespaces));
writeFileSync(to, to.endsWith('.inc') ? `${[...table].map((byte, i) => byte + (i % 40 === 39 ? ',\n' : ',')).join('')}0\n` : table);
