// Turns assets/catalog/*.jsonl into C++ data. Every row is checked here for its keys and types and, for model shapes, by the
// compiler: a static_assert under a #line directive makes the compiler name the row's file and line.
//
//   node generate.mjs OUT_DIR        writes catalog_data.inc, catalog_check.cpp and sources.json
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');
const outDir = process.argv[2];
if (!outDir) throw new Error('usage: generate.mjs OUT_DIR');

let failures = 0;
function fail(file, line, what) {
  console.error(`${relative(root, file)}:${line}: ${what}`);
  failures += 1;
}

const idPattern = /^[a-z0-9][a-z0-9._-]*$/;
const checks = {
  id: (v) => typeof v === 'string' && idPattern.test(v),
  text: (v) => typeof v === 'string' && v.length > 0,
  positive: (v) => typeof v === 'number' && Number.isFinite(v) && v > 0,
  whole: (v) => Number.isSafeInteger(v) && v > 0,
  flag: (v) => typeof v === 'boolean',
  date: (v) => typeof v === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(v) && !Number.isNaN(Date.parse(v)),
  texts: (v) => Array.isArray(v) && v.length > 0 && v.every(checks.text),
  ids: (v) => Array.isArray(v) && v.every(checks.id),
  oneOf: (...choices) => Object.assign((v) => choices.includes(v), { label: choices.join(' | ') }),
};
const confidence = checks.oneOf('high', 'medium', 'low');

// Key -> [check, required]. null is allowed for optional keys.
const schemas = {
  'models.jsonl': {
    id: [checks.id, true], name: [checks.text, true], family: [checks.text, true], hf_id: [checks.text, true],
    model_type: [checks.text, true], license: [checks.text, true], stated_params: [checks.whole, true], native: [checks.id, true],
    max_position_embeddings: [checks.whole, false], published_params: [checks.whole, false], published_source: [checks.text, false],
    published_includes_mtp: [checks.flag, false], published_mismatch: [checks.text, false], published_rounded: [checks.text, false],
    checkpoint_gib: [checks.positive, false], shape: [checks.text, true], notes: [checks.text, false], source: [checks.texts, true],
    date: [checks.date, true], confidence: [confidence, true],
  },
  'gpus.jsonl': {
    id: [checks.id, true], aliases: [checks.ids, true], ambiguous_aliases: [checks.ids, true], name: [checks.text, true],
    vendor: [checks.oneOf('nvidia', 'amd', 'intel', 'apple'), true],
    form: [checks.oneOf('sxm', 'pcie', 'oam', 'superchip', 'workstation', 'consumer', 'laptop', 'unified'), true],
    marketed_gb: [checks.positive, true], usable_mib: [checks.positive, true],
    usable_basis: [checks.oneOf('driver', 'rule', 'assumed'), true], cuda_total_gib: [checks.positive, false],
    memory_type: [checks.text, true], bandwidth_gbs: [checks.positive, true],
    link: [checks.oneOf('nvlink', 'xgmi', 'ethernet', 'pcie', 'none'), true], link_gbs: [checks.positive, false],
    bf16_dense_tflops: [checks.positive, false], fp16_dense_tflops: [checks.positive, false],
    fp8_dense_tflops: [checks.positive, false], fp4_dense_tflops: [checks.positive, false], fp8: [checks.flag, true],
    fp4: [checks.flag, true], compute_capability: [checks.text, false], rocm_target: [checks.id, false], tdp_w: [checks.positive, false],
    release_year: [checks.whole, true], max_per_node: [checks.whole, true], sets: [checks.ids, true],
    source: [checks.texts, true], date: [checks.date, true], confidence: [confidence, true], notes: [checks.text, false],
  },
  'prices.jsonl': {
    gpu: [checks.id, true], usd_per_gpu_hour: [checks.positive, true], book: [checks.id, true], provider: [checks.text, true],
    kind: [checks.oneOf('on-demand', 'marketplace', 'spot', 'reference', 'publisher'), true], date: [checks.date, true],
    source: [checks.text, true],
  },
};

