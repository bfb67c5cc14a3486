// Turns a result object into what there is to say about it: sentences and figures, no markup. Page, terminal and prerendered HTML
// all show this one view.
import { brief, namesFor } from './brief.mjs';
import { rangeText } from './compartments.mjs';
import { fitRows, layoutNotes } from './fit.mjs';
import { ownUnit } from './format.mjs';
import { createHelp, incompleteText } from './help.mjs';
import { splitText } from './split.mjs';
import { sourceTitle, termRows } from './terms.mjs';

export { createText } from './text.mjs';

function methodTotals(result, { t, format, ...text }) {
  return ['rule', 'worksheet'].map((id) => {
    const m = result.methods[id];
    const total = format.bytes(m.total_bytes.likely, ownUnit(id));
    const training = result.inputs.task !== 'serve' && id === 'rule';
    return {
      id,
      name: t(`method.${id}`),
      note: t(training ? 'method.rule.training.note' : `method.${id}.note`),
      total,
      least: m.missing.length > 0,
      range: rangeText(m.total_bytes, ownUnit(id), { t, format, ...text }),
      used: id === result.method,
    };
  });
}

function difference(result, { t, format }) {
  const { rule, worksheet } = result.methods;
  const part = (method, id) => method.compartments.find((c) => c.id === id);
  const live = result.inputs.context * (result.inputs.task === 'serve' ? result.inputs.sequences : result.inputs.micro_batch);
  const headroom = part(worksheet, 'headroom')?.terms[0]?.values.percent ?? 0;
  // For one copy, as the totals are; what several GPUs copy is in the table.
  const oneCopy = (...ids) => ids.flatMap((id) => part(worksheet, id)?.terms ?? []).reduce((sum, term) => sum + term.bytes.likely, 0);
  const values = {
    stated: format.params(result.model.stated_params),
    exact: format.params(result.model.params),
    cache: format.bytes(oneCopy('kv_cache', 'state'), 'GiB'),
    activations: format.bytes(oneCopy('activations'), 'GiB'),
    tokens: format.number(live),
    headroom: format.percent(headroom),
  };
  const kind = !result.model.id ? 'bare' : result.inputs.task !== 'serve' ? 'training' : part(rule, 'margin') ? 'serve' : 'serve_cache';
  const sum = worksheet.total_bytes.likely;
  const units = t('method.why.units', { gib: format.in('GiB', sum), gb: format.in('GB', sum) });
  return `${t(`method.why.${kind}`, values, { tokens: live })} ${units}`;
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

export function explain(result, catalog, text) {
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
    difference: difference(result, text),
    fit: fitRows(result, catalog, names, own, text),
    cheapest: result.cheapest?.usd_per_hour != null
      ? { gpus: `${result.cheapest.count}x ${names.short(result.cheapest.gpu)}`, cost: text.format.usdPerHour(result.cheapest.usd_per_hour) }
      : null,
    layoutNotes: layoutNotes(result, text),
    precision: precisionSteps(result, names, text),
    sources: [...new Set([method.split_source, ...Object.values(result.methods).flatMap((m) => m.compartments.flatMap((c) => c.terms.flatMap((term) => [term.source, term.format_source])))])]
      .filter((id) => id && id !== 'user')
      .map((id) => sourceTitle(id, text)),
  });
}
