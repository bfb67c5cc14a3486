// Example articles, one per language, that use the calculator as publishers do: elements and a frame under a strict policy, in a look of
// their own.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { readLocales } from '../locale_files.mjs';
import { html } from '../page/html.mjs';
import { frameHostPolicy } from '../page/policy.mjs';
import { languages } from '../text/messages.mjs';
import { createText } from '../text/text.mjs';

const from = join(dirname(fileURLToPath(import.meta.url)), '..', 'examples');
const fileOf = ({ lang }) => `${lang.toLowerCase()}.html`;

export function writeExamples(out) {
  const dir = join(out, 'examples');
  mkdirSync(dir, { recursive: true });
  for (const file of ['article.css', 'prices.json']) copyFileSync(join(from, file), join(dir, file));
  const template = readFileSync(join(from, 'article.html'), 'utf8');
  for (const language of languages) {
    const { t } = createText(readLocales(language.lang), language.lang, { strict: true });
    const link = (l) => html`<a href="${fileOf(l)}" hreflang="${l.lang}" lang="${l.lang}"${l === language && html` aria-current="page"`}>${l.name}</a>`;
    const slots = { lang: language.lang, path: language.path, policy: frameHostPolicy, languages: languages.map(link) };
    writeFileSync(join(dir, fileOf(language)), template
      .replace(/\{\{t ([\w.]+)\}\}/g, (_, key) => html`${t(key)}`)
      .replace(/\{\{(\w+)\}\}/g, (_, name) => html`${slots[name]}`)
      .replace(/data-t-label="([\w.]+)"/g, (_, key) => html`aria-label="${t(key)}"`)
      .replace(/ data-t="([\w.]+)"([^>]*)>/g, (_, key, rest) => `${rest}>${html`${t(key)}`}`));
  }
}
