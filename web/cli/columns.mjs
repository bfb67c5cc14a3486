// Aligned columns for a terminal. Texts to the left, figures to the right, nothing wider than `limit`.
const width = (text) => [...text].length;

export function columns(rows, { right = [], indent = 2, gap = 2, limit = 100 } = {}) {
  const cells = rows.map((row) => row.map((cell) => String(cell ?? '')));
  const widths = cells[0].map((_, i) => Math.max(...cells.map((row) => width(row[i] ?? ''))));
  const room = limit - indent - gap * (widths.length - 1) - widths.slice(0, -1).reduce((sum, w) => sum + w, 0);
  const last = widths.length - 1;
  widths[last] = Math.min(widths[last], Math.max(room, 12));
  const lines = [];
  for (const row of cells) {
    const wrapped = wrap(row[last] ?? '', widths[last]);
    wrapped.forEach((piece, n) => {
      const line = row.map((cell, i) => {
        const text = i === last ? piece : n === 0 ? cell : '';
        const pad = ' '.repeat(Math.max(0, widths[i] - width(text)));
        return right.includes(i) ? pad + text : text + pad;
      });
      lines.push((' '.repeat(indent) + line.join(' '.repeat(gap))).trimEnd());
    });
  }
  return lines;
}

// `first` starts the first line, `rest` the others.
export function wrap(text, limit, first = '', rest = first) {
  const lines = [];
  let line = null;
  for (const word of text.split(' ')) {
    if (line !== null && width(line) + 1 + width(word) > limit) {
      lines.push(line);
      line = rest + word;
    } else {
      line = line === null ? first + word : `${line} ${word}`;
    }
  }
  lines.push(line);
  return lines;
}
