// A text as a QR code: dark on light whatever the theme, with the quiet zone that readers ask for. Null where the text is too long for
// a code that a telephone still reads off a screen.
import { encode } from 'uqr';

import { html } from './html.mjs';

const quietZone = 4;
const largest = 25;  // version: 117 modules a side
const leastPixels = 3;  // per module
const usualPixels = 240;

function modulesOf(text) {
  for (const ecc of ['M', 'L']) {
    try {
      return encode(text, { ecc, border: quietZone, maxVersion: largest }).data;
    } catch {
      // Too long at this level of correction.
    }
  }
  return null;
}

// Each run of dark modules in a row as one rectangle.
const runs = (row, y) => row.reduce((path, dark, x) => (!dark ? path : row[x - 1] ? `${path}h1` : `${path}M${x} ${y + 0.5}h1`), '');

export function qrHtml(text, label) {
  const modules = modulesOf(text);
  if (!modules) return null;
  const size = modules.length;
  const pixels = size * Math.max(leastPixels, Math.floor(usualPixels / size));
  return html`<svg class="qr" role="img" aria-label="${label}" width="${pixels}" height="${pixels}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path d="${modules.map(runs)}" stroke="#000" fill="none"/></svg>`;
}
