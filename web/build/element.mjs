// <vram-fit> as scripts. The first is all that the compact view needs beside the module: the element, the module's glue, its style, and of the texts in each language those that it can ask for.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { localeParts, namedChoices, readLocale, readLocales } from '../locale_files.mjs';
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

// Of a locale what the element can ask for, of that what is `wanted`; what answers by an engine say comes with them. A key is named whole, or put together from pieces in a template, of which the first is its
// namespace.
const remarks = ['notice', 'notice_hint', 'severity'];
const isRemark = (namespace, id) => remarks.includes(namespace) && `${namespace}.${id}` !== 'notice.other';

export function elementTexts(lang, locale = readLocales(lang, localeParts.filter((part) => part !== 'engine')), wanted = (namespace, id) => !isRemark(namespace, id)) {
  const named = [...modulesFrom(entry).values()].flatMap((source) => literals(source)).map(({ text }) => text).filter((text) => /^[a-z_]+\.[\w.\0-]*$/.test(text));
  const whole = new Set(named);
  const patterns = named.filter((text) => text.includes('\0')).map((text) => new RegExp(`^${text.split('\0').map((piece) => piece.replaceAll('.', '\\.')).join('.+')}$`));
  const texts = {};
  for (const [namespace, messages] of Object.entries(locale)) {
    if (namespace === 'field') continue;  // remarks name an input by its key, as the attribute is called that sets it
    const kept = Object.entries(messages).filter(([id]) => id !== 'engine-not-loaded' && wanted(namespace, id)).filter(([id]) => whole.has(`${namespace}.${id}`) || patterns.some((pattern) => pattern.test(`${namespace}.${id}`)));
    if (kept.length) texts[namespace] = Object.fromEntries(kept);
  }
  return texts;
}

// What an answer without a remark does not need.
export const remarkTexts = (lang) => elementTexts(lang, undefined, isRemark);
// What answers by an engine say, their remarks too.
export const engineTexts = (lang) => elementTexts(lang, readLocale(lang, 'engine'), () => true);

const lateTexts = (textsIn) => `export const texts = ${JSON.stringify(Object.fromEntries(languages.map(({ lang }) => [lang, textsIn(lang)])))};\n`;

const read = (...path) => readFileSync(join(web, ...path), 'utf8');
const colors = () => [...read('page', 'palette.css').matchAll(/--([\w-]+): (light-dark\(#[0-9a-f]+, #[0-9a-f]+\));/g)];

// The page's colours, each of which the page around the element may set: --accent goes by --vramfit-accent.
const paletteCss = () => `:host{${colors().map(([, name, pair]) => `--${name}:var(--vramfit-${name},${pair})`).join(';')}}`;

const fillsCss = () => colors().filter(([, name]) => name.startsWith('c-')).map(([, name]) => `.${name}{fill:var(--${name})}`).join('');

// calculator.css counts in the root element's size, which another page sets to its liking; here it is the text's around the element.
const calculatorCss = () => (read('page', 'calculator.css') + read('element', 'full.css'))
  .replace(/(@[^{]*\{)|(-?[\d.]+)rem\b/g, (all, rule, number) => (rule ? rule.replace(/rem\b/g, 'em') : `calc(${number} * var(--vramfit-em))`));

// What is filled in, the calculator fills in itself; and without scripts there is no element.
const calculatorHtml = () => read('page', 'calculator.html').replace(/\{\{\w+\}\}|<noscript>.*?<\/noscript>|\n\s*/g, '');

// By language, without what all write alike, which comes first.
function packedTexts() {
  const own = languages.map(({ lang }) => elementTexts(lang));
  const shared = {};
  for (const texts of own) texts.choice = namedChoices(texts.choice);
  for (const [namespace, messages] of Object.entries(own[0])) {
    const alike = Object.keys(messages).filter((id) => own.every((texts) => texts[namespace][id] === messages[id]));
    if (alike.length) shared[namespace] = Object.fromEntries(alike.map((id) => [id, messages[id]]));
    for (const texts of own) for (const id of alike) delete texts[namespace][id];
  }
  return [shared, Object.fromEntries(languages.map(({ lang }, i) => [lang, own[i]]))];
}

export async function writeElement(assets, { core, minifier }, { fields }) {
  const bundled = minifier === 'esbuild';
  const esbuild = bundled && createRequire(import.meta.url)('esbuild');  // unlike import, looks in NODE_PATH too
  const minified = async (css) => (bundled ? (await esbuild.transform(css, { loader: 'css', minify: true, target: 'es2022' })).code.trim() : css);
  const module = (name) => JSON.stringify(bundled ? join(web, 'element', name) : `./element/${name}`);
  const options = {
    fields: fields.filter(({ group }) => group !== 'engine').map(({ key }) => key),
    texts: packedTexts(),
    styles: { frame: await minified(paletteCss() + read('element', 'frame.css')), compact: await minified(fillsCss() + read('element', 'compact.css')) },
  };
  const full = { template: `<div class="calculator">${calculatorHtml()}</div>`, style: await minified(calculatorCss()), scripts: bundled ? '*.js' : 'page/*.mjs' };
  const scripts = {
    'vram-fit.js': `import moduleFactory from ${JSON.stringify(bundled ? resolve(core, 'vramfit-core.mjs') : './vramfit-core.mjs')};
import { defineVramFit } from ${module('vram_fit.mjs')};
export const VramFit = defineVramFit({ ...${JSON.stringify(options)}, moduleFactory, base: import.meta.url });
`,
    'vram-fit-prices.js': `import { hostPricesBy } from ${module('prices.mjs')};
export const hostPrices = hostPricesBy(${JSON.stringify(Object.fromEntries(languages.map(({ lang }) => [lang, readLocale(lang, 'prices')])))});
`,
    'vram-fit-engine.js': lateTexts(engineTexts),
    'vram-fit-remarks.js': lateTexts(remarkTexts),
    'vram-fit-full.js': `import { createMountFull } from ${module('full.mjs')};
export const mountFull = createMountFull({ ...${JSON.stringify(full)}, base: import.meta.url });
`,
  };
  for (const [name, contents] of Object.entries(scripts)) {
    const outfile = join(assets, name);
    if (!bundled) writeFileSync(outfile, contents);
    else await esbuild.build({ stdin: { contents, resolveDir: web }, bundle: true, format: 'esm', minify: true, target: 'es2022', legalComments: 'none', charset: 'utf8', logLevel: 'warning', external: ['./vramfit-core.mjs'], outfile });
  }
}
