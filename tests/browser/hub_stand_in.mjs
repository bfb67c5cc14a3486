// Stands in for the model hub and for the hosts that it sends large files from: the same addresses, redirects, headers and refusals.
//
//   const hub = await startHub({ 'org/name': { main: { 'config.json': Buffer, 'model.gguf': { size, head } } } });
//
// A file given as {size, head} is zeros behind its head. `hub.asked` lists what was asked of it: {host, path, range, sent, origin, cookie}.
// `hub.ways` says how it behaves: gated: Set of models, moved: {old: new}, limited: {after} or null, ignoresRange, shiftsRange, brokenAt,
// page: what it answers for files instead, list: {body, type} instead of lists, withoutCors: Set of 'hub' and 'cdn', pageSize of lists,
// held: it answers nothing.
// With `secure` both servers speak TLS, by a certificate made for the occasion; a browser is led to them by their true names.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const exposed = 'X-Repo-Commit,X-Request-Id,X-Error-Code,X-Error-Message,X-Total-Count,ETag,Link,Accept-Ranges,Content-Range,X-Linked-Size,X-Linked-ETag,X-Xet-Hash';
export const cdnHost = 'cas-bridge.xethub.hf.co';
// Files from here on are kept elsewhere.
const large = 4096;

function certificate() {
  const folder = mkdtempSync(join(tmpdir(), 'vramfit-tls-'));
  try {
    const at = (name) => join(folder, name);
    execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2', '-subj', '/CN=huggingface.co', '-keyout', at('key'), '-out', at('cert')], { stdio: 'ignore' });
    return { key: readFileSync(at('key')), cert: readFileSync(at('cert')) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function listening(handler, tls) {
  const server = tls ? createSecureServer(tls, handler) : createServer(handler);
  return new Promise((done) => { server.listen(0, '127.0.0.1', () => done({ server, port: server.address().port })); });
}

const sizeOf = (file) => file.size ?? file.length;
// Bytes `start` to `end` of a file.
function slice(file, start, end) {
  if (Buffer.isBuffer(file)) return file.subarray(start, end);
  const bytes = Buffer.alloc(end - start);
  if (start < file.head.length) file.head.copy(bytes, 0, start, Math.min(end, file.head.length));
  return bytes;
}

export async function startHub(models, { secure = false } = {}) {
  const asked = [];
  const ways = { gated: new Set(), moved: {}, limited: null, ignoresRange: false, shiftsRange: false, brokenAt: 0, page: null, list: null, withoutCors: new Set(), pageSize: 1000, held: false };
  const tls = secure ? certificate() : null;
  const scheme = secure ? 'https' : 'http';
  const origin = {};

  function allow(request, response, who) {
    if (ways.withoutCors.has(who)) return;
    // The hub names who asks; its stores let everybody in.
    response.setHeader('Access-Control-Allow-Origin', who === 'cdn' ? '*' : request.headers.origin ?? origin.hub);
    response.setHeader('Vary', 'Origin');
    response.setHeader('Access-Control-Expose-Headers', exposed);
  }

  function refuse(response, status, code, message) {
    if (code) response.setHeader('X-Error-Code', code);
    response.setHeader('X-Error-Message', message);
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ error: message }));
  }

  function send(request, response, entry, file, type) {
    const size = sizeOf(file);
    const [, from, to] = request.headers.range?.match(/^bytes=(\d+)-(\d+)$/) ?? [];
    const partial = from !== undefined && !ways.ignoresRange;
    let [start, end] = partial ? [Number(from), Math.min(Number(to) + 1, size)] : [0, size];
    if (partial && start >= size) {
      response.writeHead(416, { 'Content-Range': `bytes */${size}` });
      return response.end();
    }
    if (partial && ways.shiftsRange) [start, end] = [start + 1, end + 1];
    response.writeHead(partial ? 206 : 200, { 'Content-Type': type, 'Content-Length': end - start, 'Accept-Ranges': 'bytes', ...(partial && { 'Content-Range': `bytes ${start}-${end - 1}/${size}` }) });
    let at = start;
    let open = true;
    response.on('close', () => { open = false; });
    const more = () => {
      while (open) {
        if (ways.brokenAt && at - start >= ways.brokenAt) return setTimeout(() => response.destroy(), 50);
        if (at >= end) return response.end();
        const next = Math.min(end, at + 65536, ways.brokenAt ? start + ways.brokenAt : end);
        const piece = slice(file, at, next);
        at = next;
        entry.sent += piece.length;
        if (!response.write(piece)) return response.once('drain', more);
      }
    };
    more();
  }

  function heard(request, host) {
    const entry = { host, method: request.method, path: request.url, range: request.headers.range ?? null, sent: 0, origin: request.headers.origin ?? null, referer: request.headers.referer ?? null, cookie: request.headers.cookie ?? null, authorization: request.headers.authorization ?? null };
    asked.push(entry);
    return entry;
  }

  // The model and branch meant, or null once it has been refused.
  function found(request, response, model, branch) {
    if (ways.moved[model]) {
      response.writeHead(307, { Location: request.url.replace(model, ways.moved[model]) });
      response.end();
      return null;
    }
    if (ways.gated.has(model) && request.url.includes('/resolve/')) refuse(response, 401, 'GatedRepo', `Access to model ${model} is restricted.`);
    else if (!models[model]) refuse(response, 401, request.url.startsWith('/api/') ? null : 'RepoNotFound', 'Invalid username or password.');
    else if (!models[model][branch]) refuse(response, 404, 'RevisionNotFound', `Invalid rev id: ${branch}`);
    else return models[model][branch];
    return null;
  }

  function answerHub(request, response) {
    const entry = heard(request, 'hub');
    if (ways.held) return null;
    allow(request, response, 'hub');
    const { pathname, searchParams } = new URL(request.url, 'http://hub');
    if (ways.limited) {
      for (const [name, value] of Object.entries(ways.limited)) response.setHeader(name, value);
      return refuse(response, 429, null, 'Too many requests.');
    }
    const [, listed, rev] = pathname.match(/^\/api\/models\/([^/]+\/[^/]+|[^/]+)\/tree\/([^/]+)$/) ?? [];
    if (listed) {
      const files = found(request, response, listed, decodeURIComponent(rev));
      if (!files) return null;
      if (ways.list) return send(request, response, entry, Buffer.from(ways.list.body), ways.list.type);
      const all = Object.entries(files).map(([path, file]) => ({ type: 'file', oid: '0'.repeat(40), size: sizeOf(file), path, ...(sizeOf(file) >= large && { lfs: { oid: '0'.repeat(64), size: sizeOf(file), pointerSize: 134 } }) }));
      const folders = [...new Set(Object.keys(files).filter((path) => path.includes('/')).map((path) => path.slice(0, path.lastIndexOf('/'))))].map((path) => ({ type: 'directory', oid: '0'.repeat(40), size: 0, path }));
      const from = Number(searchParams.get('cursor') ?? 0);
      const items = [...folders, ...all];
      if (from + ways.pageSize < items.length) response.setHeader('Link', `<${origin.named}${pathname}?recursive=true&cursor=${from + ways.pageSize}>; rel="next"`);
      return send(request, response, entry, Buffer.from(JSON.stringify(items.slice(from, from + ways.pageSize))), 'application/json; charset=utf-8');
    }
    const [, model, branch, path] = pathname.match(/^\/([^/]+\/[^/]+|[^/]+)\/resolve\/([^/]+)\/(.+)$/) ?? [];
    if (!model) return refuse(response, 404, null, 'Not found');
    const files = found(request, response, model, decodeURIComponent(branch));
    if (!files) return null;
    const file = files[decodeURIComponent(path)];
    if (!file) return refuse(response, 404, 'EntryNotFound', 'Entry not found');
    if (ways.page) return send(request, response, entry, Buffer.from(ways.page), 'text/html; charset=utf-8');
    if (sizeOf(file) >= large) {
      response.writeHead(302, { Location: `${origin.cdn}/${model}/${branch}/${path}?signed=1` });
      return response.end();
    }
    return send(request, response, entry, file, 'text/plain; charset=utf-8');
  }

  function answerCdn(request, response) {
    const entry = heard(request, 'cdn');
    allow(request, response, 'cdn');
    const [, model, branch, path] = new URL(request.url, 'http://cdn').pathname.match(/^\/([^/]+\/[^/]+|[^/]+)\/([^/]+)\/(.+)$/) ?? [];
    return send(request, response, entry, models[model][decodeURIComponent(branch)][decodeURIComponent(path)], 'application/octet-stream');
  }

  const [hub, cdn] = await Promise.all([listening(answerHub, tls), listening(answerCdn, tls)]);
  origin.hub = `${scheme}://127.0.0.1:${hub.port}`;
  // As browsers know them where they are led there by name.
  origin.named = secure ? 'https://huggingface.co' : origin.hub;
  origin.cdn = secure ? `https://${cdnHost}` : `${scheme}://127.0.0.1:${cdn.port}`;
  return {
    asked,
    ways,
    origin: origin.hub,
    // For Chromium: the true names lead here.
    rules: `MAP huggingface.co:443 127.0.0.1:${hub.port}, MAP *.hf.co:443 127.0.0.1:${cdn.port}, MAP elsewhere.example:443 127.0.0.1:${cdn.port}`,
    sendsTo(address) { origin.cdn = address; },
    close: () => Promise.all([hub, cdn].map(({ server }) => new Promise((done) => { server.closeAllConnections(); server.close(done); }))),
  };
}
