// How far context and concurrency go on the chosen GPU and its neighbours, in words: one table per field that grows.
import { incompleteText } from './help.mjs';
import { ownUnit } from './format.mjs';

// Octaves of the sampled values are enough to read.
const octaves = ({ values }) => values.flatMap((value, i) => (Number.isInteger(Math.log2(value / values[0])) ? [i] : []));

// What goes with pressing a limit, so that the page then says what the table said: the row's precision, and the card where it is
// another one or where being tight would let an easier one take its place.
function settings(axis, line, card, at, verdict, value) {
  const set = { [axis.field]: value };
  if (line.kv && !line.chosen) set.kv = line.kv;
  if (at > 0 || verdict === 'tight') Object.assign(set, { gpu: card.gpu, count: card.count });
  return set;
}

// `found` is whatIf()'s answer for the inputs of `result`, and `view` what explain() makes of that; neither is refused.
export function explainWhatIf(found, result, view, catalog, text) {
  const { t, format } = text;
  const own = ownUnit(result.method);
  const cards = found.cards.map((card) => {
    const { short, counts } = view.fit.find((row) => row.id === card.gpu);
    const { verdict, label } = counts[card.count - 1];
    return { ...card, gpus: `${card.count}x ${short}`, capacity: format.bytes(card.capacity_bytes, own), excluded: verdict === 'unusable' && label };
  });
  const excluded = cards.map((c) => c.excluded).filter(Boolean);
  const made = result.model.max_position_embeddings;

  function axisView(axis) {
    const field = t(`field.${axis.field}`);
    const { unit, maximum } = catalog.fields.find((f) => f.key === axis.field);
    const uncounted = !axis.lines[0].kv && !found.missing.length && axis.lines[0].need_bytes.every((bytes, _, [first]) => bytes === first);
    const cell = (line, { fits, runs }, i) => [['fits', fits, 0], ['tight', runs, fits]]
      .filter(([, value, least]) => value > least)
      .map(([verdict, value]) => {
        const words = t(`verdict.${verdict}`);
        if (value === maximum) return { text: t('page.what_if.any', { verdict: words }) };
        const where = [`${field} ${format.number(value)}`, line.kv && `${t('field.kv')} ${t(`choice.kv.${line.kv}`)}`, cards[i].gpus].filter(Boolean);
        return {
          words,
          value: format.number(value),
          label: t('page.fit.choose', { gpus: where.join(', '), verdict: words }),
          set: settings(axis, line, cards[i], i, verdict, value),
          key: [axis.field, line.kv, cards[i].gpu, verdict].join('/'),
          used: value === axis.value && line.chosen && i === 0,
        };
      });
    const rows = axis.lines.map((line) => ({
      label: t(line.kv ? `choice.kv.${line.kv}` : `choice.task.${result.inputs.task}`),
      used: line.chosen,
      cells: line.limits.map((limit, i) => cell(line, limit, i)),
      need: octaves(axis).map((at) => format.bytes(line.need_bytes[at], own)),
    }));
    const beyond = axis.field === 'context' && made > 0 && axis.lines.some(({ limits }) => limits.some(({ runs }) => runs > made));
    return {
      id: axis.field,
      field,
      title: t('page.what_if.now', { field, value: format.number(axis.value) + (unit === 'tokens' ? ` ${t('unit.tokens')}` : '') }),
      none: rows.some(({ cells }) => cells.some((entries) => entries.length)) ? null : excluded.join('; ') || t('page.what_if.none', { gpus: format.list(cards.map((c) => c.gpus)) }),
      corner: t(axis.lines[0].kv ? 'field.kv' : 'field.task'),
      rows,
      values: octaves(axis).map((at) => format.number(axis.values[at])),
      note: uncounted ? t('page.what_if.uncounted') : beyond ? t('page.what_if.beyond', { tokens: format.number(made) }) : null,
    };
  }

  return {
    cards,
    axes: found.axes.map(axisView),
    incomplete: incompleteText(found.missing, text),
  };
}
