// The package's types, written by hand, against what its functions really give.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { readLocales } from '../../web/locale_files.mjs';
import { readPriceList } from '../../web/price_list.mjs';
import { createText, explain } from '../../web/text/explain.mjs';
import { engineQuestions } from '../../web/build/docs/survey.mjs';
import { codeBlocks, installPackage } from './package_support.mjs';
import { config, gguf, sharded, whole } from '../browser/model_files.mjs';
import { golden, randomShare, randomSource, shippedCalculator } from './support.mjs';
import { typeCheck } from './type_check.mjs';

const user = await installPackage();
after(user.remove);
const vramfit = await shippedCalculator();
const catalog = vramfit.catalog();

// --- shares whose answers show everything there is ----------------------------------------------------------------------

const choicesOf = (key) => catalog.fields.find((field) => field.key === key).choices;
const random = randomSource(20261130);
const provoked = [
  'model=nope', 'v=2', 'params=abc', 'task=nope', 'method=nope', 'prices=nope', 'count=99', 'gpus=zz', 'weights=native&model=', 'context=-5&foo=1&theme=dark&lang=es&units=GiB&embed=1&view=full',
  'gpus=h200,l40s:0.5', 'gpus=h200:x,zz', 'context=9m', 'sequences=1.5', 'context=1&context=2', 'model=%ff', 'gpu=h100&count=3', `context=${'1'.repeat(70000)}`,
  'params=1b&model=&num_layers=3&num_heads=8&num_kv_heads=8&head_dim=64&weights=q4_k_m',
  'gpu=zz', 'weights=bf16&gpu=h100-sxm&count=3', 'params=70b&model=&method=worksheet', 'model=&params=7b&num_layers=32&hidden_size=4096&intermediate_size=11008&vocab_size=32000&num_heads=32&num_kv_heads=8&head_dim=128&method=worksheet',
  'model=llama-4-scout&weights=q4_k_m&method=worksheet', 'gpus=apple', 'model=gemma-3-27b&weights=q4_k_m', 'weights=q4_k_m&gpu=rtx-4090&count=3', 'model=bge-m3', 'task=full&method=worksheet',
];
// A model of one's own, right and wrong.
const shape = 'hidden64,vocab1000;full,q4,kv2,dim16;dense,i128;4aA';
const imported = [
  ...['', '&formats=bf17', '&formats=bf16;fp8:q~9999', '&formats=bf16:q', '&formats=bf16;q4_k:q', `&formats=bf16${';fp8:q'.repeat(100)}`, '&formats=bf16;rest-999999', `&name=${'x'.repeat(81)}`].map((more) => `shape=${shape}&weights=native${more}`),
  'shape=hidden64,colour3', 'shape=hidden,vocab9', 'shape=hidden64,vocab1000;full,q4,kv2,dim16;dense,i130;4aA&method=engine&gpu=h200', 'shape=hidden64,vocab100;full,q4,kv2,dim16;dense,i8;1aB', 'shape=hidden64,vocab100;full,q4,kv2,dim16;dense,i8;99(aAaAaAaA)', 'shape=hidden64',
];
const shares = [
  '', ...imported, ...provoked, ...golden.flatMap((c) => c.share ?? []),
  ...['task', 'weights', 'group_size', 'kv', 'states', 'checkpointing', 'situation', 'method', 'gpus', 'prices'].flatMap((key) => choicesOf(key).flatMap((id) => [`${key}=${id}`, `${key}=${id}&method=worksheet`])),
  ...catalog.models.map(({ id }, i) => `model=${id}&method=${i % 2 ? 'rule' : 'worksheet'}`),
  ...Array.from({ length: 600 }, () => randomShare(catalog, random)),
  ...Array.from({ length: 20 }, () => `${randomShare(catalog, random)}&gpus=all`),
];
// Of the engine method: what the documentation asks to meet everything, and what only remarks are about.
const engineShares = [
  ...[...engineQuestions(catalog)].map((inputs) => Object.entries(inputs).map(([key, value]) => `${key}=${value}`).join('&')),
  ...[
    'model=qwen2.5-vl-7b&weights=bf16&gpu=rtx-4090&count=1', 'quantize_at_load=yes&vllm_version=0.8&weights=fp8&gpu=h100-sxm&count=1', 'weights=bf16&gpu=v100-32gb&count=8', 'gpu=h200&sequences=999', 'gpu=h100-sxm&count=2&weights=fp8',
    'model=qwen3-next-80b-a3b&weights=fp8&gpu=h100-sxm&count=1', 'weights=q4_k_m&kv=q8_0&context=131072&gpu=rtx-4090&count=2', 'weights=q4_k_m&mmproj=yes', 'weights=q4_k_m&n_cpu_moe=9', 'weights=q4_k_m&n_gpu_layers=9', 'model=gemma-3-27b&weights=q4_k_m&swa_full=yes',
    'engine=sglang&mem_fraction_static=0.3', 'engine=sglang&context=131072&gpu=b200', 'gpu=h200&gpu_memory_utilization=0.99', 'weights=bf16&gpu=h200&count=1', 'weights=bf16&gpu=h200&count=1&context=999', 'task=lora', 'model=&params=7b', 'weights=q4_k_m&engine=vllm', 'engine=ollama', 'speculative=mtp', 'kv=q8_0',
    'model=&num_layers=32&num_heads=32&num_kv_heads=8&head_dim=128&hidden_size=4096&intermediate_size=14336&vocab_size=128256&params=8b', 'gpu=rtx-4090&count=8', 'model=llama-3.1-8b&weights=bf16&gpu=l40s&count=1&sequences=2048', 'kv_cache_memory_gib=400&gpu=h200',
    'weights=fp8&gpu=v100-32gb&count=4', 'other_programs_gib=9&gpu=rtx-4090&weights=q4_k_m&model=qwen3-32b', 'model=gemma-3-27b&weights=bf16&gpu=a100-80gb&count=1', 'engine=lm-studio&weights=q4_k_m', 'engine=koboldcpp&weights=q4_k_m',
  ].map((share) => `method=engine&${share}`),
];
const priceList = (change = {}) => ({
  schema: 'vramfit-prices/1', currency: 'USD', provider: 'Acme Cloud', date: '2026-11-30',
  prices: [...['on-demand', 'marketplace', 'spot', 'reference', 'publisher'].map((kind, i) => ({ gpu: catalog.gpus[i].id, usd_per_gpu_hour: 1 + i, kind })), { gpu: 'h200', usd_per_gpu_hour: 3 }],
  ...change,
});
const priceLists = [
  priceList(), [], priceList({ note: 1 }), ...Object.keys(priceList()).flatMap((key) => [priceList({ [key]: undefined }), priceList({ [key]: 1 })]),
  priceList({ provider: 'x'.repeat(100) }), priceList({ prices: Array(1001).fill({}) }),
  priceList({ prices: [1, { gpu: 'zz', usd_per_gpu_hour: 1 }, ...['1', 1, 2, -1].map((usd) => ({ gpu: 'h200', usd_per_gpu_hour: usd })), { gpu: 'b200', usd_per_gpu_hour: 1, kind: 'x' }, { gpu: 'b200', usd_per_gpu_hour: 1, note: 1 }, {}] }),
].map((list) => readPriceList(list, catalog));
const results = [...shares, ...engineShares].map((share, i) => vramfit.estimate(share, { prices: i % 9 ? null : priceLists[0].prices }));
const whatIfs = shares.map((share) => vramfit.whatIf(share));

