// The terminal's two commands: the answer, and the server of the page.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { serve } from '../../web/cli/serve.mjs';
import { hubHosts } from '../../web/import/hub_address.mjs';
import { calculatorPolicy, contentSecurityPolicy, sitePolicy } from '../../web/page/policy.mjs';
import { readPriceList } from '../../web/price_list.mjs';
import { assets, dist, root, shippedCalculator } from './support.mjs';

const estimateScript = join(root, 'web', 'cli', 'estimate.mjs');
function estimate(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [estimateScript, '--dist', dist, ...args], { encoding: 'utf8' });
  return { status, stdout, stderr, lines: stdout.split('\n') };
}

const priceList = (...prices) => ({ schema: 'vramfit-prices/1', currency: 'USD', provider: 'Acme Cloud', date: '2026-11-30', prices });
// Runs `use` with the way to files of these contents.
async function withFiles(contents, use) {
  const work = mkdtempSync(join(tmpdir(), 'vramfit-cli-'));
  try {
    for (const [name, content] of Object.entries(contents)) writeFileSync(join(work, name), content);
    await use((name) => join(work, name));
  } finally {
    rmSync(work, { recursive: true });
  }
}

// --- estimate.mjs -------------------------------------------------------------------------------------------------------

test('the default answer, word for word', () => {
  const { status, lines, stderr } = estimate();
  assert.equal(status, 0);
  assert.equal(lines[0], "Llama 3.1 70B in FP8: 84 GB by the rule; of the article's cards, 1x H200");
  assert.ok(lines.includes('Share string: (all defaults)'));
  assert.equal(stderr, '');
});

test('exit 2 when the input is refused, with the reason', () => {
  const { status, lines } = estimate('model=nope');
  assert.equal(status, 2);
  assert.match(lines[0], /^No figure yet: There is no model “nope”/);
  assert.equal(estimate('--json', 'params=abc').status, 2);
});

test('a warning is no refusal', () => {
  const { status, stdout } = estimate('context=-5');
  assert.equal(status, 0);
  assert.match(stdout, /^Warning: Context: “-5” is out of range; 1 is used\.$/m);
});

for (const [what, args, message] of [
  ['an unknown option', ['--frob'], /--frob/],
  ['an option with a value it does not take', ['--json=1'], /--json=1/],
  ['an option without its value', ['--lang'], /--lang/],
  ['an unknown language', ['--lang', 'xx'], /xx/],
  ['an unknown format', ['--format', 'pdf'], /pdf/],
  ['a format that is no list of one', ['--format=toString'], /toString/],
  ['a site that is no address', ['--site', 'example.org'], /example\.org/],
  ['a site of another kind', ['--site=file:///tmp/'], /file:/],
  ['no built page there', ['--dist', '/nonexistent'], /\/nonexistent/],
]) {
  test(`exit 64 for ${what}, with the usage`, () => {
    const { status, stdout, stderr } = estimate(...args);
    assert.equal(status, 64);
    assert.equal(stdout, '');
    assert.match(stderr, message);
    assert.match(stderr, /^Usage: estimate\.mjs/m);
  });
}

test('exit 64 without --dist', () => assert.equal(spawnSync(process.execPath, [estimateScript]).status, 64));

test('--help is no error', () => {
  const { status, stdout } = estimate('--help');
  assert.equal(status, 0);
  assert.match(stdout, /^Usage: estimate\.mjs/);
});

test('several arguments are one share string', () => {
  assert.equal(estimate('model=qwen2.5-32b', 'weights=bf16').stdout, estimate('model=qwen2.5-32b&weights=bf16').stdout);
});

