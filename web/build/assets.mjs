// What the pages load: the module, scripts, styles and texts.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { localeParts, namedChoices, readLocale, readLocales } from '../locale_files.mjs';
import { languages } from '../text/messages.mjs';
import { toTable } from '../text/table.mjs';
import { modulesFrom, writeElement } from './element.mjs';
import { literals } from './literals.mjs';

const web = join(dirname(fileURLToPath(import.meta.url)), '..');
const canvasScripts = join(web, '..', 'shell', 'canvas');
const { resolve } = createRequire(import.meta.url);
const qrScripts = dirname(resolve('uqr'));

// Scripts of pages: theirs, and what those load when it is asked for.
export const scriptNames = ['app', 'what_if_view', 'log_view', 'differences_view', 'engine_view', 'model_file_view', 'hub_view', 'catalog_sources', 'canvas_view', 'canvas_page', 'share_panel', 'print', 'offline_page'];
// Styles of pages, those that come late too.
export const styleNames = ['style.css', 'print.css', 'canvas.css', 'share_panel.css', 'log.css', 'engine.css', 'model_file.css', 'docs.css', 'offline.css'];
// How scripts are called among the assets.
export const scriptPattern = (minifier) => (minifier === 'esbuild' ? '*.js' : 'page/*.mjs');

// The live page needs no texts of terminal and canvas, nor what only its HTML and the canvas's page hold.
const notLive = ['description', 'noscript', 'canvas.noscript', 'canvas.tables', 'canvas.title', 'canvas.description'];
// What only late scripts show, or nobody sees before a disclosure opens, comes with them.
const late = /^(log$|log\.failed$|what_if\.(?!failed$)|sources\.(model|gpus|prices|confidence)|canvas\.(elsewhere|here)$)/;
const lateChoices = /^(states|checkpointing|situation|group_size|kv)\./;

const namedIn = (script) => [...modulesFrom(join(web, 'page', `${script}.mjs`)).values()].flatMap((source) => literals(source)).map(({ text }) => text);

// What stands in the HTML and the page's own script does not name: needed only to show it in another language.
function markupTexts() {
  const read = (name) => readFileSync(join(web, 'page', name), 'utf8');
  const marked = [...`${read('index.html')}${read('calculator.html')}`.matchAll(/ data-t(?:-label)?="page\.([^"]*)"/g)].map(([, id]) => id);
  const named = new Set(['app', 'canvas_view'].flatMap(namedIn));  // the canvas does not wait for the late texts
  return new Set(marked.filter((id) => !named.has(`page.${id}`)));
}

function pageLocales(lang, fields) {
  const { cli, canvas, page, method, choice, help_field, ...locale } = readLocale(lang);
  const fixed = markupTexts();
  // Scripts that load later may name what stands there too.
  const namedLate = new Set(scriptNames.flatMap(namedIn));
  const both = Object.fromEntries(Object.entries(page).filter(([id]) => fixed.has(id) && namedLate.has(`page.${id}`)));
  const part = (id) => (fixed.has(id) ? 'fixed' : late.test(id) ? 'late' : 'live');
  const some = (name) => Object.fromEntries(Object.entries(page).filter(([id]) => !notLive.includes(id) && part(id) === name));
  const ways = (wanted) => Object.fromEntries(Object.entries(method).filter(([id]) => /^why\./.test(id) === wanted));
  const choices = (wanted) => Object.fromEntries(Object.entries(namedChoices(choice)).filter(([id]) => lateChoices.test(id) === wanted));
  // Of the fields behind disclosures.
  const help = (wanted) => Object.fromEntries(Object.entries(help_field).filter(([key]) => fields.find((f) => f.key === key).common === wanted));
  return {
    live: { page: some('live'), ...locale, help_field: help(true), method: ways(false), choice: choices(false) },
    late: { page: { ...some('late'), ...both }, help_field: help(false), method: ways(true), choice: choices(true) },
    fixed: { page: some('fixed') },
  };
}

// The element carries its own texts.
const lateParts = localeParts.filter((part) => part !== 'element');

