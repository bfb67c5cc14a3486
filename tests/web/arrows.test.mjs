// The dependency arrows: core knows nobody, web and shell know core, never each other; drawing code knows no platform.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
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

test('core includes itself, generated data and the standard library only, and to read JSON RapidJSON', () => {
  const files = filesBelow('core', cpp);
  assert.ok(files.length >= 20);
  const names = own('core');
  for (const file of files) {
    for (const { angled, name } of includesOf(file)) {
      // One header knows how JSON is read; what is RapidJSON's own stays behind it.
      const json = file === join('core', 'src', 'import', 'sax.h') && name.startsWith('rapidjson/');
      const allowed = json || (angled ? /^[a-z_]+$/.test(name) : name === 'catalog_data.inc' || names.has(name.split('/').at(-1)));
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

test('text of the shell knows the core and the standard library, neither drawing nor platform', () => {
  const files = filesBelow('shell/text', cpp);
  assert.ok(files.length >= 20);
  const names = own('shell/text');
  for (const file of files) {
    for (const { angled, name } of includesOf(file)) {
      const allowed = angled ? /^[a-z_]+$/.test(name) && !/^(iostream|fstream|cstdio|filesystem|sstream|format|thread|chrono|regex)$/.test(name)
        : name.startsWith('vramfit/') || /^locale_[\w-]+\.inc$/.test(name) || names.has(name);
      assert.ok(allowed, `${file} includes ${name}`);
    }
  }
});

test('of the shell, only platform/ knows a platform', () => {
  assert.deepEqual(filesBelow('shell/platform', cpp).map((f) => f.split('/').at(-1)).sort(), ['desktop.cpp', 'web.cpp']);
  for (const file of filesBelow('shell', cpp).filter((f) => !f.startsWith('shell/platform/'))) {
    for (const { name } of includesOf(file)) assert.doesNotMatch(name, /emscripten|glfw/i, file);
  }
});

test('scripts of web and shell share the table of messages and nothing else', () => {
  const importsOf = (file) => [...readFileSync(join(root, file), 'utf8').matchAll(/(?:from|import)\s*\(?'(\.[^']*)'/g)].map((m) => join(dirname(file), m[1]));
  for (const file of filesBelow('shell', /\.m?js$/)) for (const name of importsOf(file)) assert.ok(name.startsWith('shell/') || ['web/text/table.mjs', 'web/text/messages.mjs'].includes(name), `${file} imports ${name}`);
  for (const file of filesBelow('web', /\.m?js$/)) for (const name of importsOf(file)) assert.ok(!name.startsWith('shell/'), `${file} imports ${name}`);
});

test('public headers stand alone under core/include/vramfit', () => {
  for (const file of filesBelow('core/include', /\.h$/)) {
    assert.ok(relative('core/include/vramfit', file) && readFileSync(join(root, file), 'utf8').includes('#pragma once'), file);
    for (const { angled, name } of includesOf(file)) assert.ok(angled || name.startsWith('vramfit/'), `${file} includes ${name}`);
  }
});
