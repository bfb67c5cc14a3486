// What the tests of the canvas share: opening it, its widgets by name, its pixels, and fingers.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';

import { contentSecurityPolicy } from '../../web/page/policy.mjs';
import { becomes, open, pages, root } from './support.mjs';

const element = 'vramfit-canvas';

// Opens the page and goes to its canvas.
export async function openCanvas(page, share, lang) {
  await open(page, share, lang);
  await page.evaluate(() => document.getElementById('canvas').scrollIntoView());
  await becomesReady(page);
}

// Opens the canvas's own page.
export async function openAlone(page, origin, share = '', lang = 'en') {
  await page.goto(`${origin}/${pages[lang]}canvas.html${share && `?${share}`}`);
  await page.waitForSelector('html[data-ready]', { state: 'attached' });
  await becomesReady(page);
}

// Opens tests/browser/fixtures/host.html, a page of somebody else's with canvases in it, under the strictest policy.
export async function openHost(page, origin, query = '') {
  for (const [file, contentType] of [['host.html', 'text/html'], ['host.css', 'text/css'], ['host.mjs', 'text/javascript']]) {
    const body = readFileSync(join(root, 'tests', 'browser', 'fixtures', file));
    await page.route((url) => url.pathname === `/${file}`, (route) => route.fulfill({ body, contentType: `${contentType}; charset=utf-8`, headers: { 'Content-Security-Policy': contentSecurityPolicy } }));
  }
  await page.goto(`${origin}/host.html${query}`);
}

export const state = (page, at = element) => page.locator(at).evaluate((canvas) => canvas.state);

export async function becomesReady(page, at = element) {
  await page.waitForSelector(`${at}[data-state="ready"]`, { state: 'attached' });
  await still(page, at);
}

// Waits until the canvas has come to rest: two frames of the browser without one of its own.
export const still = (page, at = element) => page.locator(at).evaluate(async (canvas) => {
  const frame = () => new Promise((done) => { requestAnimationFrame(() => done()); });
  for (let before = -1; before !== canvas.framesDrawn;) {
    before = canvas.framesDrawn;
    await frame();
    await frame();
  }
});

export const framesDrawn = (page, at = element) => page.locator(at).evaluate((canvas) => canvas.framesDrawn);
export const share = (page, at = element) => page.locator(at).evaluate((canvas) => canvas.share);
export const spoken = (page, at = element) => page.locator(at).evaluate((canvas) => canvas.spoken());
export const spokenInDom = (page, at = element) => page.locator(at).evaluate((canvas) => [...canvas.shadowRoot.querySelectorAll('.spoken')].map((node) => node.textContent));
export const widgets = (page, at = element) => page.locator(at).evaluate((canvas) => canvas.widgets());

export async function widget(page, id, at = element) {
  const all = await widgets(page, at);
  const found = all.find((w) => w.id === id);
  assert.ok(found, `no widget ${id}, but ${all.map((w) => w.id).join(' ')}`);
  return { ...found, cx: found.x + found.width / 2, cy: found.y + found.height / 2 };
}

// The widget's middle, brought into sight.
export async function reach(page, id, at = element) {
  let w = await widget(page, id, at);
  const { height } = page.viewportSize();
  if (w.cy < 4 || w.cy > height - 4) {
    await page.evaluate((by) => window.scrollBy(0, by), w.cy - height / 2);
    w = await widget(page, id, at);
  }
  return w;
}

export async function clickWidget(page, id, at = element) {
  const { cx, cy } = await reach(page, id, at);
  await page.mouse.click(cx, cy);
  await still(page, at);
}

// --- fingers --------------------------------------------------------------------------------------------------------------

// Real touches, which scroll and tap as the browser decides: [[x, y], ...] is the way of one finger. `end` may be 'touchCancel'.
export async function swipe(page, way, { steps = 8, end = 'touchEnd' } = {}) {
  const session = await page.context().newCDPSession(page);
  const send = (type, touchPoints) => session.send('Input.dispatchTouchEvent', { type, touchPoints });
  let [x, y] = way[0];
  await send('touchStart', [{ x, y }]);
  for (const [toX, toY] of way.slice(1)) {
    for (let i = 1; i <= steps; i += 1) await send('touchMove', [{ x: x + ((toX - x) * i) / steps, y: y + ((toY - y) * i) / steps }]);
    [x, y] = [toX, toY];
  }
  await send(end, []);
  await session.detach();
}

export const tap = (page, x, y) => swipe(page, [[x, y]]);

// --- pixels ---------------------------------------------------------------------------------------------------------------

// A PNG of eight bits a channel, as browsers make it: {width, height, at(x, y): '#rrggbb', colours: Map of how often each stands there}.
function decodePng(bytes) {
  const width = bytes.readUInt32BE(16);
  const height = bytes.readUInt32BE(20);
  const channels = { 2: 3, 6: 4 }[bytes[25]];
  const chunks = [];
  for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT') chunks.push(bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at)));
  }
  const raw = inflateSync(Buffer.concat(chunks));
  const line = width * channels;
  const out = Buffer.alloc(line * height);
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (line + 1)];
    for (let i = 0; i < line; i += 1) {
      const left = i >= channels ? out[y * line + i - channels] : 0;
      const up = y > 0 ? out[(y - 1) * line + i] : 0;
      const corner = y > 0 && i >= channels ? out[(y - 1) * line + i - channels] : 0;
      const guess = left + up - corner;
      const [a, b, c] = [left, up, corner].map((v) => Math.abs(guess - v));
      const paeth = a <= b && a <= c ? left : b <= c ? up : corner;
      out[y * line + i] = raw[y * (line + 1) + 1 + i] + [0, left, up, (left + up) >> 1, paeth][filter];
    }
  }
  const hex = (rgb) => `#${rgb.toString(16).padStart(6, '0')}`;
  const counts = new Map();
  for (let i = 0; i < out.length; i += channels) {
    const rgb = (out[i] << 16) | (out[i + 1] << 8) | out[i + 2];
    counts.set(rgb, (counts.get(rgb) ?? 0) + 1);
  }
  const colours = new Map([...counts].map(([rgb, count]) => [hex(rgb), count]));
  return { width, height, at: (x, y) => hex(out.readUIntBE(y * line + x * channels, 3)), bytes: out, colours };
}

async function windowPicture(page) {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'png' });
  await session.detach();
  return Buffer.from(data, 'base64');
}

// The canvas, or all of the window, as the screen shows it, with how often each colour stands there.
export async function picture(page, at = element) {
  await still(page, at ?? element);
  return decodePng(await (at ? page.locator(at).screenshot({ animations: 'allow', caret: 'initial' }) : windowPicture(page)));
}

// A custom property of the page as #rrggbb.
export const cssColour = (page, name) => page.evaluate((property) => {
  const probe = document.body.appendChild(document.createElement('i'));
  probe.style.color = `var(${property})`;
  const context = new OffscreenCanvas(1, 1).getContext('2d');
  context.fillStyle = getComputedStyle(probe).color;
  context.fillRect(0, 0, 1, 1);
  probe.remove();
  return `#${[...context.getImageData(0, 0, 1, 1).data].slice(0, 3).map((v) => v.toString(16).padStart(2, '0')).join('')}`;
}, name);

export { becomes };
