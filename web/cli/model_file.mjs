// A model's files in a terminal: read, and what was understood of them.
import { existsSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { choiceFor, choicesOf } from '../import/choices.mjs';
import { importModel } from '../import/import_model.mjs';
import { fileFromPath } from '../import/node_file.mjs';
import { explainImport, remarkView } from '../text/import.mjs';
import { columns, wrap } from './columns.mjs';

export const isPath = (argument) => !argument.includes('=') || existsSync(argument);

// Of a folder the files of its first model, as the page would choose.
async function pathsIn(folder) {
  const names = (await readdir(folder, { withFileTypes: true })).filter((entry) => !entry.isDirectory()).map(({ name }) => name);
  const choice = choiceFor(choicesOf(names.map((path) => ({ path, size: statSync(join(folder, path)).size }))));
  return choice ? choice.files.map(({ path }) => join(folder, path)) : [];
}

// `module`: { moduleFactory, wasmBinary }. Throws { file } of what cannot be read.
export async function readModelFiles(paths, module) {
  const files = [];
  for (const path of paths) {
    try {
      const inside = statSync(path).isDirectory() ? await pathsIn(path) : [path];
      for (const file of inside) files.push(await fileFromPath(file));
    } catch (cause) {
      throw Object.assign(new Error('import-read', { cause }), { file: path });
    }
  }
  return importModel(files, module);
}

// The question about an imported model: what was asked beside it goes first, so that it wins.
export function shareWith(imported, asked) {
  const keyOf = (pair) => pair.slice(0, pair.indexOf('='));
  const own = new Set(asked.split('&').map(keyOf));
  return [asked, ...imported.share.split('&').filter((pair) => !own.has(keyOf(pair)))].filter(Boolean).join('&');
}

// In a terminal, backquotes only disturb.
const plain = (s) => String(s).replaceAll('`', '');

export function remarkLines({ remarks }, text, width) {
  const { t } = text;
  return remarks.map((remark) => remarkView(remark, text)).flatMap(({ severity, text: message, place }) => {
    const where = place.length ? ` (${place.join(', ')})` : '';
    return wrap(`${t(`severity.${severity}`)}: ${plain(message)}${where}`, width, '  ', '    ');
  });
}

export function modelFileLines(imported, text, width) {
  const { t } = text;
  const view = explainImport(imported, text);
  const lines = [...wrap(plain(view.sentence), width, '  '), ...remarkLines(imported, text, width)];
  if (!view.ok) return lines;
  const table = (title, head, rows, right) => {
    if (rows.length === 0) return;
    const used = head.map((_, i) => rows.some((row) => (row[i] ?? '') !== ''));
    const keep = (row) => row.filter((_, i) => used[i]);
    const figures = right.filter((i) => used[i]).map((i) => used.slice(0, i).filter(Boolean).length);
    lines.push('', `  ${title}`, ...columns([keep(head), ...rows.map(keep)], { right: figures, indent: 4, limit: width }));
  };
  lines.push(...columns(view.facts.map(({ label, value }) => [label, plain(value)]), { limit: width }));
  if (view.rest) lines.push(...wrap(plain(view.rest), width, '  '));
  table(t('import.layers'), ['layers.count', 'layers.mixer', 'layers.feed', 'layers.kv', 'layers.state', 'layers.which'].map((id) => t(`import.${id}`)),
    view.layers.map(({ count, mixer, feed, kv, state, which }) => [count, mixer, feed, kv ?? '', state ?? '', which ?? '']), [0, 3, 4]);
  const shares = (rows) => rows.map(({ label, params, bytes, share }) => [label, params, bytes ?? '', share ?? '']);
  const measures = ['params', 'bytes', 'part'].map((id) => t(`import.${id}`));
  table(t('import.classes'), [t('import.class'), ...measures], shares(view.classes), [1, 2, 3]);
  table(t('import.dtypes'), [t('import.dtype'), ...measures], shares(view.dtypes), [1, 2, 3]);
  if (view.rules.length > 0) {
    const rules = view.rules.map(({ text: rule, source }) => plain(source ? `${rule} (${source})` : rule));
    lines.push('', `  ${t('import.rules')}`, ...rules.flatMap((rule) => wrap(rule, width, '    - ', '      ')));
  }
  return lines;
}
