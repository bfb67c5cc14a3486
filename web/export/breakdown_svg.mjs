// What fills the memory, as a picture that stands by itself: title, bars to scale with the capacity, the figures, link and date. Pure
// arithmetic on the answer's data. Attributes only, so that no policy of a page around it can take its looks away.
import { ownUnit } from '../text/format.mjs';
import { palette } from './palette.mjs';
import { widthOf, wrapText } from './text_width.mjs';
import { element, xml } from './xml.mjs';

const width = 1200;
const margin = 40;
const inner = width - 2 * margin;
const gap = 36;  // between columns
const rowHeight = 30;
const linkLines = 6;
const fonts = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif";

// Figures and names must not break over lines.
const unbroken = (parts) => parts.map((part) => (typeof part === 'string' ? part : String(part).replaceAll(' ', '\u00a0'))).join('');
const unbrokenSizes = (text) => text.replace(/(\d) (?=[kKMG]?i?B\b)/g, '$1\u00a0');

function textAt(x, y, size, text, { fill = palette.ink, bold = false, anchor = null } = {}) {
  return element('text', { x, y, 'font-size': size, 'font-weight': bold ? 600 : null, fill, 'text-anchor': anchor }, xml(text));
}

const rect = (x, y, w, height, attributes) => element('rect', { x: round(x), y, width: round(w), height, ...attributes });
const round = (value) => Math.round(value * 100) / 100;

// A stack of blocks, each made for the height at which it starts.
function stack(top) {
  const pieces = [];
  let y = top;
  return {
    pieces,
    skip: (height) => { y += height; },
    get y() { return y; },
    // Lines of one size; the baseline is where letters stand.
    paragraph(text, size, options = {}, leading = 1.4, most = Infinity) {
      const lines = wrapText(unbrokenSizes(text), inner, size, options.bold);
      const shown = lines.length > most ? [...lines.slice(0, most - 1), `${lines[most - 1].slice(0, -2)}…`] : lines;
      for (const line of shown) {
        y += Math.round(size * leading);
        pieces.push(textAt(margin, y - Math.round(size * (leading - 1)), size, line, options));
      }
    },
    add(height, make) {
      pieces.push(...make(y).filter(Boolean));
      y += height;
    },
  };
}

// One bar per GPU where they do not hold the same, else one for all: [{label, pieces: [{id, bytes}], sum}].
function barsOf(result, view, { t }) {
  const { compartments } = result.methods[result.method];
  const { count } = view.compartments;
  const differ = compartments.some((c) => c.rank_bytes);
  return Array.from({ length: differ ? count : 1 }, (_, i) => {
    const pieces = compartments.map((c) => ({ id: c.id, bytes: c.rank_bytes?.[i] ?? c.per_gpu_bytes.likely }));
    return { label: differ ? t('export.gpu', { number: i + 1 }) : '', pieces, sum: pieces.reduce((sum, piece) => sum + piece.bytes, 0) };
  });
}

function drawBars(sheet, bars, { capacity, free }, text, own) {
  const { t, format } = text;
  const many = bars.length > 1;
  const scale = Math.max(capacity, ...bars.map((bar) => bar.sum)) || 1;
  const size = 15;
  const needs = bars.map((bar) => String(format.bytes(bar.sum, own)));
  const left = margin + (many ? Math.max(...bars.map((bar) => widthOf(bar.label, size))) + 12 : 0);
  const right = width - margin - (many ? Math.max(...needs.map((need) => widthOf(need, size))) + 12 : 0);
  const height = many ? 28 : 52;
  const across = (bytes) => ((right - left) * bytes) / scale;
  bars.forEach((bar, i) => {
    sheet.add(height + (many ? 8 : 0), (y) => {
      let at = left;
      const pieces = bar.pieces.filter((piece) => piece.bytes > 0).map((piece) => {
        const drawn = rect(at, y, across(piece.bytes), height, { fill: palette[`c-${piece.id}`] ?? palette.edge, stroke: palette.surface });
        at += across(piece.bytes);
        return drawn;
      });
      const middle = y + height / 2 + size * 0.36;
      const unused = free && !many ? `${t('page.free')} ${free.figure}` : '';
      const room = left + across(capacity) - at;
      return [
        many && textAt(margin, middle, size, bar.label, { fill: palette.quiet }),
        capacity > 0 && rect(left, y, across(capacity), height, { fill: palette.raised, stroke: palette.edge }),
        ...pieces,
        // Where it has the room; the table below has it in any case.
        unused && widthOf(unused, size) + 24 < room && textAt(round(at + room / 2), middle, size, unused, { fill: palette.quiet, anchor: 'middle' }),
        capacity > 0 && bar.sum > capacity && rect(left + across(capacity) - 2, y - 4, 4, height + 8, { fill: palette.bad, stroke: palette.surface }),
        many && textAt(width - margin, middle, size, needs[i], { anchor: 'end' }),
      ];
    });
  });
  if (!capacity) return;
  const label = `${t('export.capacity')} ${format.bytes(capacity, own)}`;
  const at = left + across(capacity);
  sheet.add(26, (y) => [
    textAt(round(Math.max(at, left + widthOf(label, 13))), y + 18, 13, label, { anchor: 'end', fill: bars.some((bar) => bar.sum > capacity) ? palette.bad : palette.quiet }),
  ]);
}

