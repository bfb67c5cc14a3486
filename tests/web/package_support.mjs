// The npm package as its user has it: packed, and installed into a folder of its own, without the network.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { writePackage } from '../../web/build/package.mjs';
import { dist } from './support.mjs';

function npm(folder, ...args) {
  const env = { ...process.env, npm_config_cache: join(folder, 'cache'), npm_config_update_notifier: 'false' };
  const { status, stdout, stderr, error } = spawnSync('npm', args, { cwd: folder, env, encoding: 'utf8' });
  if (error || status !== 0) throw error ?? new Error(`npm ${args[0]}: ${stderr}`);
  return stdout;
}

// { folder, installed, files, bytes, packedBytes, remove }: the user's folder, the package in it, what the tarball holds.
export async function installPackage() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'vramfit-package-')));
  const packed = join(base, 'packed');
  await writePackage(dist, packed);
  const [{ filename, files, size, unpackedSize }] = JSON.parse(npm(base, 'pack', packed, '--json'));
  const folder = realpathSync(mkdtempSync(join(base, 'user-')));
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  npm(folder, 'install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', join(base, filename));
  return {
    folder,
    installed: join(folder, 'node_modules', 'vramfit'),
    files: files.map((file) => file.path).sort(),
    packedBytes: size,
    bytes: unpackedSize,
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
}

// The code blocks of a Markdown text: [{ kind, code }], `kind` what stands behind the fence.
export const codeBlocks = (markdown) => [...markdown.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map(([, kind, code]) => ({ kind, code }));
