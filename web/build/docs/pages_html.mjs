// The documentation's pages: which there are, and what surrounds each.
import { html } from '../../page/html.mjs';
import { contentSecurityPolicy } from '../../page/policy.mjs';
import { languages } from '../../text/messages.mjs';
import { metaHtml } from '../meta_html.mjs';
import { accuracyHtml } from './accuracy_html.mjs';
import { embedHtml } from './embed_html.mjs';
import { linksHtml } from './links_html.mjs';
import { numbersHtml } from './numbers_html.mjs';
import { privacyHtml } from './privacy_html.mjs';

const indexHtml = ({ text, targets }) => docsPages.filter(({ id }) => id !== 'index').map(({ id }) => [null, html`<a href="${targets[id]}">${text.t(`docs.${id}.title`)}</a>`, [html`<p>${text.t(`docs.${id}.description`)}</p>`]]);

// `file`: its name within docs/, empty for the folder's own page. `sections`: [[anchor, heading, content]].
export const docsPages = [
  { id: 'index', file: '', sections: indexHtml },
  { id: 'numbers', file: 'numbers.html', sections: numbersHtml },
  { id: 'links', file: 'links.html', sections: linksHtml },
  { id: 'embed', file: 'embed.html', sections: embedHtml },
  { id: 'accuracy', file: 'accuracy.html', sections: accuracyHtml },
  { id: 'privacy', file: 'privacy.html', sections: privacyHtml },
];

// `context`: what the pages are made of, in one language; `page`: one of the above.
export function pageHtml(page, context) {
  const { language, text, root, targets, version, catalog } = context;
  const { t, format } = text;
  const address = (l) => `${root}${l.path}docs/${page.file}`;
  const here = (yes) => yes && html` aria-current="page"`;
  const sections = page.sections(context);
  const title = t(`docs.${page.id}.title`);
  const meta = metaHtml({ ...context, path: `docs/${page.file}`, title: t('meta.page_title', { title }), description: t(`docs.${page.id}.description`), kind: 'article' });
  return html`<!doctype html>
<html lang="${language.lang}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${meta}
<link rel="stylesheet" href="${root}assets/style.css">
<link rel="stylesheet" href="${root}assets/docs.css">
</head>
<body>
<a class="skip" href="#content">${t('docs.skip')}</a>
<header>
  <div>
    <p class="brand"><a href="${root}${language.path}">${t('page.name')}</a></p>
    <p class="tagline">${t('docs.name')}</p>
  </div>
  <div class="switches">
    <nav aria-label="${t('page.language')}">${languages.map((l) => html`<a href="${address(l)}" hreflang="${l.lang}" lang="${l.lang}"${here(l.lang === language.lang)}>${l.name}</a>`)}</nav>
    <a href="${root}${language.path}">${t('docs.calculator')}</a>
  </div>
</header>
<div class="docs">
<nav class="pages" aria-label="${t('docs.pages')}"><ul>${docsPages.map(({ id }) => html`<li><a href="${targets[id]}"${here(id === page.id)}>${t(`docs.${id}.title`)}</a></li>`)}</ul></nav>
<main id="content" tabindex="-1">
<h1>${title}</h1>
<p class="lead">${t(`docs.${page.id}.lead`)}</p>
${page.id !== 'index' && sections.length > 3 && html`<nav class="contents" aria-label="${t('docs.contents')}"><ul>${sections.map(([id, heading]) => html`<li><a href="#${id}">${heading}</a></li>`)}</ul></nav>`}
${sections.map(([id, heading, content]) => html`<section${id && html` id="${id}"`}><h2>${heading}</h2>${content}</section>`)}
</main>
</div>
<footer><p>${t('docs.made', { version, date: format.date(catalog.date) })}</p><p>${t('docs.license')}</p></footer>
</body>
</html>
`;
}
