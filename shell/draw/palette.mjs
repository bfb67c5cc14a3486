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

const css = readFileSync(join(root, 'web', 'page', 'style.css'), 'utf8');
const source = readFileSync(join(root, 'shell', 'draw', 'palette.cpp'), 'utf8');
const names = [...source.match(/ink_names\[num_inks\] = \{([^}]*)\}/)[1].matchAll(/"([\w-]+)"/g)].map((m) => m[1]);

// The block that a selector opens: its custom properties.
function properties(selector) {
  const start = css.indexOf(`${selector} {`);
  if (start < 0) throw new Error(`style.css has no ${selector}`);
  const block = css.slice(start, css.indexOf('}', start));
  return new Map([...block.matchAll(/--([\w-]+): (#[0-9a-f]{3,6});/g)].map((m) => [m[1], m[2]]));
}

function initialiser(selector) {
  const found = properties(selector);
  return names.map((name) => {
    const hex = found.get(name);
    if (!hex) throw new Error(`style.css: ${selector} has no --${name}`);
    const digits = hex.length === 4 ? [...hex.slice(1)].map((d) => d + d) : hex.slice(1).match(/../g);
    return `0xff${digits.reverse().join('')}u`;
  }).join(', ');
}

writeFileSync(values.out, [':root', ':root[data-theme="dark"]'].map((selector) => `{{${initialiser(selector)}}},\n`).join(''));
