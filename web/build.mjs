// Writes the static site: one page per language with the default answer already in it, and the assets they share.
//
//   node web/build.mjs --core DIR --canvas DIR --licenses FILE --sources FILE --out DIST [--minifier none|esbuild]
//
// The folders hold vramfit-core.mjs and .wasm, vramfit-canvas.mjs and .wasm; the files are the licences of what the canvas carries and
// sources.json of the catalogue. The answer in the pages is computed by that
// same module, so it cannot differ from what the page computes later.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

import { formHtml } from './page/form.mjs';
import { html } from './page/html.mjs';
import { contentSecurityPolicy } from './page/policy.mjs';
import { regions } from './page/regions.mjs';
import { whatIfHtml } from './page/what_if.mjs';
import { createText, explain } from './text/explain.mjs';
import { languages } from './text/messages.mjs';
import { toTable } from './text/table.mjs';
import { explainWhatIf } from './text/what_if.mjs';
import { loadVramfit } from './vramfit.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({
  options: { core: { type: 'string' }, canvas: { type: 'string' }, licenses: { type: 'string' }, sources: { type: 'string' }, out: { type: 'string' }, minifier: { type: 'string', default: 'esbuild' } },
});
if (!options.core || !options.canvas || !options.licenses || !options.sources || !options.out || !['none', 'esbuild'].includes(options.minifier)) {
  console.error('usage: node web/build.mjs --core DIR --canvas DIR --licenses FILE --sources FILE --out DIST [--minifier none|esbuild]');
  process.exit(64);
}
const out = resolve(options.out);
const assets = join(out, 'assets');
const bundled = options.minifier === 'esbuild';
const canvasScripts = join(here, '..', 'shell', 'canvas');
// Scripts of pages, as the pages call them: theirs, and what those load when it is asked for.
const scriptNames = ['app', 'what_if_view', 'catalog_sources', 'canvas_view', 'canvas_page'];
const scripts = Object.fromEntries(scriptNames.map((name) => [name, bundled ? `${name}.js` : `page/${name}.mjs`]));

const readLocale = (lang) => JSON.parse(readFileSync(join(here, 'locales', `${lang}.json`), 'utf8'));

// The live page needs no texts of terminal and canvas, nor what only its HTML and the canvas's page hold.
const notLive = ['description', 'noscript', 'canvas.noscript', 'canvas.tables'];
function pageLocale(lang) {
  const { cli, canvas, page, ...locale } = readLocale(lang);
  return { page: Object.fromEntries(Object.entries(page).filter(([id]) => !notLive.includes(id))), ...locale };
}

async function writeAssets() {
  mkdirSync(join(assets, 'locales'), { recursive: true });
  cpSync(join(options.core, 'vramfit-core.wasm'), join(assets, 'vramfit-core.wasm'));
  cpSync(options.sources, join(assets, 'sources.json'));
  for (const { lang } of languages) {
    writeFileSync(join(assets, 'locales', `${lang}.json`), JSON.stringify(pageLocale(lang)));
    writeFileSync(join(assets, 'locales', `canvas.${lang}.txt`), toTable(readLocale(lang)));
  }
  cpSync(join(options.canvas, 'vramfit-canvas.wasm'), join(assets, 'vramfit-canvas.wasm'));
  cpSync(options.licenses, join(assets, 'licenses.txt'));
  if (!bundled) {
    cpSync(join(options.core, 'vramfit-core.mjs'), join(assets, 'vramfit-core.mjs'));
    for (const dir of ['page', 'text']) {
      mkdirSync(join(assets, dir), { recursive: true });
      for (const file of readdirSync(join(here, dir))) if (file.endsWith('.mjs')) cpSync(join(here, dir, file), join(assets, dir, file));
    }
    cpSync(join(options.canvas, 'vramfit-canvas.mjs'), join(assets, 'vramfit-canvas.mjs'));
    for (const file of readdirSync(canvasScripts)) cpSync(join(canvasScripts, file), join(assets, file === 'element.mjs' ? 'canvas-element.mjs' : file));
    for (const file of ['style.css', 'canvas.css', 'boot.js']) cpSync(join(here, 'page', file), join(assets, file));
    cpSync(join(here, 'vramfit.mjs'), join(assets, 'vramfit.mjs'));
    return;
  }
  const esbuild = createRequire(import.meta.url)('esbuild');  // unlike import, looks in NODE_PATH too
  const shared = { minify: true, target: 'es2022', legalComments: 'none', logLevel: 'warning' };
  const pageScripts = scriptNames.map((name) => join(here, 'page', `${name}.mjs`));
  await esbuild.build({ ...shared, entryPoints: pageScripts, bundle: true, format: 'esm', external: ['./vramfit-core.mjs'], outdir: assets });
  await esbuild.build({ ...shared, entryPoints: [join(canvasScripts, 'element.mjs')], bundle: true, format: 'esm', outfile: join(assets, 'canvas-element.mjs') });
  await esbuild.build({ ...shared, entryPoints: ['boot.js', 'style.css', 'canvas.css'].map((name) => join(here, 'page', name)), outdir: assets });
  await esbuild.build({
    ...shared,
    entryPoints: { vramfit: join(here, 'vramfit.mjs'), 'vramfit-core': join(options.core, 'vramfit-core.mjs'), 'vramfit-canvas': join(options.canvas, 'vramfit-canvas.mjs') },
    outdir: assets,
    outExtension: { '.js': '.mjs' },
  });
}

