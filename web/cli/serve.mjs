// Serves the built site on loopback, under the policy a careful host would send.
//
//   node web/cli/serve.mjs --dist DIST [--port N] ['SHARE-STRING']
import { createServer } from 'node:http';
import { readFile, stat } from 'node:fs/promises';
import { extname, join, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

import { contentSecurityPolicy, frameHostPolicy } from '../page/policy.mjs';

const types = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8', '.json': 'application/json; charset=utf-8', '.wasm': 'application/wasm', '.svg': 'image/svg+xml',
  '.png': 'image/png', '.txt': 'text/plain; charset=utf-8',
};

async function fileFor(root, pathname) {
  const path = resolve(root, `.${decodeURIComponent(pathname)}`);
  if (path !== root && !path.startsWith(root + sep)) return null;
  const info = await stat(path).catch(() => null);
  return info?.isDirectory() ? join(path, 'index.html') : path;
}

// Resolves to { origin, close }. A port that is taken leads to the next free one.
export async function serve(dist, port) {
  const root = resolve(dist);
  const server = createServer(async (request, response) => {
    try {
      const { pathname } = new URL(request.url, 'http://localhost');
      const file = await fileFor(root, pathname);
      const body = file && (await readFile(file));
      if (!body) throw new Error('outside');
      response.writeHead(200, {
        'Content-Type': types[extname(file)] ?? 'application/octet-stream',
        'Content-Length': body.length,
        'Content-Security-Policy': pathname.startsWith('/examples/') ? frameHostPolicy : contentSecurityPolicy,
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
