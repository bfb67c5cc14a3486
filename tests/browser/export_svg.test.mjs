// The exported drawing with the fonts of a real browser: no text leaves the sheet, and none lies on another.
import assert from 'node:assert/strict';

import { breakdownSvg } from '../../web/export/breakdown_svg.mjs';
import { linkTo } from '../../web/export/link.mjs';
import { createText, explain } from '../../web/text/explain.mjs';
import { golden, randomShare, randomSource, shippedCalculator } from '../web/support.mjs';
import { locales, pageTest } from './support.mjs';

const vramfit = await shippedCalculator();
const catalog = vramfit.catalog();
const random = randomSource(4);
const shares = [
  ...golden.flatMap((row) => row.share),
  'method=worksheet&weights=q4_k_m&gpus=consumer&count=3',
  'method=worksheet&model=llama-3.1-405b&weights=q4_k_m&gpu=rtx-4090&count=8',
  'task=full&method=worksheet&gpus=all&count=8',
  `zz=${'W'.repeat(2500)}`,
  ...Array.from({ length: 60 }, () => randomShare(catalog, random)),
];

// Pairs that touch, and texts outside, of one drawing; `share` of a unit's pixels is left out of each box, which glyphs do not fill.
const faults = (page, svg) => page.evaluate((source) => {
  document.body.innerHTML = source;
  const drawing = document.querySelector('svg');
  const [, , width, height] = drawing.getAttribute('viewBox').split(' ').map(Number);
  const boxes = [...drawing.querySelectorAll('text')].map((node) => ({ text: node.textContent, ...Object.fromEntries(['x', 'y', 'width', 'height'].map((key) => [key, node.getBBox()[key]])) }));
  const found = boxes.filter((b) => b.x < 40 - 1 || b.x + b.width > width - 40 + 1 || b.y < 0 || b.y + b.height > height).map((b) => `outside: ${b.text}`);
  const inset = 3;
  for (const [i, a] of boxes.entries()) {
    for (const b of boxes.slice(i + 1)) {
      if (a.x < b.x + b.width && b.x < a.x + a.width && a.y + inset < b.y + b.height - inset && b.y + inset < a.y + a.height - inset) found.push(`on each other: ${a.text} | ${b.text}`);
    }
    // Nor on a coloured piece of a bar.
    for (const rect of drawing.querySelectorAll('rect[stroke]')) {
      const r = rect.getBBox();
      if (rect.getAttribute('fill') !== '#f1f1ed' && a.x < r.x + r.width && r.x < a.x + a.width && a.y + inset < r.y + r.height && r.y < a.y + a.height - inset) found.push(`on a bar: ${a.text}`);
    }
  }
  return found;
}, svg);

for (const [lang, locale] of Object.entries(locales)) {
  pageTest(`${lang}: texts of the drawing keep their places`, async ({ page }) => {
    const text = createText(locale, lang, { strict: true });
    let drawn = 0;
    for (const share of shares) {
      const result = vramfit.estimate(share);
      if (result.refused) continue;
      const svg = breakdownSvg({ result, view: explain(result, catalog, text), text, link: linkTo('https://example.org/vramfit/', result) });
      assert.deepEqual(await faults(page, svg), [], share);
      drawn += 1;
    }
    assert.ok(drawn > 70, String(drawn));
  });
}
