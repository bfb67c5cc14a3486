// What embedding needs beside the element: the page in a frame, and the script for the page around it.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { readLocales } from '../locale_files.mjs';
import { html } from '../page/html.mjs';
import { contentSecurityPolicy } from '../page/policy.mjs';
import { languages } from '../text/messages.mjs';
import { createText } from '../text/text.mjs';

const from = join(dirname(fileURLToPath(import.meta.url)), '..', 'embed');
const parentScript = join(from, 'parent.js');
const minified = { minify: true, target: 'es2022', legalComments: 'none', logLevel: 'warning' };

// As it ships, for those who show it to be copied.
export async function parentScriptText({ minifier }) {
  const source = readFileSync(parentScript, 'utf8');
  if (minifier !== 'esbuild') return source;
  return (await createRequire(import.meta.url)('esbuild').transform(source, minified)).code;
}

async function writeScripts(assets, { minifier }) {
  if (minifier === 'esbuild') {
    const esbuild = createRequire(import.meta.url)('esbuild');
    const entryPoints = ['embed.mjs', 'embed.css'].map((file) => join(from, file));
    await esbuild.build({ ...minified, entryPoints, bundle: true, format: 'iife', outdir: assets });
  } else {
    // Its modules lie there with all the others.
    copyFileSync(join(from, 'embed.css'), join(assets, 'embed.css'));
  }
  writeFileSync(join(assets, 'embed-parent.js'), await parentScriptText({ minifier }));
}

// `siteUrl`: the address that the site will have, where it is known.
export async function writeEmbed(out, { minifier, siteUrl }) {
  await writeScripts(join(out, 'assets'), { minifier });
  const link = ({ lang, path }) => html`<p lang="${lang}"><a href="${path || './'}">${createText(readLocales(lang), lang, { strict: true }).t('embed.open')}</a></p>\n`;
  const slots = {
    policy: contentSecurityPolicy,
    canonical: siteUrl && html`<link rel="canonical" href="${siteUrl}">\n`,
    // No module where it is one file: those are not to be had from a sandbox without CORS, and it is the one to say so.
    script: minifier === 'esbuild' ? html`<script defer src="assets/embed.js"></script>` : html`<script type="module" src="assets/embed/embed.mjs"></script>`,
    links: languages.map(link),
  };
  const text = createText(readLocales('en'), 'en', { strict: true });
  writeFileSync(join(out, 'embed.html'), readFileSync(join(from, 'embed.html'), 'utf8')
    .replace(/\{\{t ([\w.]+)\}\}/g, (_, key) => html`${text.t(key)}`)
    .replace(/\{\{(\w+)\}\}/g, (_, name) => html`${slots[name]}`));
}
