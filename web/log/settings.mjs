// Settings as Python prints them: `name=value`, `'name': value`, and as they are typed on a command line: `--name value`.
const pair = /(?:\b([a-z][a-z_]{1,40})=|'([a-z][a-z_]{1,40})': ?)('[^']{0,400}'|"[^"]{0,400}"|[\w.+/-]{1,200})/g;
const flag = /\s--?([a-z][a-z_-]{1,40})(?:[= ]('[^']{0,400}'|"[^"]{0,400}"|[^\s'"-][^\s'"]{0,300}))?/g;

function valueOf(text) {
  if (/^['"]/.test(text)) return text.slice(1, -1);
  if (text === 'None' || text === 'null') return null;
  if (text === 'True' || text === 'true') return true;
  if (text === 'False' || text === 'false') return false;
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text.replace(/^torch\./, '');
}

// [[name, value]] of the names in `names`, { printed: ours }; of a name printed twice the first, which is the engine's own.
export function settingsIn(line, names) {
  const found = new Map();
  for (const [, bare, quoted, text] of line.matchAll(pair)) {
    const name = bare ?? quoted;
    const ours = Object.hasOwn(names, name) ? names[name] : null;
    if (ours && !found.has(ours)) found.set(ours, valueOf(text));
  }
  return [...found].filter(([, value]) => value !== null && value !== '');
}

// The same of a command line; `names` has flags without their dashes. A flag without a value is true.
export function flagsIn(line, names) {
  const found = new Map();
  for (const [, name, text] of line.matchAll(flag)) {
    const ours = Object.hasOwn(names, name.replaceAll('-', '_')) ? names[name.replaceAll('-', '_')] : null;
    if (ours) found.set(ours, text === undefined ? true : valueOf(text));
  }
  return [...found];
}