function fillTemplate(template, file, { lang, path }, { result, whatIf, catalog }) {
  const text = createText(readLocale(lang), lang, { strict: true });
  const view = explain(result, catalog, text);
  const made = regions(view, text);
  const root = '../'.repeat(path.split('/').length - 1) || './';
  const link = (l) => html`<a href="${root + l.path + file}" hreflang="${l.lang}" lang="${l.lang}" data-lang="${l.lang}"${l.lang === lang && html` aria-current="page"`}>${l.name}</a>`;
  const alternates = html`${languages.map((l) => html`<link rel="alternate" hreflang="${l.lang}" href="${root + l.path + file}">`)}<link rel="alternate" hreflang="x-default" href="${root + file}">`;
  const limits = whatIfHtml(explainWhatIf(whatIf, result, view, catalog, text), text);
  const slots = {
    ...scripts, lang, root, limits, alternates, languages: languages.map(link), form: formHtml(catalog, result, text), policy: contentSecurityPolicy,
  };
  return template
    .replace(/\{\{t ([\w.]+)\}\}/g, (_, key) => html`${text.t(key)}`)
    .replace(/\{\{(\w+)\}\}/g, (_, name) => html`${slots[name]}`)
    .replace(/data-t-label="([\w.]+)"/g, (all, key) => html`${html([all])} aria-label="${text.t(key)}"`)
    .replace(/(data-t="([\w.]+)"[^>]*>)/g, (all, tag, key) => tag + html`${text.t(key)}`)
    .replace(/<(\w+) ([^>]*)data-region="(\w+)"([^>]*)>/g, (all, tag, before, id, after) => {
      const markup = made[id];
      return `<${tag} ${before}data-region="${id}"${after}${markup ? '' : ' hidden'}>${markup ?? ''}`;
    });
}

async function writePages() {
  const { default: moduleFactory } = await import(pathToFileURL(resolve(options.core, 'vramfit-core.mjs')));
  const vramfit = await loadVramfit({ wasmBinary: readFileSync(join(options.core, 'vramfit-core.wasm')), moduleFactory });
  // The main page's address is its folder.
  const part = (name) => readFileSync(join(here, 'page', name), 'utf8');
  const templates = [['', 'index.html'], ['canvas.html', 'canvas.html']].map(([file, name]) => ({ file, name, template: part(name).replace('{{head}}', () => part('head.html')) }));
  const answers = { result: vramfit.estimate(''), whatIf: vramfit.whatIf(''), catalog: vramfit.catalog() };
  for (const language of languages) {
    const dir = join(out, language.path);
    mkdirSync(dir, { recursive: true });
    for (const { file, name, template } of templates) writeFileSync(join(dir, name), fillTemplate(template, file, language, answers));
  }
}

rmSync(assets, { recursive: true, force: true });
await writeAssets();
await writePages();
