// The service worker, with the list of what it keeps: every file of the site that one of its own pages can ask for, with its hash.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

import { languages } from '../text/messages.mjs';

const worker = join(dirname(fileURLToPath(import.meta.url)), '..', 'offline', 'worker.mjs');

// What others ask for: pages in frames of other sites, their examples, previews and search engines; and what is there to be taken away.
const notKept = [/^sw\.js$/, /^vramfit\.html$/, new RegExp(`^(${languages.map(({ path }) => path).join('|')})embed\\.html$`), /^examples\//, /^assets\/(embed|vram-fit)/, /^robots\.txt$/, /^sitemap[\w-]*\.xml$/, /^assets\/preview\//, /\.(zip|gz)$/, /^SHA256SUMS$/];

export const filesBelow = (folder) => readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile()).map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)).split(sep).join('/')).sort();

// [{url, revision, integrity}] by address below the site's root. A folder's page is its folder, as pages link to it.
export function keptFiles(out) {
  return filesBelow(out).filter((file) => !notKept.some((pattern) => pattern.test(file))).map((file) => {
    const bytes = readFileSync(join(out, file));
    const hash = (name, form) => createHash(name).update(bytes).digest(form);
    return { url: `./${file.replace(/(^|\/)index\.html$/, '$1')}`, revision: hash('sha256', 'hex').slice(0, 16), integrity: `sha256-${hash('sha256', 'base64')}` };
  });
}

// After everything else has been written.
export async function writeOffline(out) {
  const esbuild = createRequire(import.meta.url)('esbuild');
  await esbuild.build({
    entryPoints: [worker],
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    legalComments: 'none',
    logLevel: 'warning',
    define: { 'self.__WB_MANIFEST': JSON.stringify(keptFiles(out)), 'process.env.NODE_ENV': '"production"' },
    outfile: join(out, 'sw.js'),
  });
}
