// Writes a locale as the table that the canvas reads: to FILE, or as a list of bytes for a C++ array where FILE ends in .inc.
//
//   node shell/text/table.mjs FILE LOCALE.json [LOCALE.json ...]   parts of one locale, one over the other
//   node shell/text/table.mjs --marks FILE                         how each region writes figures: its tag, its lines, an empty line
//
// Programs speak in the terminal too.
import { readFileSync, writeFileSync } from 'node:fs';

import { addMessages } from '../../web/text/messages.mjs';
import { canvasNamespaces, toTable } from '../../web/text/table.mjs';
import { marksOf } from '../canvas/marks.mjs';

// Every region of our languages that Intl knows and that writes otherwise than its language does at home.
function allMarks() {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const regions = ['001', '150', '419', ...letters.flatMap((first) => letters.map((second) => first + second))];
  return [['en', 'en'], ['es', 'es'], ['pt', 'pt-BR']].map(([base, home]) => {
    const own = marksOf(home);
    const others = regions.map((region) => `${base}-${region}`).filter((tag) => new Intl.NumberFormat(tag).resolvedOptions().locale === tag && marksOf(tag) !== own);
    return [home, ...others].map((tag) => `\n${tag}\n${marksOf(tag)}`).join('');
  }).join('');
}

const marks = process.argv[2] === '--marks';
const [to, ...parts] = process.argv.slice(marks ? 3 : 2);
if (!to || (parts.length === 0) !== marks) {
  console.error('usage: node shell/text/table.mjs FILE LOCALE.json [LOCALE.json ...] | --marks FILE');
  process.exit(64);
}
const table = Buffer.from(marks ? allMarks()
  : toTable(parts.map((part) => JSON.parse(readFileSync(part, 'utf8'))).reduce(addMessages, {}), to.endsWith('.inc') ? [...canvasNamespaces, 'cli'] : canvasNamespaces));
writeFileSync(to, to.endsWith('.inc') ? `${[...table].map((byte, i) => byte + (i % 40 === 39 ? ',\n' : ',')).join('')}0\n` : table);
