// Turns a result object into what the page shows of it at once: sentences and figures, no markup. explain() goes on from here with
// what the page asks for later.
import { brief, namesFor } from './brief.mjs';
import { rangeText } from './compartments.mjs';
import { fitRows, layoutNotes } from './fit.mjs';
import { ownUnit } from './format.mjs';
import { createHelp, incompleteText } from './help.mjs';
import { splitText } from './split.mjs';
import { sourceTitle, termRows } from './terms.mjs';

// The engine serves, and goes by the model's layers; where it was not asked for, there may be no total.
function methodTotals(result, text) {
  const { t, format } = text;
  const serves = result.inputs.task === 'serve';
  return ['rule', 'worksheet', ...(serves && result.model.num_layers > 0 ? ['engine'] : [])].map((id) => {
    const m = result.methods[id];
    return {
      id,
      name: t(`method.${id}`),
      note: t(!serves && id === 'rule' ? 'method.rule.training.note' : `method.${id}.note`),
      total: m ? format.bytes(m.total_bytes.likely, ownUnit(id)) : null,
      least: m?.missing.length > 0,
      range: m ? rangeText(m.total_bytes, ownUnit(id), text) : null,
      used: id === result.method,
    };
  });
}

function precisionSteps(result, names, { t, format }) {
  const reference = result.precision[0];
  return result.precision.map((step) => {
    const usd = step.pick?.usd_per_hour ?? null;
    const base = reference.pick?.usd_per_hour ?? null;
    const change = step !== reference && usd !== null && base ? usd / base - 1 : null;
    const weights = t(`choice.weights.${step.weights}`);
    const than = t(`choice.weights.${reference.weights}`);
    const percent = change === null ? '' : format.share(Math.abs(change));
    return {
      id: step.weights,
      weights,
      total: format.bytes(step.total_bytes, 'GB'),
      gpus: step.pick && `${step.pick.count}x ${names.short(step.pick.gpu)}`,
      tight: step.pick?.verdict === 'tight',
      cost: usd === null ? null : format.usdPerHour(usd),
      change: change === null ? null
        : Math.abs(change) < 0.005 ? t('page.precision.same', { weights: than })
        : t(change < 0 ? 'page.precision.saved' : 'page.precision.more', { percent, weights: than }),
      used: step.weights === result.weights,
    };
  });
}

export function viewOf(result, catalog, text) {
  const view = brief(result, catalog, text);
  if (result.refused) return view;
  const names = namesFor(result, catalog);
  const own = ownUnit(result.method);
  const method = result.methods[result.method];
  const { rows, count } = view.compartments;
  view.compartments.split = splitText(method, count, own, text);
  method.compartments.forEach(({ terms }, i) => { rows[i].terms = termRows(terms, own, text); });
  return Object.assign(view, {
    help: createHelp(view, result, names, own, text),
    incomplete: incompleteText(method.missing, text),
    methods: methodTotals(result, text),
    fit: fitRows(result, catalog, names, own, text),
    cheapest: result.cheapest?.usd_per_hour != null
      ? { gpus: `${result.cheapest.count}x ${names.short(result.cheapest.gpu)}`, cost: text.format.usdPerHour(result.cheapest.usd_per_hour) }
      : null,
    layoutNotes: layoutNotes(result, text),
    precision: precisionSteps(result, names, text),
    sources: [...new Set([method.split_source, ...Object.entries(result.methods).filter(([id]) => id !== 'engine' || id === result.method).flatMap(([, m]) => m.compartments.flatMap((c) => c.terms.flatMap((term) => [term.source, term.format_source])))])]
      .filter((id) => id && id !== 'user')
      .map((id) => sourceTitle(id, text)),
  });
}