function rowsOf(name) {
  const file = join(here, name);
  const rows = [];
  readFileSync(file, 'utf8').split('\n').forEach((text, index) => {
    if (text.trim() === '') return;
    const line = index + 1;
    let row;
    try {
      row = JSON.parse(text);
    } catch (error) {
      return fail(file, line, `not JSON: ${error.message}`);
    }
    const schema = schemas[name];
    for (const key of Object.keys(row)) if (!schema[key]) fail(file, line, `unknown key "${key}"`);
    for (const [key, [check, required]] of Object.entries(schema)) {
      const value = row[key];
      if (value === undefined || value === null) {
        if (required) fail(file, line, `"${key}" is missing`);
      } else if (!check(value)) {
        fail(file, line, `"${key}" is ${JSON.stringify(value)}${check.label ? `, not one of ${check.label}` : ', which it may not be'}`);
      }
    }
    rows.push({ ...row, line, file });
  });
  return rows;
}

const models = rowsOf('models.jsonl');
const gpus = rowsOf('gpus.jsonl');
const prices = rowsOf('prices.jsonl');

function unique(rows, keyOf) {
  const seen = new Map();
  for (const row of rows) {
    for (const key of [keyOf(row)].flat()) {
      if (seen.has(key)) fail(row.file, row.line, `"${key}" stands already in line ${seen.get(key)}`);
      seen.set(key, row.line);
    }
  }
}
unique(models, (m) => m.id);
// Names that differ in dashes alone are one name to find_gpu().
unique(gpus, (g) => [g.id, ...(g.aliases ?? []), ...(g.ambiguous_aliases ?? [])].map((name) => name.replaceAll('-', '')));
unique(prices, (p) => `${p.gpu} in ${p.book}`);
const gpuIndex = new Map(gpus.map((g, i) => [g.id, i]));
for (const p of prices) {
  if (!gpuIndex.has(p.gpu)) fail(p.file, p.line, `"gpu" is "${p.gpu}", which gpus.jsonl does not have`);
  if (p.book === 'own' || p.book === 'host' || (p.book === 'market' && p.kind !== 'on-demand')) fail(p.file, p.line, `book "${p.book}" cannot hold this price`);
}
const sets = [...new Set(gpus.flatMap((g) => g.sets ?? []))].sort();
if (sets.length > 32 || sets.includes('all')) fail(join(here, 'gpus.jsonl'), 0, `bad sets: ${sets}`);
const books = ['market', ...[...new Set(prices.map((p) => p.book))].filter((b) => b !== 'market').sort()];
if (failures > 0) process.exit(1);

const q = JSON.stringify;  // its escapes are C++'s too
const shown = (file) => q(relative(root, file));
const newest = [...models, ...gpus, ...prices].map((r) => r.date).sort().at(-1);

// One text a table: columns apart by tabs, a line a row. As C++ aggregates the same rows cost the download half as much again, since
// every string then needs a pointer and a length; row by row they cost 0.2 KB more, and with each id written out 0.9 KB more.
function table(rows) {
  for (const field of rows.flat()) if (/[\t\n]/.test(String(field))) throw new Error(`a tab or line break in ${field}`);
  return rows[0].map((_, i) => rows.map((row) => `${row[i]}\n`).join('')).join('\t');
}

// Most ids are the name in small letters with dashes, whole or without its last word (-), its first (+), or both (*).
function idCode({ id, name, file, line }) {
  const words = name.toLowerCase().split(' ');
  const code = { '': words, '-': words.slice(0, -1), '+': words.slice(1), '*': words.slice(1, -1) };
  if (id.length < 2) fail(file, line, `"${id}" is too short an id`);
  return Object.keys(code).find((key) => code[key].join('-') === id) ?? id;
}

