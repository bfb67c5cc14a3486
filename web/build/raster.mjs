// SVG to PNG, with the typeface of the canvas. No browser and no compiled package: it works wherever Node does.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
// The package's files name each weight as a family.
export const faces = { regular: 'IBM Plex Sans', semibold: 'IBM Plex Sans SemiBold' };

// `characters`: all that will be drawn; the renderer reads TrueType, which the typeface's package does not hold.
export async function createRaster(characters) {
  const { initWasm, Resvg } = require('@resvg/resvg-wasm');
  const subsetFont = require('subset-font');
  await initWasm(readFileSync(require.resolve('@resvg/resvg-wasm/index_bg.wasm')));
  const fontBuffers = await Promise.all([400, 600].map((weight) =>
    subsetFont(readFileSync(require.resolve(`@fontsource/ibm-plex-sans/files/ibm-plex-sans-latin-${weight}-normal.woff2`)), characters, { targetFormat: 'sfnt' })));
  const font = { fontBuffers, defaultFontFamily: faces.regular, loadSystemFonts: false };
  return {
    png(svg, width) {
      const drawn = new Resvg(String(svg), { fitTo: { mode: 'width', value: width }, font }).render();
      const bytes = drawn.asPng();
      drawn.free();
      return bytes;
    },
    // Width of a text in the units of the drawing.
    textWidth(text, { size, face = faces.regular }) {
      const escaped = text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
      const box = new Resvg(`<svg xmlns="http://www.w3.org/2000/svg" width="4000" height="200"><text y="100" font-size="${size}" font-family="${face}">${escaped}</text></svg>`, { font }).getBBox();
      return box?.width ?? 0;
    },
  };
}