// Rows of cells, the first left, the others to the right of their columns. A row: {cells, swatch, bold, quiet}.
function drawTable(sheet, head, rows) {
  const size = 16;
  const indent = 24;  // the swatch
  const all = [{ cells: head, quiet: true }, ...rows];
  const widest = head.map((_, i) => Math.max(...all.map(({ cells, bold }) => (cells[i] ? widthOf(cells[i], size, bold) : 0))));
  const needed = indent + widest.reduce((sum, w) => sum + w, 0) + gap * (head.length - 1);
  // A few columns stay together, many take the whole width.
  const spare = Math.max(0, needed + 320 > 0.8 * inner ? inner - needed : 320) / (head.length - 1);
  const edges = widest.map((_, i) => margin + indent + widest.slice(0, i + 1).reduce((sum, w) => sum + w, 0) + (gap + spare) * i);
  const end = round(edges.at(-1));
  const line = (y, stroke) => element('line', { x1: margin, x2: end, y1: y, y2: y, stroke });
  all.forEach(({ cells, swatch, bold, quiet }, at) => {
    sheet.add(rowHeight, (y) => [
      swatch && rect(margin, y + 9, 14, 14, { fill: swatch }),
      ...cells.map((text, i) => text && textAt(i === 0 ? margin + (swatch ? indent : 0) : round(edges[i]), y + 21, size, text, { bold, fill: quiet ? palette.quiet : palette.ink, anchor: i === 0 ? null : 'end' })),
      line(y + rowHeight - 0.5, at === 0 ? palette.edge : palette.rule),
    ]);
  });
}

// Rows of uses, then what is needed, free and there.
function tableOf(view, { t, format }, own) {
  const { rows, need, needAll, count, free, capacity } = view.compartments;
  const ranged = rows.some((row) => row.range);
  const columns = (name, perGpu, range, all, share) => [name, perGpu, ...(ranged ? [range] : []), ...(count > 1 ? [all] : []), share].map((value) => (value ? String(value) : ''));
  return {
    head: columns(t('page.compartment'), t('page.per_gpu'), t('export.range'), t('page.all_gpus', { count }), t('page.share')),
    rows: [
      ...rows.map((row) => ({ cells: columns(row.label, row.perGpu, row.range, row.all, row.share), swatch: palette[`c-${row.id}`] ?? palette.edge })),
      { cells: columns(t('page.total'), need, '', needAll, ''), bold: true },
      ...(free ? [{ cells: columns(t('export.unused'), free.figure, '', '', ''), quiet: true }] : []),
      ...(capacity ? [{ cells: columns(t('export.capacity'), format.bytes(capacity, own), '', '', ''), quiet: true }] : []),
    ],
  };
}

// `view` is explain()'s for `result`, which is no refused one; `text` has the part `export` in it.
export function breakdownSvg({ result, view, text, link }) {
  const { t } = text;
  const own = ownUnit(result.method);
  const c = view.compartments;
  const sheet = stack(margin - 8);
  sheet.paragraph(unbroken(view.sentenceParts), 30, { bold: true }, 1.25);
  sheet.skip(10);
  sheet.paragraph(c.title, 18, { fill: palette.quiet });
  if (view.incomplete) {
    sheet.skip(6);
    sheet.paragraph(view.incomplete, 15, { fill: palette.warn });
  }
  sheet.skip(16);
  drawBars(sheet, barsOf(result, view, text), c, text, own);
  sheet.skip(12);
  const { head, rows } = tableOf(view, text, own);
  drawTable(sheet, head, rows);
  sheet.skip(8);
  if (c.split) sheet.paragraph(c.split, 14, { fill: palette.quiet });
  sheet.skip(14);
  const dated = t('export.data', { version: result.version, date: view.catalogDate });
  sheet.paragraph(dated, 13, { fill: palette.quiet });
  if (link) sheet.paragraph(link, 13, { fill: palette.accent }, 1.4, linkLines);
  const height = Math.round(sheet.y + margin - 8);
  const described = [c.title, ...rows.map(({ cells }) => cells.filter(Boolean).join(' ')), view.incomplete, c.split, dated, link].filter(Boolean).join('\n');
  return element('svg', {
    xmlns: 'http://www.w3.org/2000/svg', width, height, viewBox: `0 0 ${width} ${height}`, 'font-family': fonts, role: 'img', 'aria-labelledby': 'vramfit-title', 'aria-describedby': 'vramfit-desc', lang: text.lang,
  }, [
    element('title', { id: 'vramfit-title' }, xml(view.sentence)),
    element('desc', { id: 'vramfit-desc' }, xml(described)),
    element('rect', { width, height, fill: palette.surface }),
    ...sheet.pieces,
  ].join('\n')) + '\n';
}
