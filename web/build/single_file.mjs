// vramfit.html: the page as one file. It opens from a disk without a network and asks for nothing; its policy knows its own scripts
// and its style by their hashes and allows nothing else.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateRawSync } from 'node:zlib';

import { localeParts, readLocale } from '../locale_files.mjs';
import { html } from '../page/html.mjs';
import { languages } from '../text/messages.mjs';
import { scriptNames, styleNames } from './assets.mjs';
import { fillTemplate, mainPages } from './pages.mjs';

const page = join(dirname(fileURLToPath(import.meta.url)), '..', 'page');
const canvasElement = join(page, '..', '..', 'shell', 'canvas', 'element.mjs');

// Pages of the site that the file is not, and what is about the site only. The file asks nobody for anything, the model hub neither.
const notInFile = { scripts: ['app', 'canvas_page', 'hub_view', 'offline_page'], styles: ['canvas.css', 'docs.css', 'offline.css'], parts: ['docs', 'element', 'example', 'hub', 'offline'] };

async function bundle(options, minifier) {
  const esbuild = createRequire(import.meta.url)('esbuild');
  const { outputFiles } = await esbuild.build({ bundle: true, write: false, minify: minifier === 'esbuild', target: 'es2022', legalComments: 'none', charset: 'utf8', logLevel: 'warning', ...options });
  return outputFiles[0].text;
}

function mainScript({ core, canvas, minifier }) {
  const late = scriptNames.filter((name) => !notInFile.scripts.includes(name));
  const from = (...path) => JSON.stringify(resolve(...path));
  const contents = `import coreFactory from ${from(core, 'vramfit-core.mjs')};
import canvasFactory from ${from(canvas, 'vramfit-canvas.mjs')};
import { defineCanvas } from ${from(canvasElement)};
import { startFile } from ${from(page, 'single_file.mjs')};
${late.map((name) => `import * as ${name} from ${from(page, `${name}.mjs`)};`).join('\n')}
startFile({ coreFactory, canvasFactory, defineCanvas, scripts: { ${late.join(', ')} } });`;
  return bundle({ stdin: { contents, resolveDir: page }, format: 'esm', external: ['./vramfit-core.mjs'] }, minifier);
}

function styles({ minifier }) {
  const names = styleNames.filter((name) => !notInFile.styles.includes(name));
  return bundle({ stdin: { contents: names.map((name) => `@import "./${name}"${name === 'print.css' ? ' print' : ''};`).join('\n'), resolveDir: page, loader: 'css' } }, minifier);
}

const boot = ({ minifier }) => bundle({ stdin: { contents: "import './single_boot.js'; import './boot.js';", resolveDir: page }, format: 'iife' }, minifier);

function texts() {
  const inAll = (read) => Object.fromEntries(languages.map(({ lang }) => [lang, read(lang)]));
  const parts = localeParts.filter((part) => !notInFile.parts.includes(part));
  return {
    '': inAll((lang) => { const { cli, ...locale } = readLocale(lang); return locale; }),
    // All of that is in the first.
    late: inAll(() => ({ page: {} })),
    fixed: inAll(() => ({ page: {} })),
    ...Object.fromEntries(parts.map((part) => [part, inAll((lang) => readLocale(lang, part))])),
  };
}

const packed = (id, bytes) => `<script type="text/plain" id="data-${id}">${deflateRawSync(bytes, { level: 9 }).toString('base64')}</script>\n`;
const hashOf = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

// index.html with another head, without what only the site has, and with everything in it.
function template() {
  const part = (name) => readFileSync(join(page, name), 'utf8');
  const [first] = languages;
  const link = ({ lang, name }) => html`<a href="#lang=${lang}" lang="${lang}" data-lang="${lang}"${lang === first.lang && html` aria-current="page"`}>${name}</a>`;
  return part('index.html')
    .replace(/<head>[\s\S]*<\/head>/, () => `<head>\n${part('single_head.html')}</head>`)
    .replace(/ data-(root|assets|scripts)="[^"]*"/g, '')
    .replace(/<!--site-->[\s\S]*?<!--\/site-->/g, '')
    .replace(/<script[^>]* src="[^>]*><\/script>\n/g, '')
    .replace('{{calculator}}', () => part('calculator.html').replace(' href="canvas.html"', ' hidden'))
    .replace('{{languages}}', () => languages.map(link).join(''))
    .replace('</body>', '{{file data}}<script type="module">{{file script}}</script>\n</body>');
}

// After the other pages. `answers` as writePages() makes them.
export async function writeSingleFile(out, answers, options) {
  const filled = fillTemplate(template(), mainPages[0], languages[0], answers, '');
  const elsewhere = [...filled.matchAll(/ (?:href|src)="(?!#|data:|https:|\{\{file )([^"]*)"/g)].map((m) => m[1]);
  if (elsewhere.length > 0) throw new Error(`vramfit.html has nothing beside it, but names ${elsewhere.join(', ')}: set it between <!--site--> and <!--/site-->`);

  const read = (name) => readFileSync(join(out, 'assets', name));
  const [script, style, start] = await Promise.all([mainScript(options), styles(options), boot(options)]);
  const pieces = {
    policy: `default-src 'none'; script-src ${hashOf(start)} ${hashOf(script)} 'wasm-unsafe-eval'; style-src ${hashOf(style)}; img-src data:; base-uri 'none'; form-action 'none'`,
    icon: `data:image/svg+xml,${encodeURIComponent(readFileSync(join(page, 'icon.svg'), 'utf8').trim())}`,
    style,
    boot: start,
    script,
    data: packed('core', read('vramfit-full.wasm')) + packed('import', read('vramfit-import.wasm')) + packed('texts', JSON.stringify(texts())) + packed('canvas', read('vramfit-canvas.wasm')) + packed('sources', read('sources.json')),
  };
  const licences = `\n<!--\n${read('licenses.txt')}-->\n`;
  writeFileSync(join(out, 'vramfit.html'), filled.replace(/\{\{file (\w+)\}\}/g, (_, name) => pieces[name]) + licences);
}