// What shapes have in common is one byte, from 128 on, in their column: 0.5 KB less of the download. A part may hold earlier ones.
const shapeParts = [';dense,i', ';full,q', ',dim', 'hidden', ',vocab', ';moe,experts', ',kv', ',shared', ',imagetokens16384', '2048', ',routerbias', ',tower',
  '256', ',q', ',tied', '128', 'norm', '1024', '512', ',q\ue090\ue086\ue08dkvbias', ',layer\ue090', '4096', ',top', '64', ',conv4', 'aA'];
const packed = (shape) => shapeParts.reduce((text, part, i) => text.replaceAll(part, String.fromCharCode(0xe080 + i)), shape);
const literal = (text) => q(text).replace(/[\ue080-\ue0ff]/g, (c) => `\\${(c.charCodeAt(0) & 255).toString(8)}`);

const sortedPrices = [...prices].sort((a, b) => gpuIndex.get(a.gpu) - gpuIndex.get(b.gpu));  // find_price() counts on it
const tables = {
  sets: table(sets.map((s) => [s])),
  books: table(books.map((b) => [b])),
  models: table(models.map((m) => [m.name, idCode(m), m.family, packed(m.shape), m.stated_params / 1e7, m.native === 'bf16' ? '' : m.native, m.max_position_embeddings ?? 0])),
  gpus: table(gpus.map((g) => [g.name, idCode(g), g.vendor, g.form, g.marketed_gb, g.usable_mib, g.usable_basis, g.bandwidth_gbs, g.link,
    g.max_per_node, g.compute_capability ?? g.rocm_target ?? '', g.cuda_total_gib ?? 0, g.sets.join(','), g.aliases.join(','), g.ambiguous_aliases.join(',')])),
  prices: table(sortedPrices.map((p) => [p.date, gpuIndex.get(p.gpu), p.usd_per_gpu_hour, p.book, p.provider, p.kind])),
};
if (failures > 0) process.exit(1);
const data = `// Made by assets/catalog/generate.mjs from assets/catalog/*.jsonl.
#include "vramfit/model.h"

namespace vramfit::catalog_data {
constexpr Id date = ${q(newest)};
constexpr int num_shape_parts = ${shapeParts.length};
constexpr Id shape_parts = ${literal(shapeParts.join('\t'))};
constexpr int size_of_shapes = ${models.reduce((size, m) => size + m.shape.length, 0)};
${Object.entries({ sets, books, models, gpus, prices, aliases: gpus.flatMap((g) => [...g.aliases, ...g.ambiguous_aliases]) }).map(([name, rows]) => `constexpr int num_${name} = ${rows.length};\n`).join('')}${Object.entries(tables).map(([name, text]) => `constexpr Id ${name} =\n${text.match(/.*\n/g).map((line) => `    ${literal(line)}`).join('\n')};`).join('\n')}
}  // namespace vramfit::catalog_data
`;

const check = `#include "vramfit/shape.h"
${models.map((m) => `#line ${m.line} ${shown(m.file)}
static_assert(vramfit::parse_shape(${q(m.shape)}).ok(), "the shape of ${m.id} is malformed");`).join('\n')}
`;

const sources = {
  date: newest,
  models: Object.fromEntries(models.map((m) => [m.id, {
    hf_id: m.hf_id, license: m.license, published_params: m.published_params ?? null, published_source: m.published_source ?? null,
    notes: m.notes ?? null, source: m.source, date: m.date, confidence: m.confidence,
  }])),
  gpus: Object.fromEntries(gpus.map((g) => [g.id, {
    memory_type: g.memory_type, notes: g.notes ?? null, source: g.source, date: g.date, confidence: g.confidence,
  }])),
  prices: prices.map(({ gpu, book, provider, kind, usd_per_gpu_hour, date, source }) => ({ gpu, book, provider, kind, usd_per_gpu_hour, date, source })),
};

mkdirSync(outDir, { recursive: true });
writeFileSync(join(outDir, 'catalog_data.inc'), data);
writeFileSync(join(outDir, 'catalog_check.cpp'), check);
writeFileSync(join(outDir, 'sources.json'), JSON.stringify(sources));
