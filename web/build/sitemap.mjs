// Where crawlers find the pages: sitemap.xml with each page's other languages, and robots.txt. A sitemap holds full addresses, so there
// is one only when the site's own is known.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { html } from '../page/html.mjs';
import { languages } from '../text/messages.mjs';
import { docsPaths } from './docs/site.mjs';
import { mainPages } from './pages.mjs';

// The site's address as given, with a slash at its end; null when none is. Anything that is no such address stops the build.
export function siteAddress(given) {
  if (!given) return null;
  let url = null;
  try {
    url = new URL(given);
  } catch { /* said below */ }
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username) throw new Error(`not the address of a site: ${given}`);
  return url.href.endsWith('/') ? url.href : `${url.href}/`;
}

export function writeSitemap(out, { siteUrl, date }) {
  const file = join(out, 'sitemap.xml');
  writeFileSync(join(out, 'robots.txt'), `User-agent: *\nAllow: /\n${siteUrl ? `Sitemap: ${siteUrl}sitemap.xml\n` : ''}`);
  if (!siteUrl) return rmSync(file, { force: true });
  const paths = [...mainPages.map((page) => page.file), ...docsPaths];
  const alternates = (path) => html`${languages.map((l) => html`<xhtml:link rel="alternate" hreflang="${l.lang}" href="${siteUrl + l.path + path}"/>`)}<xhtml:link rel="alternate" hreflang="x-default" href="${siteUrl + path}"/>`;
  const entries = paths.flatMap((path) => languages.map((l) => html`<url><loc>${siteUrl + l.path + path}</loc><lastmod>${date}</lastmod>${alternates(path)}</url>\n`));
  writeFileSync(file, String(html`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${entries}</urlset>
`));
}
