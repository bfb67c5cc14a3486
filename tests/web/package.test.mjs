// The npm package: what is in it, and that all of it works where it is installed.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { publint } from 'publint';

import { readLocale } from '../../web/locale_files.mjs';
import { readPriceList } from '../../web/price_list.mjs';
import { createText, explain } from '../../web/text/explain.mjs';
import { languages } from '../../web/text/messages.mjs';
import { codeBlocks, installPackage } from './package_support.mjs';
import { dist, root, shippedCalculator } from './support.mjs';

const user = await installPackage();
after(user.remove);
const { folder, installed } = user;
const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
const shipped = await shippedCalculator();
const shares = ['', 'model=deepseek-v3&method=worksheet&count=8', 'model=nope', 'task=qlora&gpus=all&lang=es', 'gpus=h200:1.5,l40s&context=9m&zz=1'];

const priceList = { schema: 'vramfit-prices/1', currency: 'USD', provider: 'Acme Cloud', date: '2026-11-30', prices: [{ gpu: 'h200', usd_per_gpu_hour: 3.2 }, { gpu: 'nope', usd_per_gpu_hour: 1 }] };

// As the user's own program imports it.
const entry = (name) => import(pathToFileURL(createRequire(join(folder, 'program.mjs')).resolve(name)));
function run(file, ...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], { cwd: folder, encoding: 'utf8' });
  return { status, stdout, stderr };
}

// --- what is in it ------------------------------------------------------------------------------------------------------

test('the tarball holds these files', (t) => {
  assert.deepEqual(user.files, [
    'IMPORT.md', 'LICENSE', 'PRICES.md', 'README.md', 'RESULT.md', 'cli.mjs', 'import.mjs', 'import_node.mjs', 'inline.mjs', 'locale_files.mjs',
    ...languages.flatMap(({ lang }) => ['', 'export.', 'import.', 'log.', 'prices.'].map((part) => `locales/${part}${lang}.mjs`)), 'package.json', 'price_list.mjs', 'text.mjs',
    ...readdirSync(join(root, 'web', 'types')).map((file) => `types/${file}`),
    'vram-fit-engine.js', 'vram-fit-prices.js', 'vram-fit-remarks.js', 'vram-fit.js', 'vramfit-core.mjs', 'vramfit-core.wasm', 'vramfit-full.wasm', 'vramfit-import.wasm', 'vramfit.mjs', 'vramfit_node.mjs',
  ].sort());
  t.diagnostic(`${user.packedBytes} bytes packed, ${user.bytes} installed`);
  assert.ok(user.packedBytes > 100000 && user.packedBytes < 700000, `${user.packedBytes} bytes packed`);
});

