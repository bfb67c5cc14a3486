// Writes the folder of the npm package from the built site, for `npm pack`. Nothing is published from here.
//
//   node web/build/package.mjs --dist DIST --out DIR
//
// Scripts are bundled but not minified: whoever installs them has a bundler, and reads stack traces.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';

import { readLocale, readLocales } from '../locale_files.mjs';
import { languages } from '../text/messages.mjs';
import { packageJson } from './package_json.mjs';

const web = join(dirname(fileURLToPath(import.meta.url)), '..');
const root = join(web, '..');

// Locale files that the terminal command reads beside each language's first, which has the engines' texts in it.
const terminalParts = ['export', 'prices', 'log', 'import'];
const localeName = (lang, part) => (part ? `${part}.${lang}` : lang);

// In place of web/locale_files.mjs, which reads a folder: each file is a module.
function localeFiles() {
  const names = ['', ...terminalParts].flatMap((part) => languages.map(({ lang }) => localeName(lang, part)));
  return `${names.map((name, i) => `import file${i} from './locales/${name}.mjs';`).join('\n')}

const files = { ${names.map((name, i) => `'${name}': file${i}`).join(', ')} };
export const localeParts = ${JSON.stringify(terminalParts)};
export function readLocale(lang, part = '') {
  const name = part ? \`\${part}.\${lang}\` : lang;
  if (!Object.hasOwn(files, name)) throw new Error(\`not packed: \${name}\`);
  return files[name];
}
export const readLocales = (lang, parts = localeParts) => Object.assign({}, ...['', ...parts.filter((part) => localeParts.includes(part))].map((part) => readLocale(lang, part)));
`;
}

function writeLocales(out) {
  mkdirSync(join(out, 'locales'));
  for (const part of ['', ...terminalParts]) {
    for (const { lang } of languages) writeFileSync(join(out, 'locales', `${localeName(lang, part)}.mjs`), `export default ${JSON.stringify(part ? readLocale(lang, part) : readLocales(lang, ['engine']), null, 1)};\n`);
  }
  writeFileSync(join(out, 'locale_files.mjs'), localeFiles());
}

// What bundles take from outside the tree, or leave outside. `assets` is the built site's folder.
const besideTheScript = {
  name: 'beside-the-script',
  setup(build) {
    build.onResolve({ filter: /\/locale_files\.mjs$/ }, () => ({ path: './locale_files.mjs', external: true }));
    build.onResolve({ filter: /^\.\/(vramfit-core\.mjs|locales\/[\w-]+\.mjs)$/ }, ({ path }) => ({ path, external: true }));
  },
};
const insideTheScript = (assets) => ({
  name: 'inside-the-script',
  setup(build) {
    build.onResolve({ filter: /^\.\/vramfit-(core\.mjs|full\.wasm)$/ }, ({ path }) => ({ path: join(assets, path) }));
    build.onLoad({ filter: /\.wasm$/ }, ({ path }) => ({ contents: gzipSync(readFileSync(path), { level: 9 }), loader: 'binary' }));
  },
});

async function writeScripts(out, assets) {
  const esbuild = createRequire(import.meta.url)('esbuild');  // unlike import, looks in NODE_PATH too
  const script = (from, to, options) => esbuild.build({
    entryPoints: [join(web, from)], outfile: join(out, to), absWorkingDir: root, bundle: true, format: 'esm', target: 'es2022', charset: 'utf8',
    legalComments: 'none', logLevel: 'warning', platform: 'neutral', plugins: [besideTheScript], ...options,
  });
  await script('package/vramfit.mjs', 'vramfit.mjs');
  await script('package/vramfit_node.mjs', 'vramfit_node.mjs', { platform: 'node' });
  await script('package/text.mjs', 'text.mjs');
  await script('package/price_list.mjs', 'price_list.mjs');
  await script('package/import.mjs', 'import.mjs');
  await script('package/import_node.mjs', 'import_node.mjs', { platform: 'node' });
  await script('cli/estimate.mjs', 'cli.mjs', { platform: 'node' });
  // The module asks for its own address before it finds that it needs none.
  await script('package/inline.mjs', 'inline.mjs', { minify: true, plugins: [insideTheScript(assets)], define: { 'import.meta.url': '"file:///"' } });
}

// Fills the folder `out` from the site built in `dist`.
export async function writePackage(dist, out) {
  const assets = join(resolve(dist), 'assets');
  rmSync(out, { recursive: true, force: true });
  mkdirSync(join(out, 'types'), { recursive: true });
  for (const file of ['vramfit-core.mjs', 'vramfit-core.wasm', 'vramfit-full.wasm', 'vramfit-import.wasm', 'vram-fit.js', 'vram-fit-prices.js', 'vram-fit-engine.js', 'vram-fit-remarks.js']) cpSync(join(assets, file), join(out, file));
  for (const file of readdirSync(join(web, 'types'))) cpSync(join(web, 'types', file), join(out, 'types', file));
  cpSync(join(web, 'package', 'README.md'), join(out, 'README.md'));
  for (const file of ['RESULT.md', 'PRICES.md', 'IMPORT.md']) cpSync(join(web, file), join(out, file));
  cpSync(join(root, 'LICENSE'), join(out, 'LICENSE'));
  writeLocales(out);
  await writeScripts(out, assets);
  // The module's own version is the one of CMakeLists.txt.
  const { loadVramfit } = await import(pathToFileURL(join(out, 'vramfit_node.mjs')));
  const { version } = (await loadVramfit()).catalog();
  writeFileSync(join(out, 'package.json'), `${JSON.stringify(packageJson(version), null, 2)}\n`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values } = parseArgs({ options: { dist: { type: 'string' }, out: { type: 'string' } } });
  if (!values.dist || !values.out) {
    console.error('usage: node web/build/package.mjs --dist DIST --out DIR');
    process.exit(64);
  }
  await writePackage(values.dist, resolve(values.out));
}
