// What a release hands out: the built site as an archive that works at any path, the page as one file beside it, and their hashes.
//
//   node web/build/release.mjs --dist DIST --out DIR
//
// The same site gives the same bytes: files in order, dated as the catalogue, nobody's.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';

import { zipSync } from 'fflate';
import { createTar } from 'nanotar';

import { loadVramfit } from '../vramfit.mjs';
import { filesBelow } from './offline.mjs';

const licence = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'LICENSE');

const { values: options } = parseArgs({ options: { dist: { type: 'string' }, out: { type: 'string' } } });
const dist = options.dist && resolve(options.dist);
if (!dist || !options.out || !existsSync(join(dist, 'vramfit.html'))) {
  console.error('usage: node web/build/release.mjs --dist DIST --out DIR');
  process.exit(64);
}

const { default: moduleFactory } = await import(pathToFileURL(join(dist, 'assets', 'vramfit-core.mjs')));
const { version, date } = (await loadVramfit({ wasmBinary: readFileSync(join(dist, 'assets', 'vramfit-full.wasm')), moduleFactory })).catalog();

const name = `vramfit-site-${version}`;
const files = [['LICENSE', readFileSync(licence)], ...filesBelow(dist).map((file) => [file, readFileSync(join(dist, file))])]
  .map(([file, bytes]) => [`${name}/${file}`, bytes]);

// Zip knows no time zones: the day is that of the catalogue wherever this runs.
const [year, month, day] = date.split('-').map(Number);
const tar = createTar(files.map(([file, data]) => ({ name: file, data })), { attrs: { mode: '644', uid: 0, gid: 0, mtime: Date.UTC(year, month - 1, day) } });
const zip = zipSync(Object.fromEntries(files), { level: 9, mtime: new Date(year, month - 1, day), os: 3, attrs: 0o100644 << 16 });

const released = { [`${name}.tar.gz`]: gzipSync(tar, { level: 9 }), [`${name}.zip`]: zip, 'vramfit.html': readFileSync(join(dist, 'vramfit.html')) };
released.SHA256SUMS = Object.entries(released).map(([file, bytes]) => `${createHash('sha256').update(bytes).digest('hex')}  ${file}\n`).join('');

const out = resolve(options.out);
mkdirSync(out, { recursive: true });
// Of an earlier release nothing stays.
for (const file of readdirSync(out)) if (/^(vramfit[\w.-]*\.(tar\.gz|zip|html)|SHA256SUMS)$/.test(file)) rmSync(join(out, file));
for (const [file, bytes] of Object.entries(released)) writeFileSync(join(out, file), bytes);
console.log(released.SHA256SUMS.trimEnd());
