// <vram-fit> as one script: the element, the module's glue, its style, and of the texts in each language those that it can ask for.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { readLocales } from '../locale_files.mjs';
import { languages } from '../text/messages.mjs';
import { literals } from './literals.mjs';

const web = join(dirname(fileURLToPath(import.meta.url)), '..');
const entry = join(web, 'element', 'vram_fit.mjs');

// A module and all that it imports as it starts, by path.
export function modulesFrom(path, found = new Map()) {
  if (found.has(path)) return found;
  const source = readFileSync(path, 'utf8');
  found.set(path, source);
  for (const [, name] of source.matchAll(/^(?:import|export) (?:[^;]*? from )?'(\.[^']*)';$/gm)) modulesFrom(join(dirname(path), name), found);
  return found;
}

// Of a locale what the element can ask for. A key is named whole, or put together from pieces in a template, of which the first is its
// namespace.
export function elementTexts(lang) {
  const named = [...modulesFrom(entry).values()].flatMap((source) => literals(source)).map(({ text }) => text).filter((text) => /^[a-z_]+\.[\w.\0-]*$/.test(text));
  const whole = new Set(named);
  const patterns = named.filter((text) => text.includes('\0')).map((text) => new RegExp(`^${text.split('\0').map((piece) => piece.replaceAll('.', '\\.')).join('.+')}$`));
  const texts = {};
  for (const [namespace, messages] of Object.entries(readLocales(lang))) {
    const kept = Object.entries(messages).filter(([id]) => whole.has(`${namespace}.${id}`) || patterns.some((pattern) => pattern.test(`${namespace}.${id}`)));
    if (kept.length) texts[namespace] = Object.fromEntries(kept);
  }
  return texts;
}

// The page's colours, each of which the page around the element may set: --accent goes by --vramfit-accent.
function paletteCss() {
  const css = readFileSync(join(web, 'page', 'palette.css'), 'utf8');
  const colors = [...css.matchAll(/--([\w-]+): (light-dark\((#[0-9a-f]+), #[0-9a-f]+\));/g)];
  if (colors.length < 15) throw new Error('palette.css: no colours found');
  const block = (value) => `:host{${colors.map(([, name, ...pair]) => `--${name}:var(--vramfit-${name},${value(pair)})`).join(';')}}`;
  const compartments = colors.filter(([, name]) => name.startsWith('c-')).map(([, name]) => `.${name}{fill:var(--${name})}`);
  // Browsers before light-dark() show the light colours.
  return `${block(([, light]) => light)}@supports (color:light-dark(#000,#fff)){${block(([pair]) => pair)}}${compartments.join('')}`;
}

export async function writeElement(assets, { core, minifier }, { fields }) {
  const bundled = minifier === 'esbuild';
  const css = paletteCss() + readFileSync(join(web, 'element', 'style.css'), 'utf8');
  const esbuild = bundled && createRequire(import.meta.url)('esbuild');
  const style = bundled ? (await esbuild.transform(css, { loader: 'css', minify: true, target: 'es2022' })).code.trim() : css;
  const options = {
    fields: fields.map(({ key }) => key),
    texts: Object.fromEntries(languages.map(({ lang }) => [lang, elementTexts(lang)])),
    style,
  };
  const from = (path) => JSON.stringify(path);
  const source = `import moduleFactory from ${from(bundled ? resolve(core, 'vramfit-core.mjs') : './vramfit-core.mjs')};
import { defineVramFit } from ${from(bundled ? entry : './element/vram_fit.mjs')};
export const VramFit = defineVramFit({ ...${JSON.stringify(options)}, moduleFactory, base: import.meta.url });
`;
  const file = join(assets, 'vram-fit.js');
  if (!bundled) return writeFileSync(file, source);
  return esbuild.build({
    stdin: { contents: source, resolveDir: web }, bundle: true, format: 'esm', minify: true, target: 'es2022', legalComments: 'none', logLevel: 'warning',
    external: ['./vramfit-core.mjs'], outfile: file,
  });
}