test('it needs nothing, runs nothing when installed, and is of the version of CMakeLists.txt', () => {
  for (const key of ['dependencies', 'peerDependencies', 'optionalDependencies', 'scripts', 'private', 'repository', 'homepage']) assert.ok(!(key in manifest), key);
  assert.deepEqual(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.')), ['vramfit']);
  assert.equal(manifest.version, readFileSync(join(root, 'CMakeLists.txt'), 'utf8').match(/project\(vramfit VERSION ([\d.]+)/)[1]);
  assert.equal(manifest.engines.node, JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).engines.node);
});

test('whatever it exports is there, with its types first', () => {
  const targets = (value) => (typeof value === 'string' ? [value] : Object.values(value).flatMap(targets));
  for (const [name, value] of Object.entries(manifest.exports)) {
    if (!/\.(wasm|json)$/.test(name)) assert.equal(Object.keys(value)[0], 'types', name);
    for (const target of targets(value)) for (const { lang } of languages) assert.ok(existsSync(join(installed, target.replace('*', lang))), `${name}: ${target}`);
  }
});

test('publint has nothing to say', async () => {
  const { messages } = await publint({ pkgDir: installed, strict: true, pack: false });
  assert.deepEqual(messages, []);
});

test('nothing in it says where it was built', () => {
  for (const file of user.files.filter((name) => !name.endsWith('.wasm'))) {
    const text = readFileSync(join(installed, file), 'utf8');
    assert.ok(!text.includes(root) && !text.includes('sourceMappingURL') && !/\/(home|root|tmp|work)\//.test(text), file);
  }
  assert.ok(!readFileSync(join(installed, 'vramfit-full.wasm')).includes(root));
});

// --- its entries --------------------------------------------------------------------------------------------------------

for (const name of ['vramfit', 'vramfit/inline']) {
  test(`${name} answers as the module of the page does`, async () => {
    const vramfit = await (await entry(name)).loadVramfit();
    for (const share of shares) {
      assert.deepEqual(vramfit.estimate(share), shipped.estimate(share), share);
      assert.deepEqual(vramfit.whatIf(share), shipped.whatIf(share), share);
    }
    assert.deepEqual(vramfit.catalog(), shipped.catalog());
  });
}

test('vramfit in Node takes the module from an address, a relative one, or bytes', async () => {
  const { loadVramfit } = await entry('vramfit');
  const bytes = readFileSync(join(installed, 'vramfit-full.wasm'));
  const works = async (options) => assert.equal((await loadVramfit(options)).catalog().version, manifest.version);
  await works({ wasmUrl: pathToFileURL(join(installed, 'vramfit-full.wasm')) });
  await works({ wasmBinary: bytes });
  await works({ wasmBinary: new Uint8Array(bytes).buffer });
  writeFileSync(join(folder, 'relative.mjs'), "import { loadVramfit } from 'vramfit';\nawait loadVramfit({ wasmUrl: 'node_modules/vramfit/vramfit-full.wasm' });\n");
  assert.deepEqual(run('relative.mjs'), { status: 0, stdout: '', stderr: '' });

  const server = createServer((request, response) => {
    response.writeHead(request.url === '/there.wasm' ? 200 : 404);
    response.end(bytes);
  });
  await new Promise((done) => { server.listen(0, '127.0.0.1', done); });
  try {
    const origin = `http://127.0.0.1:${server.address().port}`;
    await works({ wasmUrl: `${origin}/there.wasm` });
    await assert.rejects(loadVramfit({ wasmUrl: `${origin}/gone.wasm` }), { message: `404: ${origin}/gone.wasm` });
  } finally {
    server.closeAllConnections?.();
    server.close();
  }
  await assert.rejects(loadVramfit({ wasmUrl: pathToFileURL(join(folder, 'gone.wasm')) }), /ENOENT.*gone\.wasm/);
});

test('vramfit/text says what the page says, in every language', async () => {
  const api = await entry('vramfit/text');
  for (const { lang } of languages) {
    const { default: locale } = await entry(`vramfit/locales/${lang}`);
    for (const units of ['auto', 'GiB']) {
      const own = createText(readLocale(lang), lang, { units });
      for (const text of [await api.loadText(lang, { units }), api.createText(locale, lang, { units })]) {
        for (const share of shares) {
          const result = shipped.estimate(share);
          assert.equal(JSON.stringify(api.explain(result, shipped.catalog(), text)), JSON.stringify(explain(result, shipped.catalog(), own)));
        }
      }
    }
  }
  assert.equal((await api.loadText('es-MX')).lang, 'es');
  await assert.rejects(api.loadText('xx'), { name: 'RangeError', message: /xx/ });
});

test('vramfit/price-list reads a list as the page does', async () => {
  const { readPriceList: read } = await entry('vramfit/price-list');
  const vramfit = await (await entry('vramfit')).loadVramfit();
  for (const list of [priceList, null, { ...priceList, currency: 'EUR' }]) assert.deepEqual(read(list, vramfit.catalog()), readPriceList(list, shipped.catalog()));
  const { prices } = read(priceList, vramfit.catalog());
  assert.deepEqual(vramfit.estimate('', { prices }), shipped.estimate('', { prices }));
  assert.deepEqual(vramfit.estimate('', { prices }).cheapest.usd_per_hour, 3.2);
});

test('vramfit/element is no element in Node, and no error', async () => assert.equal((await entry('vramfit/element')).VramFit, null));

// --- the terminal command -----------------------------------------------------------------------------------------------

const bin = join(folder, 'node_modules', '.bin', 'vramfit');
const command = (...args) => run(bin, ...args);
const ours = (...args) => run(join(root, 'web', 'cli', 'estimate.mjs'), '--dist', dist, ...args);

test('the command says byte for byte what ./dev estimate says', () => {
  writeFileSync(join(folder, 'prices.json'), JSON.stringify(priceList));
  const same = (args, told = args) => {
    const expected = ours(...args);
    assert.ok(expected.stdout.length > 100);
    assert.deepEqual(command(...told), expected, told.join(' '));
  };
  for (const share of ['model=qwen3-32b&weights=q4_k_m&gpus=consumer', 'model=kimi-k3&weights=bf16&gpu=zz&foo=1&context=9m', ...shares]) same([share]);
  for (const options of [['--json'], ['--lang', 'es'], ['--lang=pt-BR']]) {
    same([...options, shares[1]]);
    same([...options, shares[2]], ['estimate', ...options, shares[2]]);
    same([...options, shares[3]], [...options, 'estimate', shares[3]]);
    same([...options, '--prices', 'prices.json', shares[0]]);
  }
  for (const format of ['md', 'csv', 'svg', 'json']) same(['--format', format, '--site', 'https://host.example/', '--lang', 'es', shares[1]]);
});

test('usage and errors of the command are the same but for its name', () => {
  for (const args of [['--help'], ['--help', '--lang', 'es'], ['--frob'], ['--lang'], ['--lang', 'xx'], ['--prices', 'gone.json']]) {
    const renamed = (text) => text.replace('estimate.mjs --dist DIR', 'vramfit').replace('estimate.mjs --dist dist', 'npx vramfit');
    const { status, stdout, stderr } = ours(...args);
    assert.deepEqual(command(...args), { status, stdout: renamed(stdout), stderr: renamed(stderr) }, String(args));
    assert.match(stdout + stderr, /estimate\.mjs/);
  }
  assert.deepEqual(command('--version'), { status: 0, stdout: `${manifest.version}\n`, stderr: '' });
});

test('npx runs it', () => {
  const { status, stdout } = spawnSync('npx', ['--no-install', 'vramfit', 'weights=bf16'], { cwd: folder, encoding: 'utf8', env: { ...process.env, npm_config_cache: join(folder, 'cache') } });
  assert.equal(status, 0);
  assert.equal(stdout, ours('weights=bf16').stdout);
  assert.ok(statSync(bin).mode & 0o111);
});

// --- its README ---------------------------------------------------------------------------------------------------------

test('the examples of its README print what it says', () => {
  const blocks = codeBlocks(readFileSync(join(installed, 'README.md'), 'utf8'));
  let programs = 0;
  blocks.forEach(({ kind, code }, i) => {
    if (kind === 'console') {
      const [line, ...expected] = code.trimEnd().split('\n');
      const { stdout } = command(...line.match(/^\$ npx vramfit '(.*)'$/).slice(1));
      assert.equal(expected.pop(), '...');
      assert.deepEqual(stdout.split('\n').slice(0, expected.length), expected);
    } else if (kind === 'js') {
      programs += 1;
      writeFileSync(join(folder, 'example.mjs'), code);
      assert.equal(blocks[i + 1]?.kind, 'text', 'what it prints follows');
      assert.deepEqual(run('example.mjs'), { status: 0, stdout: blocks[i + 1].code, stderr: '' });
    }
  });
  assert.ok(programs >= 4);
});
