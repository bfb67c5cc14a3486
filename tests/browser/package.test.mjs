// The npm package in a browser: as it is and bundled, on a page with the strict policy, in a worker and on a page opened from disk.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { after } from 'node:test';
import { pathToFileURL } from 'node:url';

import esbuild from 'esbuild';

import { contentSecurityPolicy } from '../../web/page/policy.mjs';
import { codeBlocks, installPackage } from '../web/package_support.mjs';
import { shippedCalculator } from '../web/support.mjs';
import { typeCheck } from '../web/type_check.mjs';
import { becomes, pageTest, plain } from './support.mjs';

const user = await installPackage();
after(user.remove);
const shipped = await shippedCalculator();
const share = 'model=qwen3-32b&gpus=all';
const types = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm' };

// The user's folder under the site's origin and policy.
async function host(page, origin, file) {
  await page.route((url) => /^\/(user|node_modules|static)\//.test(url.pathname), (route) => {
    const { pathname } = new URL(route.request().url());
    const path = pathname.startsWith('/static/') ? join(user.installed, pathname.slice('/static/'.length)) : join(user.folder, pathname.replace('/user/', '/'));
    return route.fulfill({ path, contentType: types[extname(path)], headers: { 'Content-Security-Policy': contentSecurityPolicy } });
  });
  await page.goto(`${origin}/user/${file}`);
}

function write(file, text) {
  mkdirSync(join(user.folder, file, '..'), { recursive: true });
  writeFileSync(join(user.folder, file), text);
}
const html = (script, head = '') => `<!doctype html><meta charset="utf-8">${head}<title>...</title><link rel="icon" href="data:,"><body>${script}`;
const bundle = (entry, file, options) => esbuild.build({
  entryPoints: [join(user.folder, entry)], outfile: join(user.folder, file), bundle: true, format: 'esm', platform: 'browser', logLevel: 'silent', ...options,
}).then(({ warnings }) => assert.deepEqual(warnings, []));

// What a program says through the page.
const program = (from, options = '') => `import { loadVramfit } from '${from}';
const vramfit = await loadVramfit(${options});
document.body.textContent = JSON.stringify(vramfit.estimate(${JSON.stringify(share)}));
`;
const answers = (page) => becomes(async () => page.locator('body').textContent(), JSON.stringify(shipped.estimate(share)));

for (const [name, file] of [['vramfit', 'vramfit.mjs'], ['vramfit/inline', 'inline.mjs']]) {
  pageTest(`${name} as it is, under the strict policy`, async ({ page, origin }) => {
    const fetched = [];
    page.on('request', (request) => fetched.push(new URL(request.url()).pathname.split('/').at(-1)));
    write('plain.js', program(`./node_modules/vramfit/${file}`));
    write('plain.html', html('<script type="module" src="plain.js"></script>'));
    await host(page, origin, 'plain.html');
    await answers(page);
    assert.deepEqual(fetched.filter((path) => !path.startsWith('plain.')), name === 'vramfit' ? [file, 'vramfit-core.mjs', 'vramfit-full.wasm'] : [file]);
  });

  pageTest(`${name} in a worker`, async ({ page, origin }) => {
    write('worker.js', `import { loadVramfit } from './node_modules/vramfit/${file}';\npostMessage((await loadVramfit()).estimate(${JSON.stringify(share)}));\n`);
    write('main.js', "new Worker('worker.js', { type: 'module' }).onmessage = ({ data }) => { document.body.textContent = JSON.stringify(data); };\n");
    write('worker.html', html('<script type="module" src="main.js"></script>'));
    await host(page, origin, 'worker.html');
    await answers(page);
  });
}

pageTest('bundled, the module beside the bundle', async ({ page, origin }) => {
  write('app.js', program('vramfit'));
  await bundle('app.js', 'out/app.js');
  cpSync(join(user.installed, 'vramfit-full.wasm'), join(user.folder, 'out', 'vramfit-full.wasm'));
  write('out/index.html', html('<script type="module" src="app.js"></script>'));
  await host(page, origin, 'out/index.html');
  await answers(page);
});

pageTest('bundled, the module an asset of the bundler', async ({ page, origin }) => {
  write('asset.js', `import wasmUrl from 'vramfit/vramfit-full.wasm';\n${program('vramfit', "{ wasmUrl: new URL(wasmUrl, document.baseURI) }")}`);
  await bundle('asset.js', 'assets/asset.js', { loader: { '.wasm': 'file' }, minify: true });
  write('assets/index.html', html('<script type="module" src="asset.js"></script>'));
  await host(page, origin, 'assets/index.html');
  await answers(page);
});

