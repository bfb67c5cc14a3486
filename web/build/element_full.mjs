// The element's view="full": a script beside the element's, with the page's markup and style in it. What that loads late lies beside it.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { scriptPattern } from './assets.mjs';
import { paletteCss } from './element.mjs';

const web = join(dirname(fileURLToPath(import.meta.url)), '..');
const read = (...path) => readFileSync(join(web, ...path), 'utf8');

// Lengths by the text around the element: a page may have set its own rem to anything. In conditions, which take no variables, it stays.
const byText = (css) => css.replace(/(@container[^{]*)|(?<![\w.-])(\d*\.?\d+)rem\b/g, (all, condition, length) => condition ?? `calc(${length} * var(--rem))`);

export async function writeFullView(assets, { minifier }) {
  const bundled = minifier === 'esbuild';
  const esbuild = bundled && createRequire(import.meta.url)('esbuild');
  const css = paletteCss() + byText(read('page', 'calculator.css')) + read('element', 'full.css');
  const style = bundled ? (await esbuild.transform(css, { loader: 'css', minify: true })).code.trim() : css;
  // The slots are the page's, for the answer that stands in it.
  const template = read('page', 'calculator.html').replace(/\{\{\w+\}\}/g, '').replace(/\n\s*/g, '\n');
  const source = `import { fullView } from ${JSON.stringify(bundled ? join(web, 'element', 'full.mjs') : './element/full.mjs')};
export const mountFull = fullView({ ...${JSON.stringify({ template, style, scripts: scriptPattern(minifier) })}, base: new URL('.', import.meta.url) });
`;
  const file = join(assets, 'vram-fit-full.js');
  if (!bundled) return writeFileSync(file, source);
  return esbuild.build({ stdin: { contents: source, resolveDir: web }, bundle: true, format: 'esm', minify: true, target: 'es2022', legalComments: 'none', logLevel: 'warning', outfile: file });
}
