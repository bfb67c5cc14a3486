// How far context and sequences go on the chosen GPUs, one row per precision of the KV cache.
import { columns } from './columns.mjs';

// `limit` in words; beyond `own`, what the model was made for, memory is not the question.
function limitText({ fits, runs }, maximum, own, { t, format }) {
  const value = Math.min(fits, own);
  const most = Math.min(runs, own);
  if (most === 0) return t('verdict.does-not-fit');
  if (value === maximum) return t('cli.far.no_limit');
  if (value === own) return t('cli.far.model', { value: format.number(value) });
  const values = { value: format.number(value), most: format.number(most) };
  if (value === 0) return t('cli.far.only_tight', values);
  return value === most ? values.value : t('cli.far.tight', values);
}

// Lines for the first of the cards; none when not even the least of it runs there.
export function whatIfLines(whatIf, result, catalog, text) {
  const { t, format } = text;
  const [context, sequences] = whatIf.axes;
  if ([context, sequences].every((axis) => axis.lines.every((line) => line.limits[0].runs === 0))) return [];
  const maximum = (axis) => catalog.fields.find((f) => f.key === axis.field).maximum;
  const own = result.model.max_position_embeddings || Infinity;
  const head = [
    t('field.kv'),
    t('cli.far.context', { count: format.number(sequences.value) }),
    t('cli.far.sequences', { tokens: format.number(context.value) }, { tokens: context.value }),
  ];
  const rows = context.lines.map((line, i) => [
    line.kv && t(`choice.kv.${line.kv}`),
    limitText(line.limits[0], maximum(context), own, text),
    limitText(sequences.lines[i].limits[0], maximum(sequences), Infinity, text),
  ]);
  return columns([head, ...rows].map((row) => (context.lines[0].kv ? row : row.slice(1))));
}
