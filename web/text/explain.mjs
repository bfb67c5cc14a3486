// Turns a result object into what there is to say about it: sentences and figures, no markup. Page, terminal and prerendered HTML
// all show this one view.
import { createAnswer, createHelp } from './answer.mjs';
import { compartmentRows, rangeText, sourceTitle, splitText } from './compartments.mjs';
import { fitRows, layoutNotes } from './fit.mjs';
import { createFormat } from './format.mjs';
import { createMessages } from './messages.mjs';
import { createGpuNames } from './names.mjs';
import { noticeText } from './notices.mjs';

// `formats`: the tag whose region writes the figures.
export function createText(locale, lang, { units = 'auto', strict = false, formats = lang } = {}) {
  const format = createFormat(lang, units, formats);
  const figure = (digits) => format[digits.endsWith('%') ? 'percent' : 'number'](parseFloat(digits), 2);
  return { ...createMessages(locale, lang, { strict, figure }), formats, format };
}

// The unit each method counts in.
export const ownUnit = (method) => (method === 'worksheet' ? 'GiB' : 'GB');

// What is not counted and what to do about it, or null.
export const incompleteText = (missing, { t, format }) => (missing.length ? t('help.incomplete', { missing: format.list(missing.map((id) => t(`compartment.${id}`)), 'conjunction') }) : null);

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

const namesOf = new WeakMap();
function gpuNames(catalog) {
  if (!namesOf.has(catalog)) namesOf.set(catalog, createGpuNames(catalog));
  return namesOf.get(catalog);
}

export function explain(result, catalog, text) {
  const { t, parts, format } = text;
  const names = gpuNames(catalog).within(result.fit?.map((row) => row.gpu) ?? []);
  const own = ownUnit(result.method ?? result.inputs.method);
  const answer = createAnswer(result, catalog, names, own, text);
  const view = {
    state: answer.state,
    sentence: t(answer.key, answer.values),
    sentenceParts: parts(answer.key, answer.values),
    notices: result.notices.map((n) => ({ severity: n.severity, field: n.field, text: noticeText(n, names, text) })),
    refused: result.refused,
    share: result.share,
    catalogDate: format.date(result.catalog_date),
  };
  if (result.refused) return view;

  const method = result.methods[result.method];
  const { chosen } = result;
  const row = chosen && result.fit.find((r) => r.gpu === chosen.gpu);
  const count = chosen?.count ?? 1;
  const { rows, sum, sumAll } = compartmentRows(result, own, text);
  const capacity = row?.capacity_bytes ?? 0;
  const gpus = chosen && `${count}x ${names.short(chosen.gpu)}`;
  const need = format.bytes(sum, own);
  Object.assign(view, {
    help: createHelp(answer, result, names, own, text),
    incomplete: incompleteText(method.missing, text),
    methods: methodTotals(result, text),
    difference: difference(result, text),
    compartments: {
      rows,
      sum,
      count,
      capacity,
      need,
      needAll: format.bytes(sumAll, own),
      free: capacity > sum ? { bytes: capacity - sum, figure: format.bytes(capacity - sum, own), share: format.share((capacity - sum) / capacity) } : null,
      title: t(!chosen ? 'page.compartments.alone' : sum > capacity ? 'page.compartments.over' : 'page.compartments.on',
        { gpus, need, capacity: format.bytes(capacity, own) }),
      split: splitText(method, count, own, text),
    },
    fit: fitRows(result, catalog, names, own, text),
    cheapest: result.cheapest?.usd_per_hour != null
      ? { gpus: `${result.cheapest.count}x ${names.short(result.cheapest.gpu)}`, cost: format.usdPerHour(result.cheapest.usd_per_hour) }
      : null,
    layoutNotes: layoutNotes(result, text),
    precision: precisionSteps(result, names, text),
    sources: [...new Set([method.split_source, ...Object.values(result.methods).flatMap((m) => m.compartments.flatMap((c) => c.terms.flatMap((term) => [term.source, term.format_source])))])]
      .filter((id) => id && id !== 'user')
      .map((id) => sourceTitle(id, text)),
  });
  return view;
}