pageTest('texts bundled, the languages apart', async ({ page, origin }) => {
  write('text.js', `${program('vramfit')}
import { explain, loadText } from 'vramfit/text';
document.title = explain(vramfit.estimate(), vramfit.catalog(), await loadText('es')).sentence;
`);
  await bundle('text.js', 'text/text.js', { outfile: undefined, outdir: join(user.folder, 'text'), splitting: true });
  for (const name of ['vramfit-core.wasm', 'vramfit-full.wasm']) cpSync(join(user.installed, name), join(user.folder, 'text', name));
  write('text/index.html', html('<script type="module" src="text.js"></script>'));
  await host(page, origin, 'text/index.html');
  await becomes(() => page.title(), 'Llama 3.1 70B en FP8: 84 GB según la regla; de las tarjetas del artículo, 1x H200');
});

pageTest('a module that is not there is an error of loadVramfit()', { expect: [/answer 404/, /Failed to load resource/, /wasm streaming compile failed/, /falling back/, /failed to asynchronously prepare/, /Aborted/] }, async ({ page, origin }) => {
  write('gone.js', "import { loadVramfit } from './node_modules/vramfit/vramfit.mjs';\nawait loadVramfit({ wasmUrl: '/gone.wasm' }).catch((error) => { document.title = error.message; });\n");
  write('gone.html', html('<script type="module" src="gone.js"></script>'));
  await host(page, origin, 'gone.html');
  await becomes(async () => /fetch/.test(await page.title()), true);
});

// Under file: every file is an origin of its own, so that a page may load classic scripts only.
pageTest('the inline variant bundled, on a page opened from disk', { expect: [/^request elsewhere: file:/] }, async ({ page, complaints }) => {
  write('disk.js', `import { loadVramfit } from 'vramfit/inline';\nloadVramfit().then((vramfit) => { document.body.textContent = JSON.stringify(vramfit.estimate(${JSON.stringify(share)})); });\n`);
  await bundle('disk.js', 'disk/app.js', { format: 'iife' });
  write('disk/index.html', html('<script src="app.js" defer></script>', `<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy}">`));
  const address = pathToFileURL(join(user.folder, 'disk', 'index.html')).href;
  await page.goto(address);
  await answers(page);
  assert.deepEqual(complaints.filter((complaint) => !/index\.html$|app\.js$/.test(complaint)), []);
});

// --- what its README shows for browsers ---------------------------------------------------------------------------------

const examples = codeBlocks(readFileSync(join(user.installed, 'README.md'), 'utf8'));
const example = (kind) => examples.find((block) => block.kind === kind).code;

pageTest('README: the module from an address of one\'s own', async ({ page, origin }) => {
  write('static.js', example('js browser'));
  await bundle('static.js', 'static/static.js');
  write('static/index.html', html('<script type="module" src="static.js"></script>'));
  await host(page, origin, 'static/index.html');
  await becomes(() => page.title(), 'Qwen3 32B');
});

pageTest('README: the element; its types say what it has', async ({ page, origin }) => {
  await page.addInitScript(() => {
    window.told = [];
    for (const name of ['vramfit-change', 'vramfit-resize', 'vramfit-error']) document.addEventListener(name, ({ type, detail }) => window.told.push({ type, detail }));
  });
  write('element.html', html(example('html')));
  await host(page, origin, 'element.html');
  const element = page.locator('vram-fit');
  assert.equal(await element.evaluate((node) => node.ready), 'ready');
  assert.equal(plain(await element.locator('.sentence').textContent()), "Llama 3.1 70B in FP8: 84 GB by the rule; of the article's cards, 1x H200");
  await element.evaluate((node) => { node.share = 'params=abc'; return node.ready; });

  write('element.mts', "export type { ChangeDetail, ErrorDetail, ResizeDetail, VramFit } from 'vramfit/element';\n");
  const check = typeCheck(join(user.folder, 'element.mts'));
  const told = await page.evaluate(() => window.told);
  for (const [type, name] of [['vramfit-change', 'ChangeDetail'], ['vramfit-resize', 'ResizeDetail'], ['vramfit-error', 'ErrorDetail']]) {
    const details = told.filter((event) => event.type === type).map(({ detail }) => detail);
    assert.ok(details.length > 0, type);
    for (const detail of details) assert.deepEqual(Object.keys(detail).sort(), check.own(name).sort(), type);
    if (name !== 'ChangeDetail') for (const detail of details) check.look(name, detail);
  }
  assert.deepEqual(check.report().found, []);
  const own = await element.evaluate((node) => Object.getOwnPropertyNames(Object.getPrototypeOf(node)).filter((name) => !/^constructor$|Callback$/.test(name)));
  assert.deepEqual(own.sort(), check.own('VramFit').sort());
});
