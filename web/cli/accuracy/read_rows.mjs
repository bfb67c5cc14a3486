// A corpus file as rows with their place. A line that is no JSON object is reported, never fatal.
import { readFileSync } from 'node:fs';

export function read_rows(file) {
  const rows = [];
  const bad = [];
  readFileSync(file, 'utf8')
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .forEach((text, i) => {
      if (!text.trim()) return;
      const place = { file, line: i + 1 };
      try {
        const row = JSON.parse(text);
        if (row === null || typeof row !== 'object' || Array.isArray(row)) throw new Error('not an object');
        rows.push({ ...place, row, id: row.id == null ? '' : String(row.id) });
      } catch (error) {
        bad.push({ ...place, id: '', reason: `malformed line: ${error.message}` });
      }
    });
  return { rows, bad };
}
