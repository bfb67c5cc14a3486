// A log against the answer, for a terminal.
import { readFileSync } from 'node:fs';

import { compareLog, resultForLog } from '../log/compare_log.mjs';
import { decodeLog, longestText } from '../log/lines.mjs';
import { logMeasures, logSettings, shareFromLog } from '../log/log_settings.mjs';
import { readLog } from '../log/read_log.mjs';
import { explainLog } from '../text/log.mjs';
import { columns, wrap } from './columns.mjs';

// What is in `file`, or on standard input for '-'. Throws what reading throws.
export function readLogFile(file) {
  const bytes = readFileSync(file === '-' ? 0 : file);
  const read = readLog(decodeLog(bytes));
  if (bytes.length > longestText) read.problems.push({ id: 'too_long', values: { characters: longestText }, line_number: 0, line: '' });
  return read;
}

// What --json has under `log`.
export async function logJson(read, result, calculator) {
  const against = await resultForLog(result, calculator);
  const { engine: same_engine = null, ...compared } = against.refused || !read.engine ? {} : compareLog(read, against, calculator);
  return { ...read, ...compared, same_engine, share: read.engine ? calculator.estimate(shareFromLog(read, result.share, calculator)).share : result.share };
}

export async function logLines(read, result, calculator, text, width) {
  const { t } = text;
  const catalog = calculator.catalog();
  const against = await resultForLog(result, calculator);
  const compared = against.refused || !read.engine ? null : compareLog(read, against, calculator);
  const view = explainLog({ read, compared, settings: [...logSettings(read, calculator), ...logMeasures(read, calculator)] }, against, catalog, text);
  const list = (items) => items.flatMap((item) => wrap(item.line_number ? t('log.at', { text: item.text, line: text.format.number(item.line_number) }) : item.text, width, '  - ', '    '));
  const lines = wrap(view.sentence, width, '  ');
  for (const note of view.notes) lines.push(...wrap(note, width, '  '));
  lines.push(...list(view.problems));
  if (view.mismatches.length > 0) lines.push(`  ${t('log.mismatches')}:`, ...list(view.mismatches));
  if (view.rows.length > 0) {
    const head = [t('page.compartment'), t('cli.low'), t('log.predicted'), t('cli.high'), t('log.measured'), t('log.difference'), ''];
    const rows = view.rows.map((row) => [row.label, row.range ? row.low : '', row.predicted, row.range ? row.high : '', row.measured, row.difference, row.note ?? row.short]);
    lines.push(...columns([head, ...rows], { right: [1, 2, 3, 4, 5], limit: width }));
  }
  if (view.settings.length > 0) {
    // As a link would have it, without what is the default.
    const { share } = calculator.estimate(shareFromLog(read, result.share, calculator));
    lines.push(...wrap(`${t('log.go')}: ${share}`, width, '  '));
  }
  return lines;
}
