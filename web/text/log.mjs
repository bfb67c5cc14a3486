// A log against the prediction, in words. The texts of the locale part `log` are needed beside the first.
import { Figure } from './format.mjs';

const names = { vllm: 'vLLM', sglang: 'SGLang', 'llama.cpp': 'llama.cpp', ollama: 'Ollama', 'nvidia-smi': 'nvidia-smi', 'tensorrt-llm': 'TensorRT-LLM', transformers: 'Transformers', 'lm-studio': 'LM Studio', koboldcpp: 'KoboldCpp' };
const engineName = (id) => names[id] ?? id;

// Logs print two decimals, and so must what is held against them.
function memory(format) {
  const { unit } = format.bytes(2 ** 50, 'GiB');
  const base = unit === 'GB' ? 1e9 : 2 ** 30;
  return (bytes) => (Math.abs(bytes) >= base / 10 || bytes === 0 ? new Figure(format.number(bytes / base, 2), unit) : format.bytes(bytes, 'GiB'));
}

// With its sign, which what rounds to nothing has none of.
function signed(value, step, show) {
  const rounded = Math.round(value / step) * step;
  const shown = show(Math.abs(rounded));
  const sign = rounded === 0 ? '' : rounded > 0 ? '+' : '\u2212';
  return shown instanceof Figure ? new Figure(sign + shown.number, shown.unit, shown.gap) : sign + shown;
}

function valueText(key, value, catalog, { t, has, format }) {
  if (value === null || value === '') return t('log.none');
  if (key === 'engine') return engineName(value);
  if (key === 'model') return catalog.models.find((m) => m.id === value)?.name ?? value;
  if (key === 'gpu') return catalog.gpus.find((g) => g.id === value)?.name ?? value;
  if (key === 'gpu_total') return String(memory(format)(Number(value)));
  if (key.endsWith('_gib')) return String(new Figure(format.number(Number(value), 4), 'GiB'));
  if (has(`choice.${key}.${value}`) || (catalog.fields.find((f) => f.key === key)?.kind === 'choice' && !/^\d/.test(value))) return t(`choice.${key}.${value}`);
  return /^-?\d+(\.\d+)?$/.test(value) ? format.number(Number(value), 4) : value;
}

const labelOf = (key, { t, has }) => (key === 'gpu_total' ? t('log.gpu_total') : has(`field.${key}`) ? t(`field.${key}`) : key);

function rowView(row, llama, text) {
  const { t, format } = text;
  const show = row.unit === 'bytes' ? memory(format) : (n) => format.number(n, 2);
  const step = row.unit === 'number' ? 0.01 : row.measured < 2 ** 27 ? 2 ** 20 / 10 : 2 ** 30 / 100;
  const { predicted: p } = row;
  return {
    id: row.id,
    label: t(row.id === 'activations' && llama ? 'log_row.activations.llama' : `log_row.${row.id}`),
    predicted: p ? show(p.likely) : null,
    low: p ? show(p.low) : null,
    high: p ? show(p.high) : null,
    range: p && p.low !== p.high ? t('page.range', { low: show(p.low), high: show(p.high) }) : null,
    measured: show(row.measured),
    note: row.estimate ? t('log.estimate') : null,
    difference: row.difference === null ? null : signed(row.difference, step, show),
    percent: row.error === null ? null : signed(row.error * 100, 0.1, format.percent),
    inside: row.inside,
    verdict: row.inside === null ? t('log.not_predicted') : t(row.inside ? 'log.inside' : 'log.outside'),
    short: row.inside === null ? '' : t(row.inside ? 'log.inside.short' : 'log.outside.short'),
    line_number: row.line_number,
    line: row.line,
  };
}

// `read` as readLog() gives it, `compared` as compareLog() does, or null where the configuration is refused; `settings`: what going on
// would set, [{ key, value }].
export function explainLog({ read, compared, settings }, result, catalog, text) {
  const { t, format } = text;
  const engine = engineName(read.engine);
  if (!read.engine) return { known: false, sentence: t('log.nothing', { count: read.lines, lines: format.number(read.lines) }), problems: [], notes: [], mismatches: [], rows: [], settings: [] };
  const llama = ['llama.cpp', 'ollama'].includes(read.engine);
  const rows = (compared?.rows ?? []).map((row) => rowView(row, llama, text));
  const held = rows.filter((row) => row.inside !== null);
  const other = compared?.engine === false ? t('log.other_engine', { log: engine, page: engineName(result.engine.id) }) : null;
  const mismatches = (compared?.mismatches ?? []).filter((m) => m.key !== 'engine');
  const count = mismatches.length;
  const title = [engine, read.version].filter(Boolean).join(' ');
  const notes = [];
  if (read.runs > 1) notes.push(t('log.runs', { count: read.runs }));
  if (read.rank) notes.push(t('log.rank', { count: read.ranks, rank: read.rank }));
  if (compared && compared.method !== 'engine' && read.engine !== 'nvidia-smi') notes.push(t('log.worksheet', { engine }));
  const mismatch = ({ key, log, page }) => {
    if (key === 'model_unknown') return t('log.mismatch.model', { log, page: result.model.name || valueText('model', page, catalog, text) });
    return t('log.mismatch', { what: labelOf(key, text), log: valueText(key, log, catalog, text), page: valueText(key, page, catalog, text) });
  };
  const said = read.figures.length === 0 && read.problems.length === 0 ? t('log.empty', { engine: title })
    : t('log.said', { engine: title, count: held.length, inside: held.filter((row) => row.inside).length });
  return {
    known: true,
    sentence: [said, other, count > 0 && t('log.said.mismatch', { count })].filter(Boolean).join(' '),
    problems: read.problems.map(({ id, values, line, line_number }) => ({ text: t(`log_problem.${id}`, Object.fromEntries(Object.entries(values).map(([k, n]) => [k, format.number(n)]))), line, line_number })),
    notes,
    mismatches: mismatches.map((m) => ({ text: mismatch(m), line: m.line, line_number: m.line_number })),
    rows,
    settings: settings.map(({ key, value }) => ({ key, label: labelOf(key, text), value: valueText(key, value, catalog, text) })),
  };
}
