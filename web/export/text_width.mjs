// How wide text may get in a font that nobody knows yet: a picture is made once and shown with the fonts of whoever looks at it. The
// widths are those of the widest common system fonts (DejaVu Sans, Verdana), so that elsewhere only more room is left.
const classes = [
  [/[mwMW@%—…≈×+=<>~^→]/, 1],
  [/[A-Z&#]/, 0.79],
  [/[0-9$*?_/\\-]/, 0.66],
  [/[ijl.,:;'|!\u00a0\u202f ]/, 0.37],
  [/[()[\]frtsI"·]/, 0.53],
  [/[a-z\p{M}]/u, 0.65],
];
const boldness = 1.13;

const em = (char) => classes.find(([pattern]) => pattern.test(char))?.[1] ?? 1.1;

// At most so many pixels at `size`. Letters with marks are as wide as those without.
export function widthOf(text, size, bold = false) {
  let sum = 0;
  for (const char of String(text).normalize('NFD')) if (!/\p{M}/u.test(char)) sum += em(char);
  return sum * size * (bold ? boldness : 1);
}

// The longest beginning of `text` that is no wider than `width`, at least one character.
function cut(text, width, size, bold) {
  const characters = [...text];
  let end = 1;
  while (end < characters.length && widthOf(characters.slice(0, end + 1).join(''), size, bold) <= width) end += 1;
  return characters.slice(0, end).join('');
}

// `text` in lines no wider than `width`; a word that is wider by itself is cut.
export function wrapText(text, width, size, bold = false) {
  const lines = [];
  let line = '';
  for (let word of String(text).split(/[ \t\r\n]+/).filter(Boolean)) {
    const longer = line ? `${line} ${word}` : word;
    if (widthOf(longer, size, bold) <= width) {
      line = longer;
      continue;
    }
    if (line) lines.push(line);
    while (widthOf(word, size, bold) > width) {
      const piece = cut(word, width, size, bold);
      lines.push(piece);
      word = word.slice(piece.length);
    }
    line = word;
  }
  return line ? [...lines, line] : lines;
}
