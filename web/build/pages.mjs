// The pages of each language, with the default answer already in them.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { readLocales } from '../locale_files.mjs';
import { formHtml } from '../page/form.mjs';
import { html } from '../page/html.mjs';
import { contentSecurityPolicy } from '../page/policy.mjs';
import { regions } from '../page/regions.mjs';
import { whatIfHtml } from '../page/what_if.mjs';
import { createText, explain } from '../text/explain.mjs';
import { languages } from '../text/messages.mjs';
import { explainWhatIf } from '../text/what_if.mjs';
import { scriptPattern } from './assets.mjs';

const templates = join(dirname(fileURLToPath(import.meta.url)), '..', 'page');
const part = (name) => readFileSync(join(templates, name), 'utf8');

function fillTemplate(template, file, { lang, path }, { result, whatIf, catalog }, scripts) {
  const text = createText(readLocales(lang), lang, { strict: true });
  const view = explain(result, catalog, text);
  const made = regions(view, text);
  const root = '../'.repeat(path.split('/').length - 1) || './';
  const link = (l) => html`<a href="${root + l.path + file}" hreflang="${l.lang}" lang="${l.lang}" data-lang="${l.lang}"${l.lang === lang && html` aria-current="page"`}>${l.name}</a>`;
  const alternates = html`${languages.map((l) => html`<link rel="alternate" hreflang="${l.lang}" href="${root + l.path + file}">`)}<link rel="alternate" hreflang="x-default" href="${root + file}">`;
  const limits = whatIfHtml(explainWhatIf(whatIf, result, view, catalog, text), text);
  const slots = {
    scripts, lang, root, limits, alternates, languages: languages.map(link), form: formHtml(catalog, result, text), policy: contentSecurityPolicy,
  };
  return template
    .replace(/\{\{t ([\w.]+)\}\}/g, (_, key) => html`${text.t(key)}`)
    .replace(/\{\{script (\w+)\}\}/g, (_, name) => scripts.replace('*', name))
    .replace(/\{\{(\w+)\}\}/g, (_, name) => html`${slots[name]}`)
    .replace(/data-t-label="([\w.]+)"/g, (all, key) => html`${html([all])} aria-label="${text.t(key)}"`)
    .replace(/(data-t="([\w.]+)"[^>]*>)/g, (all, tag, key) => tag + html`${text.t(key)}`)
    .replace(/<(\w+) ([^>]*)data-region="(\w+)"([^>]*)>/g, (all, tag, before, id, after) => {
      const markup = made[id];
      return `<${tag} ${before}data-region="${id}"${after}${markup ? '' : ' hidden'}>${markup ?? ''}`;
    });
}

// `vramfit` computes the answer: the very module that the pages load.
export function writePages(out, vramfit, { minifier }) {
  const answers = { result: vramfit.estimate(''), whatIf: vramfit.whatIf(''), catalog: vramfit.catalog() };
  // The main page's address is its folder.
  for (const [file, name] of [['', 'index.html'], ['canvas.html', 'canvas.html']]) {
    const template = part(name).replace(/\{\{(head|calculator)\}\}/g, (_, name) => part(`${name}.html`));
    for (const language of languages) {
      const dir = join(out, language.path);
      mkdirSync(dir, { recursive: true });
      writeFileSync(join(dir, name), fillTemplate(template, file, language, answers, scriptPattern(minifier)));
    }
  }
}
