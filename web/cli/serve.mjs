// Serves the built site on loopback, under the policy a careful host would send, and compressed as hosts do.
//
//   node web/cli/serve.mjs --dist DIST [--port N] ['SHARE-STRING']
import { createServer } from 'node:http';
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { gzip } from 'node:zlib';

import { calculatorPolicy, contentSecurityPolicy, frameHostPolicy, sitePolicy } from '../page/policy.mjs';

const types = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8', '.json': 'application/json; charset=utf-8', '.webmanifest': 'application/manifest+json', '.wasm': 'application/wasm', '.svg': 'image/svg+xml',
  '.png': 'image/png', '.txt': 'text/plain; charset=utf-8', '.xml': 'application/xml; charset=utf-8',
};
const packed = new Set(['.html', '.js', '.mjs', '.css', '.json', '.wasm', '.svg', '.txt', '.xml', '.webmanifest']);
const compress = promisify(gzip);

async function fileFor(root, pathname) {
  const path = resolve(root, `.${decodeURIComponent(pathname)}`);
  if (path !== root && !path.startsWith(root + sep)) return null;
  const info = await stat(path).catch(() => null);
  return info?.isDirectory() ? join(path, 'index.html') : path;
}

// The calculator's pages, in each language, are their folders.
const isCalculator = (file) => basename(file) === 'index.html' && basename(dirname(file)) !== 'docs';

// The page that is one file brings a policy of its own: it has its scripts in it. The page for frames and the articles with frames have
// what any host may give them.
function policyFor(pathname, file) {
  if (basename(file) === 'vramfit.html') return {};
  const policy = pathname.startsWith('/examples/') ? frameHostPolicy
    : basename(file) === 'embed.html' ? contentSecurityPolicy
      : isCalculator(file) ? calculatorPolicy : sitePolicy;
  return { 'Content-Security-Policy': policy };
}

// Resolves to { origin, close }. A port that is taken leads to the next free one.
export async function serve(dist, port) {
  const root = resolve(dist);
  const squeezed = new Map();  // what was compressed, by path and time
  async function bodyOf(file, gzipped) {
    const plain = await readFile(file);
    if (!gzipped) return plain;
    const key = `${file} ${(await stat(file)).mtimeMs} ${plain.length}`;
    if (!squeezed.has(key)) squeezed.set(key, await compress(plain));
    return squeezed.get(key);
  }
  const server = createServer(async (request, response) => {
    try {
      const { pathname } = new URL(request.url, 'http://localhost');
      const file = await fileFor(root, pathname);
      if (!file) throw new Error('outside');
      const gzipped = packed.has(extname(file)) && /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
      const body = await bodyOf(file, gzipped);
      response.writeHead(200, {
        'Content-Type': types[extname(file)] ?? 'application/octet-stream',
        'Content-Length': body.length,
        ...(gzipped && { 'Content-Encoding': 'gzip' }),
        Vary: 'Accept-Encoding',
        ...policyFor(pathname, file),
        'X-Content-Type-Options': 'nosniff',
        'Cache-Control': 'no-cache',
      });
      response.end(request.method === 'HEAD' ? undefined : body);
    } catch {
      response.writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8' });
      response.end('Not found\n');
    }
  });
  const listen = (at) =>
    new Promise((done, failed) => {
      server.once('error', failed);
      server.listen(at, '127.0.0.1', () => {
        server.off('error', failed);
        done();
      });
    });
  for (let at = port; ; at += 1) {
    try {
      await listen(at);
      break;
    } catch (error) {
      if (error.code !== 'EADDRINUSE' || at >= port + 20) throw error;
    }
  }
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    close: () => new Promise((done) => { server.closeAllConnections?.(); server.close(done); }),
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values, positionals } = parseArgs({
    options: { dist: { type: 'string' }, port: { type: 'string', default: '8080' } },
    allowPositionals: true,
  });
  const port = Number(values.port);
  if (!values.dist || !Number.isInteger(port) || port < 0 || port > 65535) {
    console.error("usage: serve.mjs --dist DIST [--port N] ['SHARE-STRING']");
    process.exit(64);
  }
  const { origin } = await serve(values.dist, port);
  const share = positionals[0] ?? '';
  console.log(`The page is at ${origin}/${share ? `?${share}` : ''} (Ctrl-C stops it)`);
}