function writeTexts(assets, fields) {
  mkdirSync(join(assets, 'locales'), { recursive: true });
  for (const { lang } of languages) {
    const locales = pageLocales(lang, fields);
    writeFileSync(join(assets, 'locales', `${lang}.json`), JSON.stringify(locales.live));
    for (const part of ['late', 'fixed']) writeFileSync(join(assets, 'locales', `${part}.${lang}.json`), JSON.stringify(locales[part]));
    writeFileSync(join(assets, 'locales', `canvas.${lang}.txt`), toTable(readLocales(lang, ['engine'])));
    for (const part of lateParts) writeFileSync(join(assets, 'locales', `${part}.${lang}.json`), JSON.stringify(readLocale(lang, part)));
  }
}

function copyScripts(assets, { core, canvas }) {
  cpSync(join(core, 'vramfit-core.mjs'), join(assets, 'vramfit-core.mjs'));
  for (const dir of ['page', 'text', 'log', 'import', 'cli/accuracy', 'element', 'export', 'embed']) {
    mkdirSync(join(assets, dir), { recursive: true });
    for (const file of readdirSync(join(web, dir))) if (file.endsWith('.mjs')) cpSync(join(web, dir, file), join(assets, dir, file));
  }
  // Browsers know no packages.
  const qr = join(assets, 'page', 'qr.mjs');
  writeFileSync(qr, readFileSync(qr, 'utf8').replace("'uqr'", "'../uqr.mjs'"));
  cpSync(join(qrScripts, 'index.mjs'), join(assets, 'uqr.mjs'));
  cpSync(join(canvas, 'vramfit-canvas.mjs'), join(assets, 'vramfit-canvas.mjs'));
  for (const file of readdirSync(canvasScripts)) cpSync(join(canvasScripts, file), join(assets, file === 'element.mjs' ? 'canvas-element.mjs' : file));
  for (const file of ['palette.css', 'calculator.css', ...styleNames, 'boot.js']) cpSync(join(web, 'page', file), join(assets, file));
  for (const file of ['vramfit.mjs', 'price_list.mjs']) cpSync(join(web, file), join(assets, file));
}

async function bundleScripts(assets, { core, canvas }) {
  const esbuild = createRequire(import.meta.url)('esbuild');  // unlike import, looks in NODE_PATH too
  const shared = { minify: true, target: 'es2022', legalComments: 'none', charset: 'utf8', logLevel: 'warning' };
  const page = (name) => join(web, 'page', name);
  await esbuild.build({ ...shared, entryPoints: scriptNames.map((name) => page(`${name}.mjs`)), bundle: true, format: 'esm', external: ['./vramfit-core.mjs'], outdir: assets });
  await esbuild.build({ ...shared, entryPoints: [join(canvasScripts, 'element.mjs')], bundle: true, format: 'esm', outfile: join(assets, 'canvas-element.mjs') });
  await esbuild.build({ ...shared, entryPoints: ['boot.js', ...styleNames].map(page), bundle: true, outdir: assets });
  await esbuild.build({
    ...shared,
    entryPoints: { vramfit: join(web, 'vramfit.mjs'), price_list: join(web, 'price_list.mjs'), 'vramfit-core': join(core, 'vramfit-core.mjs'), 'vramfit-canvas': join(canvas, 'vramfit-canvas.mjs') },
    outdir: assets,
    outExtension: { '.js': '.mjs' },
  });
}

// `options`: the command line's, see main.mjs; `catalog`: the module's.
export async function writeAssets(assets, options, catalog) {
  mkdirSync(assets, { recursive: true });
  for (const name of ['vramfit-core.wasm', 'vramfit-full.wasm', 'vramfit-import.wasm']) cpSync(join(options.core, name), join(assets, name));
  cpSync(options.sources, join(assets, 'sources.json'));
  cpSync(join(options.canvas, 'vramfit-canvas.wasm'), join(assets, 'vramfit-canvas.wasm'));
  // Of all that ships and is others' work.
  const canvas = readFileSync(options.licenses, 'utf8').trimEnd();
  const theirs = [['uqr', join(qrScripts, '..')], ['Workbox', dirname(resolve('workbox-core/package.json'))]].map(([name, folder]) => [name, readFileSync(join(folder, 'LICENSE'), 'utf8').trimEnd()]);
  writeFileSync(join(assets, 'licenses.txt'), `${[canvas, ...theirs.flat()].join('\n\n')}\n`);
  writeTexts(assets, catalog.fields);
  if (options.minifier === 'esbuild') await bundleScripts(assets, options);
  else copyScripts(assets, options);
  await writeElement(assets, options, catalog);
}
