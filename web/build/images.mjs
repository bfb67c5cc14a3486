// Pictures made at build time: icons of one drawing, and for each language what a link to the site looks like when it is shared.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { readLocales } from '../locale_files.mjs';
import { html } from '../page/html.mjs';
import { createText, explain } from '../text/explain.mjs';
import { languages } from '../text/messages.mjs';
import { imagePath, imageSize } from './meta_html.mjs';
import { palette } from './palette.mjs';
import { createRaster, faces } from './raster.mjs';

const page = join(dirname(fileURLToPath(import.meta.url)), '..', 'page');
const icon = readFileSync(join(page, 'icon.svg'), 'utf8');

// The light theme's.
const colours = () => Object.fromEntries([...palette()].map(([name, { light }]) => [name, light]));

// The drawing on a plate of its own, `share` of it wide: an icon on a desktop has no page behind it, and what masks it may cut off
// everything but the middle.
function plate(share, background) {
  const inner = { kind: 'markup', text: icon.replace(/^<svg[^>]*>|<\/svg>\s*$/g, '') };
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="${background}" d="M0 0h16v16H0z"/><g transform="translate(8 8) scale(${share}) translate(-8 -8)">${inner}</g></svg>`;
}

function writeIcons(assets, raster, { surface }) {
  const dir = join(assets, 'icons');
  mkdirSync(dir, { recursive: true });
  cpSync(join(page, 'icon.svg'), join(dir, 'icon.svg'));
  const write = (name, svg, width) => writeFileSync(join(dir, name), raster.png(svg, width));
  write('icon-32.png', icon, 32);
  write('icon-192.png', plate(0.85, surface), 192);
  write('icon-512.png', plate(0.85, surface), 512);
  write('icon-maskable-512.png', plate(0.6, surface), 512);
  write('apple-touch-icon.png', plate(0.8, surface), 180);
}

// The question that the preview answers: one whose bar shows every use.
export const previewShare = 'method=worksheet&context=32k&sequences=4&gpu=b200';
const left = 72;
const right = imageSize.width - left;

// Words with their style, [{text, colour}], set into lines that are no wider than the picture.
function lines(words, style, raster) {
  const set = [[]];
  for (const word of words) {
    const line = set.at(-1);
    const wide = raster.textWidth([...line, word].map((w) => w.text).join(' '), style) > right - left;
    if (wide && line.length > 0) set.push([word]);
    else line.push(word);
  }
  return set;
}

function preview(view, text, raster, colour) {
  const size = 58;
  const style = { size, face: faces.semibold };
  // A figure with its unit is one word.
  const words = view.sentenceParts.flatMap((part) => (part?.kind ? [{ text: String(part).replace(/\s/g, '\u00a0'), fill: part.kind === 'figure' && colour.accent }] : [{ glue: String(part) }]));
  const flowing = [];
  for (const word of words) {
    if (!word.glue) flowing.push({ ...word });
    else word.glue.split(/( )/).forEach((piece, i) => {
      if (piece === ' ' || piece === '') return;
      // Punctuation belongs to the word before it.
      if (i === 0 && flowing.length > 0 && /^[,;:.]/.test(piece)) flowing.at(-1).text += piece;
      else flowing.push({ text: piece });
    });
  }
  const set = lines(flowing, style, raster);
  const top = 216;
  const sentence = set.map((line, i) => html`<text x="${left}" y="${top + i * size * 1.2}" font-size="${size}" font-family="${faces.semibold}" fill="${colour.ink}">${line.map((word, k) => html`${k > 0 && ' '}<tspan fill="${word.fill || colour.ink}">${word.text}</tspan>`)}</text>`);

  const c = view.compartments;
  const scale = (right - left) / Math.max(c.sum, c.capacity);
  const barTop = 436;
  let x = left;
  const bar = c.rows.map((row) => {
    const at = x;
    x += row.bytes * scale;
    return html`<rect x="${at}" y="${barTop}" width="${Math.max(0, row.bytes * scale - 1.5)}" height="64" fill="${colour[`c-${row.id}`]}"/>`;
  });
  // Names as large as one line allows.
  const labels = c.rows.map((row) => `${row.label} ${row.perGpu}`);
  const swatch = 28;
  const widths = labels.map((label) => raster.textWidth(label, { size: 24 }));
  const between = 26;
  const share = Math.min(1, (right - left - 8 - swatch * labels.length - between * (labels.length - 1)) / widths.reduce((sum, w) => sum + w, 0));
  let at = left;
  const legend = c.rows.map((row, i) => {
    const x0 = at;
    at += swatch + widths[i] * share + between;
    return html`<rect x="${x0}" y="547" width="18" height="18" fill="${colour[`c-${row.id}`]}"/><text x="${x0 + swatch}" y="564" font-size="${24 * share}" fill="${colour.ink}">${labels[i]}</text>`;
  });
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${imageSize.width} ${imageSize.height}" font-family="${faces.regular}">
    <rect width="100%" height="100%" fill="${colour.surface}"/>
    <text x="${left}" y="104" font-size="40" font-family="${faces.semibold}" fill="${colour.ink}">${text.t('page.name')}</text>
    <text x="${right}" y="104" font-size="28" text-anchor="end" fill="${colour.quiet}">${text.t('page.tagline')}</text>
    <rect x="${left}" y="130" width="${right - left}" height="1.5" fill="${colour.rule}"/>
    ${sentence}
    <text x="${left}" y="${barTop - 18}" font-size="24" fill="${colour.quiet}">${c.title}</text>
    <rect x="${left}" y="${barTop}" width="${right - left}" height="64" fill="${colour.raised}" stroke="${colour.edge}" stroke-width="1.5"/>${bar}
    ${legend}</svg>`;
}

export async function writeImages(out, vramfit) {
  const assets = join(out, 'assets');
  mkdirSync(join(assets, 'preview'), { recursive: true });
  const result = vramfit.estimate(previewShare);
  const told = languages.map(({ lang }) => {
    const text = createText(readLocales(lang), lang, { strict: true });
    return { lang, text, view: explain(result, vramfit.catalog(), text) };
  });
  const ascii = String.fromCodePoint(...Array.from({ length: 95 }, (_, i) => 32 + i));
  const characters = [...new Set(ascii + told.map(({ text, view }) => view.sentence + view.compartments.title + text.t('page.tagline') + view.compartments.rows.map((row) => row.label + row.perGpu).join('')).join(''))].join('');
  const raster = await createRaster(`${characters}\u00a0`);
  const colour = colours();
  writeIcons(assets, raster, colour);
  for (const { lang, text, view } of told) writeFileSync(join(out, imagePath(lang)), raster.png(preview(view, text, raster, colour), imageSize.width));
}