function withFile(name, text) {
  const file = join(user.folder, name);
  writeFileSync(file, text);
  return file;
}

test('results, what-ifs and catalogue have the declared keys and ids, and nothing is declared that they never have', () => {
  assert.ok(results.some((r) => r.refused) && results.some((r) => !r.refused && r.inputs.task !== 'serve'));
  const free = (at, text) => {
    if (/\.(field|kv|gpus|prices)$/.test(at)) return true;
    const [, key] = at.match(/^Result\.inputs\.(\w+)$/) ?? [];
    return key !== undefined && !choicesOf(key).includes(text);  // in a refusal
  };
  const check = typeCheck(withFile('probe.mts', "export type { Result, WhatIf, Catalog } from 'vramfit';\n"), { open: free });
  for (const result of results) check.look('Result', result);
  for (const whatIf of whatIfs) check.look('WhatIf', whatIf);
  check.look('Catalog', catalog);
  const { found, keys } = check.report();
  assert.deepEqual(found, []);

  // Every key that RESULT.md lists, but for what only the terminal adds.
  const documented = [...readFileSync(join(user.installed, 'RESULT.md'), 'utf8').replace(/^## Logs\n[^]*?(?=^## )/m, '').matchAll(/^\| `(\w+)` \||\{ ([^}]*) \}/gm)].flatMap(([, key, braces]) => (key ? [key] : braces.split(',').map((name) => name.replace(/["\s`]/g, ''))));
  assert.ok(documented.length > 60);
  assert.deepEqual(documented.filter((key) => !keys.has(key)), []);
});

test('price lists have the declared keys and ids', () => {
  const check = typeCheck(withFile('probe_prices.mts', "export type { ReadPriceList } from 'vramfit/price-list';\n"));
  for (const list of priceLists) check.look('ReadPriceList', list);
  assert.deepEqual(check.report().found, []);
});

test('imported models have the declared keys', async () => {
  const { fileFrom, importModel } = await import(pathToFileURL(createRequire(join(user.folder, 'program.mjs')).resolve('vramfit/import')));
  const read = (parts) => importModel(Object.entries(parts).map(([name, part]) => fileFrom(new Blob([whole(part)]), name)));
  const check = typeCheck(withFile('probe_import.mts', "export type { ImportedModel } from 'vramfit/import';\n"), { open: () => true });
  const models = [await read(sharded(2)), await read({ 'a.gguf': gguf() }), await read({ 'config.json': Buffer.from('{}') }), await read({ 'model.safetensors': sharded(2)['model-00001-of-00002.safetensors'] }), await read({ 'config.json': Buffer.from(JSON.stringify({ ...config, head_dim: undefined })) })];
  for (const model of models) check.look('ImportedModel', model);
  // Kinds of layers that these few models do not have are not of interest here.
  assert.deepEqual(check.report().found.filter((problem) => !/never/.test(problem)), []);
  const file = withFile('imported.mts', ["import type { ImportedModel } from 'vramfit/import';", ...models.map((model, i) => `const model${i}: ImportedModel = ${JSON.stringify(model)};`)].join('\n'));
  assert.deepEqual(compile([file]), clean);
});

test('sentences have the declared keys', () => {
  const check = typeCheck(withFile('probe_text.mts', "export type { Explanation } from 'vramfit/text';\n"), { loose: true });
  for (const lang of ['en', 'es']) {
    const text = createText(readLocales(lang), lang);
    for (const result of results.filter((result, i) => i % 4 === 0 || i < 60 || (result.method === 'engine' && result.methods.engine.compartments.some((c) => c.id === 'encoder')))) check.look('Explanation', explain(result, catalog, text));
  }
  assert.deepEqual(check.report().found, []);
});

// --- what TypeScript itself says ----------------------------------------------------------------------------------------

const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
function compile(files, { module = 'nodenext', moduleResolution = module } = {}) {
  const options = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--target', 'es2022', '--lib', 'es2022,dom', '--module', module, '--moduleResolution', moduleResolution];
  const { stdout, status } = spawnSync(process.execPath, [tsc, ...options, ...files], { cwd: user.folder, encoding: 'utf8' });
  return { stdout, status };
}
const clean = { stdout: '', status: 0 };

test('real answers are literals of the declared types', () => {
  const few = (list) => list.filter((_, i) => i % 20 === 0 || i < 30);
  const literal = (name, type) => (value, i) => `const ${name}${i}: ${type} = ${JSON.stringify(value)};`;
  const file = withFile('literals.mts', [
    "import type { Catalog, Result, WhatIf } from 'vramfit';",
    ...few(results).map(literal('result', 'Result')), ...few(whatIfs).map(literal('whatIf', 'WhatIf')), literal('catalog', 'Catalog')(catalog, ''),
  ].join('\n'));
  assert.deepEqual(compile([file]), clean);
  const result = { ...vramfit.estimate(), surplus: 1 };
  const { stdout } = compile([withFile('surplus.mts', `import type { Result } from 'vramfit';\nconst result: Result = ${JSON.stringify(result)};\n`)]);
  assert.match(stdout, /"surplus"' does not exist in type/);
});

const consumer = `
import { loadVramfit, type Answer, type InputKey, type Result, type Vramfit } from 'vramfit';
import { loadVramfit as loadInline } from 'vramfit/inline';
import { createText, explain, loadText } from 'vramfit/text';
import es from 'vramfit/locales/es';
import { readPriceList } from 'vramfit/price-list';
import 'vramfit/element';

const vramfit: Vramfit = await loadVramfit();
const same: Vramfit = await loadInline();
await loadVramfit({ wasmUrl: new URL('https://example.org/vramfit-core.wasm'), wasmBinary: new Uint8Array(8) });
// @ts-expect-error no such option
await loadVramfit({ wasmurl: '' });
// @ts-expect-error the inline variant fetches nothing
await loadInline({ wasmUrl: '' });

const result: Result = vramfit.estimate('model=llama-3.1-70b');
// @ts-expect-error a refusal has no figures
result.methods;
if (result.refused) {
  const severity: 'error' | 'warning' | 'info' | undefined = result.notices[0]?.severity;
} else {
  const answer: Answer = result;
  const bytes: number = answer.methods.worksheet.total_bytes.high;
  // @ts-expect-error there may be none
  answer.best.count;
  const count: number | undefined = answer.best?.count;
  const layout = answer.methods.rule.layouts[0];
  if (layout && !layout.usable) layout.reason satisfies string;
  // @ts-expect-error not among the verdicts' type
  const verdict: number = answer.fit[0]?.verdicts[0];
}
const { prices, problems } = readPriceList(JSON.parse('{}'), vramfit.catalog());
vramfit.whatIf('', { prices }).cards[0]?.gpu satisfies string | undefined;
problems.map(({ row, id }) => (row ?? 0) + id) satisfies string[];
// @ts-expect-error a list is read first
vramfit.estimate('', { prices: { schema: 'vramfit-prices/1' } });
const key: InputKey = 'context';
// @ts-expect-error no such input
const wrong: InputKey = 'contxt';
const value: number = result.inputs[key];
const maximum = same.catalog().fields.flatMap((field) => (field.kind === 'choice' || field.kind === 'text' || field.kind === 'gpu-list' ? [] : [field.maximum]));
maximum satisfies number[];
const text = await loadText('es', { units: 'GiB' });
const view = explain(result, vramfit.catalog(), createText(es, 'es'));
const sentence: string = view.sentence + text.t('page.total');
const element = document.createElement('vram-fit');
element.share = 'model=qwen3-32b';
element.ready.then((state) => state === 'ready' && element.result?.share) satisfies Promise<unknown>;
// @ts-expect-error it is the element's to say
element.result = null;
element.addEventListener('vramfit-change', ({ detail }) => detail.result.refused satisfies boolean);
document.addEventListener('vramfit-error', ({ detail }) => detail.message satisfies string);
// @ts-expect-error no such detail
document.addEventListener('vramfit-resize', ({ detail }) => detail.width);
if (!view.refused) view.fit.map((row) => row.smallest?.cost?.unit satisfies string | undefined);
`;
test('a program compiles, and what is wrong in it does not', () => {
  const file = withFile('consumer.mts', consumer);
  assert.deepEqual(compile([file]), clean);
  assert.deepEqual(compile([file], { module: 'esnext', moduleResolution: 'bundler' }), clean);
  assert.deepEqual(compile([file], { module: 'node16' }), clean);
});

test('the examples of the README are of the declared types', () => {
  const examples = codeBlocks(readFileSync(join(user.installed, 'README.md'), 'utf8')).filter(({ kind }) => kind.startsWith('js'));
  const files = examples.map(({ code }, i) => withFile(`example${i}.mts`, code));
  assert.ok(files.length >= 5);
  assert.deepEqual(compile(files), clean);
});
