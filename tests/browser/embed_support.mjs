// What the tests of embedding share: a publisher's server, of another site than the calculator's, under a strict policy of its own.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

import { contentSecurityPolicy } from '../../web/page/policy.mjs';
import { assets, becomes, pageTest } from './support.mjs';

// Serves `pages`, {path: HTML text, or {type, body, headers}}; they may be added to later. `localhost` is another site than 127.0.0.1.
async function serveHost() {
  const pages = {};
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const page = pages[pathname];
    const { type = 'text/html; charset=utf-8', body, headers } = typeof page === 'string' ? { body: page } : page ?? {};
    response.writeHead(body === undefined ? 404 : 200, { 'Content-Type': type, 'Cache-Control': 'no-store', ...headers });
    response.end(body);
  });
  await new Promise((done) => { server.listen(0, '127.0.0.1', done); });
  return {
    pages,
    origin: `http://localhost:${server.address().port}`,
    close: () => new Promise((done) => { server.closeAllConnections(); server.close(done); }),
  };
}

// The strictest policy with which a page can have a frame of `site`.
export const frameHostPolicy = (site) => `${contentSecurityPolicy}; frame-src ${site}`;

// An article of the publisher's. `head` goes into its head, `body` into its text.
export const article = (body, head = '', lang = 'en') => `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>An article</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/host.css">${head}</head><body><main><h1>An article</h1>${body}</main></body></html>`;

export const frame = (origin, query, attributes = '') => `<iframe data-vramfit src="${origin}/embed.html${query && `?${query.replaceAll('&', '&amp;')}`}" title="vramfit" width="100%" height="300" ${attributes}></iframe>`;

// As pageTest(), with a publisher beside the site: `host.origin`, `host.pages`, and `visit(body, ...)`, which opens an article of theirs. The
// page notes messages and events in window.heard, and keeps embed-parent.js unless told otherwise.
export function hostTest(name, ...rest) {
  const body = rest.pop();
  const { expect = [], ...options } = rest[0] ?? {};
  pageTest(name, { ...options, expect: [/^request elsewhere: http:\/\/localhost:\d+\//, ...expect] }, async (given) => {
    const host = await serveHost();
    host.pages['/host.css'] = { type: 'text/css', body: 'body { margin: 1rem; font-family: serif; } main { max-width: 44rem; } iframe { border: 2px solid #888; max-width: 100%; }' };
    host.pages['/host.js'] = { type: 'text/javascript', body: `window.heard = [];
      addEventListener('message', ({ data, origin }) => heard.push({ origin, ...data }));
      for (const type of ['resize', 'change', 'error']) addEventListener('vramfit-' + type, ({ target, detail }) => { if (target.tagName === 'IFRAME') heard.push({ event: type, id: target.id, ...detail }); });` };
    host.pages['/embed-parent.js'] = { type: 'text/javascript', body: readFileSync(join(assets, 'embed-parent.js')) };
    const visit = async (text, { head = '', lang = 'en', parent = true, policy = frameHostPolicy(given.origin), page = given.page } = {}) => {
      const scripts = `<script src="/host.js"></script>${parent ? '<script src="/embed-parent.js" async></script>' : ''}`;
      host.pages['/article'] = { body: article(text, scripts + head, lang), headers: { 'Content-Security-Policy': policy } };
      await page.goto(`${host.origin}/article`);
    };
    try {
      await body({ ...given, host, visit });
    } finally {
      await host.close();
    }
  });
}

// The site as one that lets other origins read its files.
export const allowOthers = (context, origin) => context.route(`${origin}/**`, async (route) => {
  const response = await route.fetch();
  await route.fulfill({ response, headers: { ...response.headers(), 'access-control-allow-origin': '*' } });
});

// The page in the frame that `selector` finds, once its element has answered.
export async function inFrame(page, selector = 'iframe') {
  const handle = await page.waitForSelector(selector, { state: 'attached' });
  const content = await handle.contentFrame();
  await content.waitForSelector('vram-fit', { state: 'attached' });
  await becomes(() => content.evaluate(() => ['ready', 'refused', 'failed'].includes(document.querySelector('vram-fit').state)), true);
  return content;
}

// Heights of a frame and of what is in it, once they have come to rest.
export async function rested(page, selector = 'iframe') {
  const content = await inFrame(page, selector);
  await page.locator(selector).scrollIntoViewIfNeeded();  // a browser need not lay out a frame that is out of sight
  const read = async () => ({
    frame: await page.locator(selector).evaluate((node) => node.clientHeight),
    content: await content.evaluate(() => Math.ceil(document.body.getBoundingClientRect().height)),
  });
  let last = await read();
  for (let same = 0; same < 5;) {
    await page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => setTimeout(done, 30)); }));
    const now = await read();
    same = now.frame === last.frame && now.content === last.content ? same + 1 : 0;
    last = now;
  }
  return last;
}

export async function fits(page, selector) {
  const { frame: height, content } = await rested(page, selector);
  assert.equal(height, content, `${selector}: the frame is as high as what is in it`);
  return height;
}
