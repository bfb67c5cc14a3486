// The pages of each language, with the default answer already in them.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { readLocales } from '../locale_files.mjs';
import { formHtml } from '../page/form.mjs';
import { html } from '../page/html.mjs';
import { calculatorPolicy, sitePolicy } from '../page/policy.mjs';
import { regions } from '../page/regions.mjs';
import { whatIfHtml } from '../page/what_if.mjs';
import { createText, explain } from '../text/explain.mjs';
import { languages } from '../text/messages.mjs';
import { explainWhatIf } from '../text/what_if.mjs';
import { scriptPattern } from './assets.mjs';
import { metaHtml } from './meta_html.mjs';

const templates = join(dirname(fileURLToPath(import.meta.url)), '..', 'page');
const part = (name) => readFileSync(join(templates, name), 'utf8');

export function fillTemplate(template, page, language, { result, whatIf, catalog }, scripts, siteUrl) {
  const { lang, path } = language;
  const { file } = page;
  const text = createText(readLocales(lang), lang, { strict: true });
  const view = explain(result, catalog, text);
  const made = regions(view, text);
  const root = '../'.repeat(path.split('/').length - 1) || './';
  const link = (l) => html`<a href="${root + l.path + file}" hreflang="${l.lang}" lang="${l.lang}" data-lang="${l.lang}"${l.lang === lang && html` aria-current="page"`}>${l.name}</a>`;
  const meta = metaHtml({ path: file, title: text.t(page.title), description: text.t(page.description), kind: page.kind, language, text, root, siteUrl, version: catalog.version, catalog });
  const limits = whatIfHtml(explainWhatIf(whatIf, result, view, catalog, text), text);
  const slots = {
    scripts, lang, root, limits, meta, difference: html`<p class="why">${view.difference}</p>`, languages: languages.map(link), form: formHtml(catalog, result, text), policy: page.file ? sitePolicy : calculatorPolicy,
  };
  return template
    .replace(/\{\{t ([\w.]+)\}\}/g, (_, key) => html`${text.t(key)}`)
    .replace(/\{\{script (\w+)\}\}/g, (_, name) => scripts.replace('*', name))
    .replace(/\{\{(\w+)\}\}/g, (_, name) => html`${slots[name]}`)
    .replace(/data-t-label="([\w.]+)"/g, (all, key) => html`${html([all])} aria-label="${text.t(key)}"`)
    .replace(/(data-t="([\w.]+)"[^>]*>)(?=<)/g, (all, tag, key) => tag + html`${text.t(key)}`)
    .replace(/<(\w+) ([^>]*)data-region="(\w+)"([^>]*)>/g, (all, tag, before, id, after) => {
      const markup = made[id];
      return `<${tag} ${before}data-region="${id}"${after}${markup ? '' : ' hidden'}>${markup ?? ''}`;
    });
}

// The main page's address is its folder.
export const mainPages = [
  { file: '', title: 'page.title', description: 'page.description', kind: 'app' },
  { file: 'canvas.html', title: 'page.canvas.title', description: 'page.canvas.description', kind: null },
];

// `answers` to the default question: {result, whatIf, catalog}.
export function writePages(out, answers, { minifier, siteUrl }) {
  for (const page of mainPages) {
    const name = page.file || 'index.html';
    const template = part(name).replace(/\{\{(head|calculator)\}\}/g, (_, name) => part(`${name}.html`)).replace(/<!--\/?site-->/g, '');
    for (const language of languages) {
      const dir = join(out, language.path);
      mkdirSync(dir, { recursive: true });
      writeFileSync(join(dir, name), fillTemplate(template, page, language, answers, scriptPattern(minifier), siteUrl));
    }
  }
}
