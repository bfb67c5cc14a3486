// What search engines, link previews and browsers' tabs read of a page. Addresses that must be absolute stand there only when the
// build was told the site's own: without it they are left out rather than invented.
import { html } from '../page/html.mjs';
import { languages } from '../text/messages.mjs';

export const imagePath = (lang) => `assets/preview/vramfit-${lang}.png`;
export const imageSize = { width: 1200, height: 630 };
const localeOf = { en: 'en_US', es: 'es_419', 'pt-BR': 'pt_BR' };

// JSON inside of HTML: nothing in it may close the element.
const data = (object) => ({ kind: 'markup', text: JSON.stringify(object).replace(/</g, '\\u003c') });

function structured({ kind, title, description, language, version, catalog, at, text }) {
  const app = {
    '@type': 'WebApplication',
    name: text.t('page.name'),
    description: text.t('page.description'),
    ...(at && { url: at(language.path), image: at(imagePath(language.lang)) }),
    applicationCategory: 'DeveloperApplication',
    operatingSystem: 'Any',
    browserRequirements: text.t('meta.requirements'),
    softwareVersion: version,
    inLanguage: language.lang,
    isAccessibleForFree: true,
    license: 'https://spdx.org/licenses/MIT.html',
    offers: { '@type': 'Offer', price: 0, priceCurrency: 'USD' },
  };
  if (kind === 'app') return { '@context': 'https://schema.org', ...app };
  return { '@context': 'https://schema.org', '@type': 'TechArticle', headline: title, description, inLanguage: language.lang, dateModified: catalog.date, about: app };
}

// `path`: the page's within its language's folder. `kind`: app, article, or nothing for a page that is neither.
export function metaHtml({ path, title, description, kind, language, text, root, siteUrl, version, catalog }) {
  const at = siteUrl && ((where) => siteUrl + where);
  const page = (l) => (at ? at(l.path + path) : `${root}${l.path}${path}` || './');
  const image = at && at(imagePath(language.lang));
  const alt = text.t('meta.image', { answer: text.t('page.tagline') });
  const property = (name, content) => html`<meta property="og:${name}" content="${content}">\n`;
  return html`<title>${title}</title>
<meta name="description" content="${description}">
${at && html`<link rel="canonical" href="${page(language)}">\n`}${languages.map((l) => html`<link rel="alternate" hreflang="${l.lang}" href="${page(l)}">\n`)}<link rel="alternate" hreflang="x-default" href="${page(languages[0])}">
${property('type', kind === 'article' ? 'article' : 'website')}${property('site_name', text.t('page.name'))}${property('title', title)}${property('description', description)}${
  property('locale', localeOf[language.lang])}${languages.filter((l) => l !== language).map((l) => property('locale:alternate', localeOf[l.lang]))}${
  at && [property('url', page(language)), property('image', image), property('image:type', 'image/png'), property('image:width', imageSize.width), property('image:height', imageSize.height), property('image:alt', alt)]}<meta name="twitter:card" content="${at ? 'summary_large_image' : 'summary'}">
<link rel="icon" href="${root}assets/icons/icon.svg" type="image/svg+xml">
<link rel="icon" href="${root}assets/icons/icon-32.png" type="image/png" sizes="32x32">
<link rel="apple-touch-icon" href="${root}assets/icons/apple-touch-icon.png">
${kind && html`<script type="application/ld+json">${data(structured({ kind, title, description, language, version, catalog, at, text }))}</script>`}`;
}
