// What a browser shows of the site once it is installed: one manifest beside each language's page.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { readLocales } from '../locale_files.mjs';
import { createText } from '../text/explain.mjs';
import { languages } from '../text/messages.mjs';

const palette = join(dirname(fileURLToPath(import.meta.url)), '..', 'page', 'palette.css');

function webManifest({ lang, path }, { icons, surface }) {
  const { t } = createText(readLocales(lang), lang, { strict: true });
  const root = '../'.repeat(path.split('/').length - 1) || './';
  return {
    name: t('page.name'),
    short_name: t('page.name'),
    description: t('page.description'),
    lang,
    dir: 'ltr',
    start_url: './',
    scope: root,  // a link to another language stays inside
    display: 'standalone',
    theme_color: surface,
    background_color: surface,
    categories: ['developer', 'utilities'],
    icons: icons.map((icon) => ({ ...icon, src: root + icon.src })),
    shortcuts: [{ name: t('page.canvas'), url: 'canvas.html' }],
  };
}

// The site's pictures of itself, by what their bytes say of their size. Apple's is a link of the page, not of the manifest.
function iconsIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((file) => file.endsWith('.png') && !file.startsWith('apple')).sort().map((file) => {
    const bytes = readFileSync(join(folder, file));
    return { src: `assets/icons/${file}`, sizes: `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`, type: 'image/png', purpose: file.includes('maskable') ? 'maskable' : 'any' };
  });
}

export function writeWebManifests(out) {
  const icons = iconsIn(join(out, 'assets', 'icons'));
  const surface = readFileSync(palette, 'utf8').match(/--surface: light-dark\((#\w+)/)[1];
  for (const language of languages) writeFileSync(join(out, language.path, 'manifest.webmanifest'), JSON.stringify(webManifest(language, { icons, surface })));
}
