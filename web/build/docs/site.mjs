// Writes the documentation, docs/ in each language's folder.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { readLocales } from '../../locale_files.mjs';
import { createText } from '../../text/explain.mjs';
import { languages } from '../../text/messages.mjs';
import { docsPages, pageHtml } from './pages_html.mjs';
import { askAll } from './survey.mjs';

const measuredFile = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', 'assets', 'accuracy', 'measured.json');

// Pages as the sitemap knows them: paths within a language's folder.
export const docsPaths = docsPages.map(({ file }) => `docs/${file}`);

export function writeDocs(out, vramfit, { sources, siteUrl }) {
  mkdirSync(join(out, 'assets', 'accuracy'), { recursive: true });
  cpSync(measuredFile, join(out, 'assets', 'accuracy', 'measured.json'));
  const catalog = vramfit.catalog();
  const shared = {
    vramfit, catalog, siteUrl, version: catalog.version, asked: askAll(vramfit), sources: JSON.parse(readFileSync(sources, 'utf8')), measured: JSON.parse(readFileSync(measuredFile, 'utf8')),
  };
  for (const language of languages) {
    const locale = readLocales(language.lang);
    const message = (key) => locale[key.slice(0, key.indexOf('.'))][key.slice(key.indexOf('.') + 1)];
    const text = { ...createText(locale, language.lang, { strict: true }), message };
    // From docs/ up to the language's folder and from there to the site's.
    const root = '../'.repeat(language.path.split('/').length);
    const targets = Object.fromEntries(docsPages.map(({ id, file }) => [id, file || './']));
    const dir = join(out, language.path, 'docs');
    mkdirSync(dir, { recursive: true });
    for (const page of docsPages) writeFileSync(join(dir, page.file || 'index.html'), String(pageHtml(page, { ...shared, language, text, root, targets })));
  }
}
