// A log as lines without what terminals, containers and collectors put around them. Everything here and in the readers takes time in
// proportion to the text: patterns have bounded repeats and start at a literal, so that no line, however made, is gone over twice.

// Of a longer text only the end is read, where the last run stands.
export const longestText = 64 * 2 ** 20;
// Configurations are the longest lines that engines print, at some ten thousand characters.
const longestLine = 1 << 15;
// What a figure quotes.
const quoted = 240;

// Colours, titles, hyperlinks and cursor movements, and what else no terminal shows.
const escapes = /\x1b(?:\[[0-?]{0,40}[ -/]{0,8}[@-~]|\][^\x07\x1b]{0,400}(?:\x07|\x1b\\)|[ -/]{0,8}[0-Z\\^-~])/g;
const unseen = /[\x00-\x08\x0b-\x1f\x7f\ufeff]/g;

// Docker's json-file driver wraps each line in an object.
const wrapped = /^\{"log":"/;

function unwrap(line) {
  try {
    const { log } = JSON.parse(line);
    return typeof log === 'string' ? log : line;
  } catch {
    return line;
  }
}

function clean(line) {
  const plain = wrapped.test(line) ? unwrap(line) : line;
  const ascii = plain.includes('\x1b') ? plain.replace(escapes, '') : plain;
  return ascii.replace(unseen, '').trimEnd();
}

// A file's bytes as text: UTF-8, or what PowerShell writes when it redirects. Of more than `longestText` the end.
export function decodeLog(bytes) {
  const [first, second] = bytes;
  const name = first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  const from = Math.max(0, bytes.length - longestText);
  return new TextDecoder(name).decode(bytes.subarray(from + (from % 2)));
}

// Calls `each(line, number)` for the lines that `wanted` matches anywhere, `number` counted from 1. Returns how many lines there are.
export function forEachLine(text, wanted, each) {
  let number = 0;
  for (let from = 0; from < text.length;) {
    const feed = text.indexOf('\n', from);
    const end = feed < 0 ? text.length : feed;
    number += 1;
    const line = text.slice(from, Math.min(end, from + longestLine));
    // What a progress bar wrote over and over stands before the last carriage return.
    if (wanted.test(line)) each(clean(line), number);
    from = end + 1;
  }
  return number;
}

export function quote(line) {
  const plain = line.trim().replaceAll('\t', ' ');
  return plain.length > quoted ? `${plain.slice(0, quoted)}…` : plain;
}
