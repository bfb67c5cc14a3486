// What the tests of <vram-fit> share: articles of somebody else's, under the strictest policy, and what the element shows in them.
import { contentSecurityPolicy } from '../../web/page/policy.mjs';
import { plain } from './support.mjs';

export const script = '<script type="module" src="/assets/vram-fit.js"></script>';

// Opens an article at /news/. `css` is its style sheet, `js` a script of its own, `body` what stands in it; `files` are others of its
// files by path, each text or a {status, body, contentType}.
export async function openArticle(page, origin, { lang = 'es', css = '', js = '', body, head = script, policy = contentSecurityPolicy, files = {} }) {
  const html = `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>VRAM</title>
    <link rel="icon" href="data:,"><link rel="stylesheet" href="article.css"><script type="module" src="article.js"></script>${head}</head><body><main><h1>VRAM</h1>${body}</main></body></html>`;
  // Before anything loads: every event of the elements.
  const listener = `window.told = [];
    for (const name of ['change', 'resize', 'error']) document.addEventListener('vramfit-' + name, ({ target, detail }) => window.told.push({ name, id: target.id, ...detail }));\n`;
  const all = { '': html, 'article.css': css, 'article.js': listener + js, ...files };
  const types = { css: 'text/css', js: 'text/javascript', json: 'application/json' };
  for (const [path, answer] of Object.entries(all)) {
    const { status = 200, body: text, contentType } = typeof answer === 'string' ? { body: answer } : answer;
    await page.route((url) => url.pathname === `/news/${path}`, (route) => route.fulfill({
      status, body: text, contentType: contentType ?? `${types[path.split('.').at(-1)] ?? 'text/html'}; charset=utf-8`, headers: { 'Content-Security-Policy': policy },
    }));
  }
  await page.goto(`${origin}/news/`);
}

export const element = (page, at = 'vram-fit') => page.locator(at).first();
// Its state once it has settled.
export const settled = (page, at) => element(page, at).evaluate(async (node) => {
  await customElements.whenDefined('vram-fit');
  await node.ready;
  return node.state;
});
export const told = (page, name) => page.evaluate((wanted) => window.told.filter((event) => event.name === wanted), name);
export const errors = async (page) => (await told(page, 'error')).map(({ id }) => id);
export const sentence = async (page, at) => plain(await element(page, at).locator('.sentence').textContent());
export const set = (page, attributes, at) => element(page, at).evaluate(async (node, all) => {
  for (const [name, value] of Object.entries(all)) {
    if (value === null) node.removeAttribute(name);
    else node.setAttribute(name, value);
  }
  await node.ready;
}, attributes);