const wide = ['', 'gpus=all&method=worksheet&model=deepseek-v3', 'task=lora&gpus=consumer', 'model=kimi-k3&weights=bf16&gpu=zz&foo=1&context=9m', 'params=7.25b&model=&method=worksheet&weights=int4-awq', 'gpus=all', 'model=nope', 'model=deepseek-v3&method=worksheet&count=8', 'task=full&method=worksheet', 'model=qwen2.5-32b&weights=bf16&gpu=h100-sxm&count=1', 'gpus=workstation&weights=fp4-experts-fp8&method=worksheet'];
for (const lang of ['en', 'es', 'pt-BR']) {
  test(`${lang}: no line is wider than 100 columns, nothing is missing`, () => {
    for (const share of wide) {
      const { stdout, lines, stderr } = estimate('--lang', lang, share);
      assert.deepEqual(lines.filter((line) => [...line].length > 100), [], share);
      assert.deepEqual(lines.filter((line) => line !== line.trimEnd()), [], share);
      assert.doesNotMatch(stdout, /undefined|NaN|\[object|\{\w+\}|\x1b/, share);
      assert.equal(stderr, '');
    }
  });
}

test('languages: by option, by the share string, the option first', () => {
  const first = (...args) => estimate(...args).lines[0];
  assert.equal(first('--lang', 'es'), 'Llama 3.1 70B en FP8: 84 GB según la regla; de las tarjetas del artículo, 1x H200');
  assert.equal(first('--lang=pt'), 'Llama 3.1 70B em FP8: 84 GB pela regra; das placas do artigo, 1x H200');
  assert.equal(first('lang=es'), first('--lang', 'es'));
  assert.equal(first('--lang', 'en', 'lang=es'), first());
  const priced = (...args) => estimate(...args, 'model=kimi-k3&weights=int4&gpus=all&gpu=h200&count=8&lang=es').stdout;
  assert.match(priced(), /: 1680 GB según/);
  assert.match(priced('--lang', 'es-MX'), /: 1,680 GB según/);
  assert.match(estimate('lang=es-MX').stdout, /USD.5\.40\/h/);
  assert.match(estimate('lang=tlh').stdout, /Warning: “lang=tlh” is not known and has no effect\./);
  assert.match(first('units=GiB'), /78\.2 GiB by the rule/);
});

test('how far it goes, on the chosen GPUs', () => {
  const after = (lines, title) => lines.slice(lines.indexOf(title) + 1);
  assert.deepEqual(after(estimate().lines, 'How far it goes on 1x H200').slice(0, 3).map((line) => line.trim().split(/ {2,}/)), [
    ['KV cache', 'Context with 1 sequence', 'Sequences of 4,096 tokens'],
    ['BF16', "131,072, the model's own limit", '47, tight to 52'],
    ['FP8', "131,072, the model's own limit", '95, tight to 105'],
  ]);
  assert.match(estimate('--lang', 'es', 'weights=q4_k_m&gpu=rtx-4090&count=3').stdout, /^Hasta dónde llega en 3x RTX 4090\n.*\n {2}BF16 {14}99\.351; queda justo hasta 110\.202 {2}24; queda justo hasta 26$/m);
  assert.match(estimate('--lang', 'pt', 'model=qwen2.5-32b&weights=bf16&gpu=h100-sxm&count=1').stdout, /^ {2}BF16 .* apertado até 32\.768 .* apertado até 13$/m);
  assert.match(estimate('task=full&model=llama-3.1-8b&method=worksheet').stdout, /^ {2}Context with 1 sequence {2}Sequences of 4,096 tokens\n {2}9,806, tight to 22,730 /m);
  assert.match(estimate('model=bge-m3').stdout, /the model's own limit {2}no limit$/m);
  // Nothing to say where it does not run at all, or where the cache cannot be counted.
  for (const share of ['model=kimi-k3&weights=bf16', 'gpu=h100-sxm&count=3', 'params=7b', 'model=nope']) assert.doesNotMatch(estimate(share).stdout, /How far/, share);
});

test('--json is the module\'s own object', async () => {
  const vramfit = await shippedCalculator();
  for (const share of ['', 'model=deepseek-v3&method=worksheet&count=8', 'model=nope', 'task=full&states=16-byte', 'gpus=h200,l40s:0.5']) {
    const result = vramfit.estimate(share);
    assert.deepEqual(JSON.parse(estimate('--json', share).stdout), result.refused ? result : { ...result, what_if: vramfit.whatIf(share) }, share);
  }
});

test('--format writes what the page saves, in the language asked for, with the whole link where the site is known', () => {
  const share = 'weights=bf16&units=GiB';
  const link = 'https://example.org/v/?weights=bf16&units=GiB';
  const of = (...args) => estimate('--lang', 'es', ...args, share).stdout;
  assert.equal(of('--format', 'text'), of());
  assert.equal(of('--format=json'), of('--json'));
  assert.deepEqual(JSON.parse(of('--json', '--site', 'https://example.org/v/#x')), { ...JSON.parse(of('--json')), link });
  assert.match(of('--format', 'svg'), /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" [^]*>weights=bf16<[^]*<\/svg>\n$/);
  assert.match(of('--format', 'svg', '--site', 'https://example.org/v/'), />https:\/\/example\.org\/v\/\?weights=bf16&amp;units=GiB</);
  assert.match(of('--format', 'csv', '--site', 'https://example.org/v/'), /^gpu_id,[^]*\r\nb200,[^]*,https:\/\/example\.org\/v\/\?weights=bf16&units=GiB\r\n/);
  assert.match(of('--format', 'md'), /^## Llama 3\.1 70B en BF16: [^]*\n`weights=bf16`\\\nvramfit /);
  assert.match(of('--site', 'https://example.org/v/'), /^Enlace: https:\/\/example\.org\/v\/\?weights=bf16&units=GiB$/m);
});

test('--format of what is refused: the reason on standard error, and exit 2', () => {
  for (const format of ['md', 'csv', 'svg']) {
    const { status, stdout, stderr } = estimate('--format', format, 'model=nope');
    assert.deepEqual([status, stdout], [2, ''], format);
    assert.match(stderr, /^No figure yet: There is no model “nope”/);
  }
  assert.equal(JSON.parse(estimate('--format', 'json', 'model=nope').stdout).refused, true);
});

test('--prices: by a price list, with its faults as warnings', () => withFiles({
  'acme.json': `\uFEFF${JSON.stringify(priceList({ gpu: 'h200', usd_per_gpu_hour: 3.25 }, { gpu: 'h2oo', usd_per_gpu_hour: 1 }, { gpu: 'b200', usd_per_gpu_hour: 'x\u001b[31m' }))}`,
}, (file) => {
  const { status, stdout, stderr, lines } = estimate('--prices', file('acme.json'));
  assert.equal(status, 0);
  assert.equal(stderr, '');
  assert.match(stdout, /^ {2}1x H200 SXM +fits +\$3\.25\/h /m);
  assert.match(stdout, /^ {2}2x L40S 48GB +fits +6 GB free/m);
  assert.match(stdout, /^ {2}Cheapest that fits: 1x H200, \$3\.25\/h$/m);
  assert.match(stdout, /^ {2}Prices: Acme Cloud, Nov 30, 2026$/m);
  assert.deepEqual(lines.filter((line) => line.startsWith('Warning')), [
    'Warning: Row 2 of the price list is not used: there is no GPU “h2oo”.',
    'Warning: Row 3 of the price list is not used: the price “x\uFFFD[31m” is not a number.',
  ]);
  assert.match(estimate(`--prices=${file('acme.json')}`, '--lang', 'es').stdout, /^Atención: La fila 2 de la lista de precios no se usa: no existe la GPU “h2oo”\.$[\s\S]*^ {2}Precios: Acme Cloud, 30 nov 2026$/m);
  assert.doesNotMatch(estimate().stdout, /^ {2}Prices: /m);
}));

test('--prices with --json: the module\'s own object and the problems', () => withFiles({
  'acme.json': JSON.stringify(priceList({ gpu: 'h200', usd_per_gpu_hour: 3.25, kind: 'spot' }, { gpu: 'h200', usd_per_gpu_hour: 4 })),
}, async (file) => {
  const vramfit = await shippedCalculator();
  const { prices, problems } = readPriceList(JSON.parse(readFileSync(file('acme.json'), 'utf8')), vramfit.catalog());
  assert.deepEqual(problems, [{ row: 2, id: 'duplicate', field: 'gpu', value: 'h200' }]);
  for (const share of ['gpus=h200,b200,l40s:0.5', 'model=nope']) {
    const result = vramfit.estimate(share, { prices });
    const expected = { ...result, ...(!result.refused && { what_if: vramfit.whatIf(share, { prices }) }), price_problems: problems };
    const { status, stdout } = estimate('--json', '--prices', file('acme.json'), share);
    assert.equal(status, result.refused ? 2 : 0);
    assert.deepEqual(JSON.parse(stdout), expected, share);
  }
}));

test('--prices: exit 64 for a file that cannot be read and for a list that is refused', () => withFiles({
  'text.json': 'h200: 3', 'refused.json': JSON.stringify({ ...priceList(), currency: 'EUR', date: 'today' }),
}, (file) => {
  for (const [name, ...messages] of [
    ['missing.json', /^Cannot read .*missing\.json$/m, /^Usage/m], ['text.json', /text\.json is not JSON/, /^Usage/m],
    ['refused.json', /^The price list is not used: “currency” must be “USD”, not “EUR”\.$/m, /“date” must be a day such as 2026-11-30, not “today”/],
  ]) {
    for (const json of [[], ['--json']]) {
      const { status, stdout, stderr } = estimate('--prices', file(name), ...json);
      assert.equal(status, 64, name);
      assert.equal(stdout, '');
      for (const message of messages) assert.match(stderr, message);
    }
  }
  assert.equal(estimate('--prices=').status, 64);
  assert.equal(estimate('--prices').status, 64);
}));

test('colours only on a terminal', () => assert.doesNotMatch(estimate().stdout, /\x1b/));

// --- serve.mjs ----------------------------------------------------------------------------------------------------------

// As it is sent: fetch and URL would tidy the path up first.
const get = (origin, path, method = 'GET') => new Promise((done, failed) => {
  const { hostname, port } = new URL(origin);
  request({ hostname, port, path, method }, (response) => {
    const chunks = [];
    response.on('data', (chunk) => chunks.push(chunk));
    response.on('end', () => done({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) }));
  }).on('error', failed).end();
});

test('the server sends the site, with types and policy', async () => {
  const { origin, close } = await serve(dist, 0);
  try {
    for (const [path, type, file] of [
      ['/', /^text\/html/, 'index.html'], ['/canvas.html', /^text\/html/, 'canvas.html'], ['/docs/', /^text\/html/, 'docs/index.html'], ['/es/', /^text\/html/, 'es/index.html'], ['/pt-br', /^text\/html/, 'pt-br/index.html'],
      ['/assets/app.js', /^text\/javascript/, 'assets/app.js'], ['/assets/vramfit-core.mjs', /^text\/javascript/, 'assets/vramfit-core.mjs'],
      ['/assets/vramfit-core.wasm', /^application\/wasm$/, 'assets/vramfit-core.wasm'], ['/assets/style.css?x=1', /^text\/css/, 'assets/style.css'],
    ]) {
      const { status, headers, body } = await get(origin, path);
      assert.equal(status, 200, path);
      assert.match(headers['content-type'], type);
      assert.equal(headers['content-security-policy'], /^(es\/|pt-br\/)?index\.html$/.test(file) ? calculatorPolicy : sitePolicy, path);
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.ok(body.equals(readFileSync(join(dist, file))), path);
    }
    const head = await get(origin, '/', 'HEAD');
    assert.deepEqual([head.status, head.body.length], [200, 0]);
  } finally {
    await close();
  }
});

test('the policy lets in no inline code and no other origin', () => {
  assert.match(contentSecurityPolicy, /default-src 'none'/);
  assert.doesNotMatch(contentSecurityPolicy, /unsafe-inline|'unsafe-eval'|https?:|\*/);
  // The site's own is that of hosts, and its manifest.
  assert.equal(sitePolicy, `${contentSecurityPolicy}; manifest-src 'self'`);
  // The calculator's own page may ask the model hub, and the hosts that it sends on to; nothing else is different.
  assert.equal(calculatorPolicy, sitePolicy.replace("connect-src 'self'", "connect-src 'self' https://huggingface.co https://*.hf.co"));
  assert.deepEqual(hubHosts, ['https://huggingface.co', 'https://*.hf.co']);
});

test('only the calculator\'s own pages have the model hub in their policy', () => {
  const pages = readdirSync(dist, { recursive: true }).filter((file) => file.endsWith('.html'));
  const policyOf = (file) => readFileSync(join(dist, file), 'utf8').match(/http-equiv="Content-Security-Policy" content="([^"]*)"/)?.[1] ?? '';
  assert.deepEqual(pages.filter((file) => /huggingface|hf\.co/.test(policyOf(file))).sort(), ['es/index.html', 'index.html', 'pt-br/index.html']);
  assert.equal(policyOf('index.html'), calculatorPolicy);
});

test('the server keeps to its folder', async () => {
  const { origin, close } = await serve(assets, 0);
  try {
    assert.equal((await get(origin, '/app.js')).status, 200);
    for (const path of ['/../index.html', '/%2e%2e/index.html', '/..%2findex.html', '/%2e%2e%2f%2e%2e%2fpackage.json', '/locales/../../index.html', '/../assets-not/x', '//etc/passwd', '/etc/passwd', '/nothing', '/%', '/%00', '/locales']) {
      const { status, body } = await get(origin, path);
      assert.equal(status, 404, path);
      assert.equal(String(body), 'Not found\n', path);
    }
  } finally {
    await close();
  }
});

test('a neighbour whose name begins like the folder\'s is not in it', async () => {
  const work = mkdtempSync(join(tmpdir(), 'vramfit-serve-'));
  mkdirSync(join(work, 'site'));
  mkdirSync(join(work, 'site-private'));
  writeFileSync(join(work, 'site', 'a.txt'), 'public');
  writeFileSync(join(work, 'site-private', 'a.txt'), 'private');
  const { origin, close } = await serve(join(work, 'site'), 0);
  try {
    assert.equal(String((await get(origin, '/a.txt')).body), 'public');
    assert.equal((await get(origin, '/..%2fsite-private%2fa.txt')).status, 404);
  } finally {
    await close();
    rmSync(work, { recursive: true });
  }
});

test('only this machine is served', async () => {
  const { origin, close } = await serve(dist, 0);
  assert.match(origin, /^http:\/\/127\.0\.0\.1:\d+$/);
  await close();
  const { port } = new URL(origin);
  await assert.rejects(new Promise((done, failed) => { connect(Number(port), '127.0.0.1', done).on('error', failed); }), 'close() frees the port');
});

test('a port that is taken leads to the next free one', async () => {
  const taken = createServer();
  const port = await new Promise((done) => { taken.listen(0, '127.0.0.1', () => done(taken.address().port)); });
  const { origin, close } = await serve(dist, port);
  try {
    const found = Number(new URL(origin).port);
    assert.ok(found > port && found <= port + 20, `${port} then ${found}`);
    assert.equal((await get(origin, '/')).status, 200);
  } finally {
    await close();
    taken.close();
  }
});

test('the command prints where the page is, with the share string, and exits 64 on a wrong port', async () => {
  const script = join(root, 'web', 'cli', 'serve.mjs');
  const child = spawn(process.execPath, [script, '--dist', dist, '--port', '0', 'weights=bf16']);
  try {
    const line = await new Promise((done) => { child.stdout.once('data', (data) => done(String(data))); });
    const url = line.match(/http:\/\/127\.0\.0\.1:\d+\/\?weights=bf16/)?.[0];
    assert.ok(url, line);
    assert.equal((await get(new URL(url).origin, '/')).status, 200);
  } finally {
    child.kill();
  }
  for (const port of ['x', '-1', '70000']) assert.equal(spawnSync(process.execPath, [script, '--dist', dist, `--port=${port}`]).status, 64, port);
  assert.equal(spawnSync(process.execPath, [script]).status, 64);
});
