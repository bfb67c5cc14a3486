// Writes the static site: one page per language with the default answer already in it, and the assets they share.
//
//   node web/build.mjs --core DIR --sources FILE --out DIST [--minifier none|esbuild]
//
// DIR holds vramfit-core.mjs and vramfit-core.wasm; FILE is sources.json of the catalogue. The answer in the pages is computed by that
// same module, so it cannot differ from what the page computes later.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

import { formHtml } from './page/form.mjs';
import { html } from './page/html.mjs';
import { regions } from './page/regions.mjs';
import { whatIfHtml } from './page/what_if.mjs';
import { createText, explain } from './text/explain.mjs';
import { languages } from './text/messages.mjs';
import { explainWhatIf } from './text/what_if.mjs';
import { loadVramfit } from './vramfit.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({
  options: { core: { type: 'string' }, sources: { type: 'string' }, out: { type: 'string' }, minifier: { type: 'string', default: 'esbuild' } },
});
if (!options.core || !options.sources || !options.out || !['none', 'esbuild'].includes(options.minifier)) {
  console.error('usage: node web/build.mjs --core DIR --sources FILE --out DIST [--minifier none|esbuild]');
  process.exit(64);
}
const out = resolve(options.out);
const assets = join(out, 'assets');
const bundled = options.minifier === 'esbuild';

const readLocale = (lang) => JSON.parse(readFileSync(join(here, 'locales', `${lang}.json`), 'utf8'));

// The live page needs no texts of the terminal, nor what only its HTML holds.
function pageLocale(lang) {
  const { cli, page, ...locale } = readLocale(lang);
  const { description, noscript, ...live } = page;
  return { page: live, ...locale };
}

async function writeAssets() {
  mkdirSync(join(assets, 'locales'), { recursive: true });
  cpSync(join(options.core, 'vramfit-core.wasm'), join(assets, 'vramfit-core.wasm'));
  cpSync(options.sources, join(assets, 'sources.json'));
  for (const { lang } of languages) writeFileSync(join(assets, 'locales', `${lang}.json`), JSON.stringify(pageLocale(lang)));
  if (!bundled) {
    cpSync(join(options.core, 'vramfit-core.mjs'), join(assets, 'vramfit-core.mjs'));
    for (const dir of ['page', 'text']) {
      mkdirSync(join(assets, dir), { recursive: true });
      for (const file of readdirSync(join(here, dir))) if (file.endsWith('.mjs')) cpSync(join(here, dir, file), join(assets, dir, file));
    }
    for (const file of ['style.css', 'boot.js']) cpSync(join(here, 'page', file), join(assets, file));
    cpSync(join(here, 'vramfit.mjs'), join(assets, 'vramfit.mjs'));
    return;
  }
  const esbuild = createRequire(import.meta.url)('esbuild');  // unlike import, looks in NODE_PATH too
  const shared = { minify: true, target: 'es2022', legalComments: 'none', logLevel: 'warning' };
  await esbuild.build({ ...shared, entryPoints: [join(here, 'page', 'app.mjs')], bundle: true, format: 'esm', external: ['./vramfit-core.mjs'], outfile: join(assets, 'app.js') });
  await esbuild.build({ ...shared, entryPoints: [join(here, 'page', 'boot.js'), join(here, 'page', 'style.css')], outdir: assets });
  await esbuild.build({
    ...shared,
    entryPoints: { vramfit: join(here, 'vramfit.mjs'), 'vramfit-core': join(options.core, 'vramfit-core.mjs') },
    outdir: assets,
    outExtension: { '.js': '.mjs' },
  });
}

function fillTemplate(template, { lang, path }, { result, whatIf, catalog }) {
  const text = createText(readLocale(lang), lang, { strict: true });
  const view = explain(result, catalog, text);
  const made = regions(view, text);
  const root = '../'.repeat(path.split('/').length - 1) || './';
  const link = (l) => html`<a href="${root + l.path}" hreflang="${l.lang}" lang="${l.lang}" data-lang="${l.lang}"${l.lang === lang && html` aria-current="page"`}>${l.name}</a>`;
  const alternates = html`${languages.map((l) => html`<link rel="alternate" hreflang="${l.lang}" href="${root + l.path}">`)}<link rel="alternate" hreflang="x-default" href="${root}">`;
  const limits = whatIfHtml(explainWhatIf(whatIf, result, view, catalog, text), text);
  const slots = { lang, root, limits, alternates, languages: languages.map(link), form: formHtml(catalog, result, text), app: bundled ? 'app.js' : 'page/app.mjs' };
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
  const template = readFileSync(join(here, 'page', 'index.html'), 'utf8');
  const answers = { result: vramfit.estimate(''), whatIf: vramfit.whatIf(''), catalog: vramfit.catalog() };
  for (const language of languages) {
    const dir = join(out, language.path);
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, 'index.html'), fillTemplate(template, language, answers));
  }
}

rmSync(assets, { recursive: true, force: true });
await writeAssets();
await writePages();
