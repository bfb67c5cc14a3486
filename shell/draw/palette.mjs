// Writes the page's two palettes as C++ initialisers, so that the desktop wears the page's colours.
//
//   node shell/draw/palette.mjs --out FILE.inc
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const { values } = parseArgs({ options: { out: { type: 'string' } } });
if (!values.out) {
  console.error('usage: palette.mjs --out FILE.inc');
  process.exit(64);
}

const css = readFileSync(join(root, 'web', 'page', 'palette.css'), 'utf8');
const source = readFileSync(join(root, 'shell', 'draw', 'palette.cpp'), 'utf8');
const names = [...source.match(/ink_names\[num_inks\] = \{([^}]*)\}/)[1].matchAll(/"([\w-]+)"/g)].map((m) => m[1]);

const colors = new Map([...css.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{3,6}), (#[0-9a-f]{3,6})\);/g)].map(([, name, ...pair]) => [name, pair]));

function initialiser(theme) {
  return names.map((name) => {
    if (!colors.has(name)) throw new Error(`palette.css has no --${name}`);
    const hex = colors.get(name)[theme];
    const digits = hex.length === 4 ? [...hex.slice(1)].map((d) => d + d) : hex.slice(1).match(/../g);
    return `0xff${digits.reverse().join('')}u`;
  }).join(', ');
}

writeFileSync(values.out, [0, 1].map((theme) => `{{${initialiser(theme)}}},\n`).join(''));
