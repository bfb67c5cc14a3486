// The dependency arrows: core knows nobody, web and shell know core, never each other; drawing code knows no platform.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';

import { root } from './support.mjs';

function filesBelow(folder, pattern) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path, pattern) : pattern.test(entry.name) ? [path] : [];
  });
}

function includesOf(file) {
  return [...readFileSync(join(root, file), 'utf8').matchAll(/^\s*#\s*include\s*([<"])([^>"]+)[>"]/gm)].map((m) => ({ angled: m[1] === '<', name: m[2] }));
}

const cpp = /\.(cpp|h|inc)$/;
const own = (folder) => new Set(filesBelow(folder, cpp).map((f) => f.split('/').at(-1)));

test('core includes itself, generated data and the standard library only', () => {
  const files = filesBelow('core', cpp);
  assert.ok(files.length >= 20);
  const names = own('core');
  for (const file of files) {
    for (const { angled, name } of includesOf(file)) {
      const allowed = angled ? /^[a-z_]+$/.test(name) : name === 'catalog_data.inc' || names.has(name.split('/').at(-1));
      assert.ok(allowed, `${file} includes ${name}`);
    }
  }
});

test('core does no input or output and throws nothing', () => {
  for (const file of filesBelow('core', cpp)) {
    const text = readFileSync(join(root, file), 'utf8');
    for (const { angled, name } of includesOf(file)) assert.ok(!(angled && /^(iostream|fstream|cstdio|filesystem|sstream|format|thread|chrono)$/.test(name)), `${file} includes <${name}>`);
    assert.doesNotMatch(text, /\b(throw|printf|std::cout|getenv)\b/, file);
  }
});

test('web and shell do not know each other', () => {
  const shell = own('shell');
  const web = own('web');
  for (const file of filesBelow('web', cpp)) for (const { name } of includesOf(file)) assert.ok(!shell.has(name) || web.has(name), `${file} includes ${name}`);
  for (const file of filesBelow('shell', cpp)) for (const { name } of includesOf(file)) assert.ok(!web.has(name) || shell.has(name), `${file} includes ${name}`);
});

test('public headers stand alone under core/include/vramfit', () => {
  for (const file of filesBelow('core/include', /\.h$/)) {
    assert.ok(relative('core/include/vramfit', file) && readFileSync(join(root, file), 'utf8').includes('#pragma once'), file);
    for (const { angled, name } of includesOf(file)) assert.ok(angled || name.startsWith('vramfit/'), `${file} includes ${name}`);
  }
});
