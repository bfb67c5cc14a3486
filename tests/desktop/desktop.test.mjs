// The desktop window, under a virtual X server with software OpenGL: what it draws, its options, and the clipboard.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { root } from '../web/support.mjs';

const program = join(root, 'build', 'dev', 'shell', 'vramfit-desktop');
const folder = mkdtempSync(join(tmpdir(), 'vramfit-desktop-'));
const patience = 60000;
let server, display;

before(async () => {
  assert.ok(existsSync(program), 'the desktop window is not built: run ./dev test desktop');
  server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  display = await new Promise((done, failed) => {
    server.stdio[3].once('data', (data) => done(`:${String(data).trim()}`));
    server.once('error', failed);
    server.once('exit', (code) => failed(new Error(`Xvfb ended: ${code}`)));
  });
});

after(() => {
  server?.removeAllListeners('exit');
  server?.kill();
  rmSync(folder, { recursive: true, force: true });
});

const environment = () => ({ ...process.env, DISPLAY: display, WAYLAND_DISPLAY: '', LIBGL_ALWAYS_SOFTWARE: '1', LANG: 'C.UTF-8' });
const run = (...args) => spawnSync(program, args, { env: environment(), encoding: 'utf8', timeout: patience });

// {width, height, colors: Map of "r,g,b" to how often}
function picture(...args) {
  const file = join(folder, 'picture.ppm');
  rmSync(file, { force: true });
  const { status, stderr } = run('--screenshot', file, ...args);
  assert.equal(status, 0, stderr);
  const bytes = readFileSync(file);
  const head = bytes.subarray(0, 32).toString('latin1').match(/^P6\n(\d+) (\d+)\n255\n/);
  const [width, height] = [Number(head[1]), Number(head[2])];
  const pixels = bytes.subarray(head[0].length);
  assert.equal(pixels.length, width * height * 3);
  const colors = new Map();
  for (let i = 0; i < pixels.length; i += 3) {
    const color = `${pixels[i]},${pixels[i + 1]},${pixels[i + 2]}`;
    colors.set(color, (colors.get(color) ?? 0) + 1);
  }
  return { width, height, colors, pixels };
}

// The style sheet's colour of a name, as the picture counts colours.
function cssColor(name, dark) {
  const css = readFileSync(join(root, 'web', 'page', 'palette.css'), 'utf8');
  const hex = css.match(new RegExp(`--${name}: light-dark\\(#([0-9a-f]{6}), #([0-9a-f]{6})\\)`))[dark ? 2 : 1];
  return hex.match(/../g).map((pair) => parseInt(pair, 16)).join(',');
}

test('draws the default configuration in the colours of the page', () => {
  const { width, height, colors } = picture('--size', '1200x800');
  assert.deepEqual([width, height], [1200, 800]);
  assert.ok(colors.size > 100, `${colors.size} colours`);
  const [most] = [...colors].sort((a, b) => b[1] - a[1])[0];
  assert.equal(most, cssColor('surface', false));
  for (const name of ['c-weights', 'c-margin', 'accent']) assert.ok(colors.get(cssColor(name, false)) > 300, name);
});

test('the dark theme, by option and by the link', () => {
  for (const args of [['--theme', 'dark'], ['theme=dark'], ['model=llama-3.1-8b&theme=dark']]) {
    const { colors } = picture(...args);
    assert.ok(colors.get(cssColor('surface', true)) > 100000, args.join(' '));
    assert.ok(colors.get(cssColor('c-weights', true)) > 1000, args.join(' '));
  }
});

test('a share string changes what is drawn; the same one draws the same', () => {
  const one = picture('method=worksheet&context=32k&sequences=8');
  const again = picture('method=worksheet&context=32k&sequences=8');
  const other = picture('method=worksheet&context=32k&sequences=9');
  assert.ok(one.pixels.equals(again.pixels));
  assert.ok(!one.pixels.equals(other.pixels));
  assert.ok(one.colors.get(cssColor('c-kv_cache', false)) > 1000);
});

test('each language draws other words; an unknown model is refused in red', () => {
  const pictures = ['en', 'es', 'pt-BR'].map((lang) => picture('--lang', lang).pixels);
  assert.ok(!pictures[0].equals(pictures[1]) && !pictures[1].equals(pictures[2]) && !pictures[0].equals(pictures[2]));
  const { colors } = picture('model=no-such-model');
  assert.ok(colors.get(cssColor('bad', false)) > 100);
  assert.ok(!colors.has(cssColor('c-weights', false)));
});

test('small and large windows', () => {
  for (const size of ['320x480', '500x900', '1600x1200']) {
    const { width, height, colors } = picture('--size', size);
    assert.equal(`${width}x${height}`, size);
    assert.ok(colors.get(cssColor('c-weights', false)) > 300, size);
  }
});

test('says what is wrong with its options', () => {
  for (const [args, words] of [[['--size', '10x10'], /--size takes/], [['--size', 'large'], /--size takes/], [['--nope', '1'], /Unknown option: --nope/], [['--lang'], /--lang needs a value/], [['--theme', 'purple'], /Unknown option: --theme purple/], [['--lang', 'tlh'], /No such language: tlh/], [['--lang', 'es', '--nope'], /Opción desconocida: --nope/]]) {
    const { status, stderr } = run(...args);
    assert.equal(status, 64, args.join(' '));
    assert.match(stderr, words);
    assert.match(stderr, /(Usage|Uso): vramfit-desktop/);
  }
  const { status, stderr } = run('--screenshot', join(folder, 'no', 'such', 'folder.ppm'));
  assert.equal(status, 1);
  assert.match(stderr, /Cannot write .*folder\.ppm/);
});

test('copies the canonical share string to the clipboard', async () => {
  const window = spawn(program, ['context=32k&model=llama-3.1-8b'], { env: environment(), stdio: 'ignore' });
  try {
    const tool = (command, ...args) => spawnSync(command, args, { env: environment(), encoding: 'utf8', timeout: patience });
    const id = tool('xdotool', 'search', '--sync', '--onlyvisible', '--name', '^vramfit$').stdout.trim().split('\n').at(-1);
    assert.ok(id, 'no window');
    tool('xdotool', 'windowfocus', '--sync', id);
    let copied = '';
    for (let tries = 0; tries < 40 && !copied; tries += 1) {
      tool('xdotool', 'key', 'ctrl+c');
      copied = tool('timeout', '2', 'xclip', '-o', '-selection', 'clipboard').stdout;
    }
    assert.equal(copied, 'model=llama-3.1-8b&context=32768');
    assert.equal(window.exitCode, null);
  } finally {
    window.kill();
  }
});

test('an idle window sleeps', async () => {
  const window = spawn(program, [], { env: environment(), stdio: 'ignore' });
  try {
    spawnSync('xdotool', ['search', '--sync', '--onlyvisible', '--name', '^vramfit$'], { env: environment(), timeout: patience });
    // Processor time in clock ticks, user and system.
    const ticks = () => readFileSync(`/proc/${window.pid}/stat`, 'utf8').split(') ')[1].split(' ').slice(11, 13).reduce((sum, n) => sum + Number(n), 0);
    let before = ticks();
    let used = Infinity;
    // Once it has settled, a second of it costs next to nothing (a hundred ticks would be all of a processor).
    for (let second = 0; second < 20 && used > 2; second += 1) {
      await new Promise((done) => { setTimeout(done, 1000); });
      used = ticks() - before;
      before = ticks();
    }
    assert.ok(used <= 2, `${used} ticks in a second`);
  } finally {
    window.kill();
  }
});
