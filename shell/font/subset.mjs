// Writes the two weights of the canvas's typeface, cut down to the glyphs it needs, as lists of bytes for a C++ array.
//
//   node shell/font/subset.mjs --out DIR      writes DIR/font_regular.inc and DIR/font_semibold.inc
//
// The typeface is IBM Plex Sans: open, with figures of one width, clear at small sizes. A character that the texts need and the
// typeface does not have fails the build.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const require = createRequire(import.meta.url);
const subsetFont = require('subset-font');
const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const { values } = parseArgs({ options: { out: { type: 'string' } } });
if (!values.out) {
  console.error('usage: subset.mjs --out DIR');
  process.exit(64);
}

// Besides what the texts hold: ASCII and the letters of the three languages, since a search field takes any of them, and the no-break
// space, minus and ellipsis that number formats and drawing code write themselves.
const ascii = String.fromCodePoint(...Array.from({ length: 95 }, (_, i) => 32 + i));
const letters = 'áàâãçéêíñóôõúü';
const always = `${ascii}${letters}${letters.toUpperCase()}¿¡ºª\u00a0\u2212\u2026\u2013`;

function charactersOf(json) {
  if (typeof json === 'string') return json;
  return Object.values(json).map(charactersOf).join('');
}

const locales = join(root, 'web', 'locales');
const used = readdirSync(locales).map((file) => charactersOf(JSON.parse(readFileSync(join(locales, file), 'utf8')))).join('');
const catalog = ['models', 'gpus'].map((name) => readFileSync(join(root, 'assets', 'catalog', `${name}.jsonl`), 'utf8')).join('');
const wanted = [...new Set(always + used + catalog)].filter((c) => c >= ' ').sort().join('');

// The code points that a font's Unicode table maps (format 4, which every font has for these).
function mapped(font) {
  const found = new Set();
  const tables = font.readUInt16BE(4);
  let cmap = 0;
  for (let i = 0; i < tables; i += 1) if (font.toString('latin1', 12 + 16 * i, 16 + 16 * i) === 'cmap') cmap = font.readUInt32BE(20 + 16 * i);
  for (let i = 0; i < font.readUInt16BE(cmap + 2); i += 1) {
    const table = cmap + font.readUInt32BE(cmap + 8 + 8 * i);
    if (font.readUInt16BE(table) !== 4) continue;
    const segments = font.readUInt16BE(table + 6) / 2;
    for (let s = 0; s < segments; s += 1) {
      const end = font.readUInt16BE(table + 14 + 2 * s);
      const start = font.readUInt16BE(table + 16 + 2 * segments + 2 * s);
      for (let code = start; code <= end && code < 0xffff; code += 1) found.add(code);
    }
  }
  return found;
}

mkdirSync(values.out, { recursive: true });
for (const [name, weight] of [['regular', 400], ['semibold', 600]]) {
  const source = readFileSync(require.resolve(`@fontsource/ibm-plex-sans/files/ibm-plex-sans-latin-${weight}-normal.woff2`));
  const font = await subsetFont(source, wanted, {
    targetFormat: 'sfnt',
    keepFeatures: [],
    noHinting: true,
    noLayoutClosure: true,
    // The canvas reads outlines, widths and the character map.
    dropTables: ['GPOS', 'GSUB', 'GDEF', 'name', 'post', 'OS/2', 'gasp', 'STAT', 'DSIG', 'kern'],
  });
  const has = mapped(font);
  const missing = [...wanted].filter((c) => !has.has(c.codePointAt(0)));
  // The soft hyphen is never drawn.
  const lacking = missing.filter((c) => c !== '\u00ad');
  if (lacking.length > 0) throw new Error(`IBM Plex Sans ${weight} has no ${lacking.map((c) => `${c} (U+${c.codePointAt(0).toString(16)})`).join(', ')}`);
  writeFileSync(join(values.out, `font_${name}.inc`), `${[...font].join(',')}\n`);
}
