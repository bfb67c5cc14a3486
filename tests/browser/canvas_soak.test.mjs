// Thousands of random edits on canvas and form: they stay in step, nothing is complained of, and memory stays flat.
//
// Some seconds as a rule; VRAMFIT_SOAK_MINUTES=10 for the whole of it, which prints what it measured. VRAMFIT_SOAK_SEED repeats a walk.
import assert from 'node:assert/strict';

import { randomSource } from '../web/support.mjs';
import { openCanvas, share, spoken, still, widgets } from './canvas_support.mjs';
import { address, becomes, drawn, field, pageTest, plain, sentence } from './support.mjs';

const minutes = Number(process.env.VRAMFIT_SOAK_MINUTES || 0.05);
const seed = Number(process.env.VRAMFIT_SOAK_SEED || 1);

// The memory of each module made from here on.
const keepMemories = () => {
  window.wasmMemories = [];
  const { instantiate } = WebAssembly;
  WebAssembly.instantiate = async (...args) => {
    const made = await instantiate.apply(WebAssembly, args);
    const memory = Object.values((made.instance ?? made).exports).find((thing) => thing instanceof WebAssembly.Memory);
    if (memory) window.wasmMemories.push(memory);
    return made;
  };
};

async function measure(page, client) {
  for (let i = 0; i < 2; i += 1) await client.send('HeapProfiler.collectGarbage');
  return {
    wasm: await page.evaluate(() => window.wasmMemories.map((memory) => memory.buffer.byteLength)),
    heap: (await client.send('Runtime.getHeapUsage')).usedSize,
    nodes: (await client.send('Memory.getDOMCounters')).nodes,
    listeners: (await client.send('Memory.getDOMCounters')).jsEventListeners,
  };
}

pageTest('random edits through canvas and form', { timeout: minutes * 60000 + 180000, viewport: { width: 1100, height: 800 } }, async ({ page, context }) => {
  await context.addInitScript(keepMemories);
  const client = await context.newCDPSession(page);
  const random = randomSource(seed);
  await openCanvas(page, 'gpus=all&method=worksheet');
  const inside = (w) => w.y > 0 && w.y + w.height < 800;
  const go = (query) => page.evaluate((text) => {
    window.history.replaceState(null, '', text ? `?${text}` : window.location.pathname);
    window.dispatchEvent(new PopStateEvent('popstate'));
  }, query);

  const steps = {
    async click() {
      const seen = (await widgets(page)).filter(inside);
      if (seen.length === 0) return;
      const { x, y, width, height } = random.pick(seen);
      await page.mouse.click(x + width / 2, y + height / 2);
    },
    async drag() {
      const curve = random.pick((await widgets(page)).filter((w) => w.id.startsWith('curve/') && inside(w)));
      if (!curve) return;
      const at = () => [curve.x + curve.width * random.next(), curve.y + curve.height * random.next()];
      await page.mouse.move(...at());
      await page.mouse.down();
      for (let i = 0; i < 3; i += 1) await page.mouse.move(...at(), { steps: 4 });
      await page.mouse.up();
    },
    async keys() {
      await page.locator('vramfit-canvas').evaluate((canvas) => canvas.shadowRoot.querySelector('canvas').focus({ preventScroll: true }));
      for (let i = 0; i < 6; i += 1) await page.keyboard.press(random.pick(['ArrowDown', 'ArrowUp', 'ArrowLeft', 'ArrowRight', 'Enter', 'Escape', 'Space']));
    },
    async choose() {
      const key = random.pick(['weights', 'gpus', 'kv']);
      const select = field(page, key);
      if (!(await select.count())) return;
      const ids = await select.evaluate((node) => [...node.options].map((o) => o.value).filter(Boolean));
      await select.evaluate((node, id) => { node.value = id; node.dispatchEvent(new Event('change', { bubbles: true })); }, random.pick(ids));
    },
    async type() {
      const key = random.pick(['context', 'sequences']);
      const input = field(page, key);
      if (!(await input.isVisible())) return;
      await input.evaluate((node, text) => { node.value = text; for (const type of ['input', 'change']) node.dispatchEvent(new Event(type, { bubbles: true })); }, random.pick(['1', '4k', '32k', '7', '128k', '300']));
    },
    async open() { await go(random.pick(['', 'model=qwen3-30b-a3b&method=worksheet', 'model=nope', 'task=full&method=worksheet', 'model=deepseek-v3&count=8&method=worksheet', 'gpus=all&weights=bf16'])); },
    async look() { await go([await share(page), random.pick(['lang=es', 'lang=pt-BR', 'lang=en', 'theme=dark', 'theme=light', 'units=GiB', ''])].filter(Boolean).join('&')); },
    async back() { await page.evaluate(() => window.navigation.canGoBack && window.history.back()); },
    async size() { await page.locator('vramfit-canvas').evaluate((canvas, width) => { canvas.style.width = `${width}px`; }, 400 + random.below(600)); },
  };
  const weights = { click: 8, drag: 3, keys: 3, choose: 3, type: 3, open: 1, look: 1, back: 2, size: 1 };
  const bag = Object.entries(weights).flatMap(([name, times]) => Array(times).fill(name));

  const walk = [];
  async function round(count) {
    for (let i = 0; i < count; i += 1) {
      const name = random.pick(bag);
      walk.push(name);
      await steps[name]();
    }
    await page.keyboard.press('Escape');
    await page.evaluate(() => document.getElementById('canvas').scrollIntoView());
    await still(page);
    await drawn(page);
    const own = async () => (await address(page)).replace(/[?&](lang|theme|units)=[^&#]*/g, '').replace(/^[?&]/, '').replace(/#.*/, '');
    const lately = walk.slice(-count).join(' ');
    await becomes(() => share(page), await own(), `canvas and address, after ${lately}`);
    await becomes(async () => plain((await spoken(page)).split('\n')[0]), await sentence(page), `canvas and page, after ${lately}`);
  }

  const end = Date.now() + minutes * 60000;
  await go('gpus=all&method=worksheet');
  for (let i = 0; i < (minutes > 1 ? 20 : 1); i += 1) await round(15);
  await go('gpus=all&method=worksheet&lang=en');
  await still(page);
  const log = [{ steps: walk.length, ...(await measure(page, client)) }];
  let nextLook = Date.now() + 60000;
  while (Date.now() < end || log.length < 2) {
    await round(15);
    if (Date.now() < Math.min(nextLook, end)) continue;
    nextLook += 60000;
    await go('gpus=all&method=worksheet&lang=en');  // so that like is compared with like
    await still(page);
    log.push({ steps: walk.length, ...(await measure(page, client)) });
  }
  if (minutes > 1) for (const line of log) console.log(JSON.stringify(line));
  const [first, last] = [log[0], log.at(-1)];
  const said = JSON.stringify(log);
  assert.ok(last.heap - first.heap < 3e6, said);
  assert.ok(last.nodes - first.nodes < 1500, said);
  assert.ok(last.listeners - first.listeners < 30, said);
  for (const [i, bytes] of last.wasm.entries()) assert.ok(bytes - first.wasm[i] <= 4 << 20, said);
});
