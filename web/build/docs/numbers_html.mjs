// How each number is made: formulas with their sources, formats, rules of the fit table, catalogue. All of it from the survey.
import { html } from '../../page/html.mjs';
import { ownUnit } from '../../text/format.mjs';
import { sourceTitle, termText } from '../../text/terms.mjs';
import { modelName, weightsGroup } from '../../text/names.mjs';
import { anchored, bullets, code, facts, prose, table } from './prose_html.mjs';

// A formula or reason as its locale file has it, with the names of its values in place of the values.
function inWords(key, { message, t }) {
  const text = message(key);
  const whole = typeof text === 'object' ? text.other : text;
  return whole.split(/\{(\w+(?::[^}]*)?)\}/).map((piece, i) => {
    if (i % 2 === 0) return piece;
    const [name, words] = piece.split(':');
    return words ? words.split('|')[1] : html`<var>${t(`value.${name === 'count' ? 'number' : name}`)}</var>`;
  });
}

const valuesIn = (message) => [...String(message).matchAll(/\{(\w+)\}/g)].map((m) => m[1]);

function methodsHtml({ asked, text }) {
  const { t, has, format } = text;
  const margin = asked.survey.formulas.get('rule-margin').example.term.values.percent;
  return [...asked.survey.methods].map(([id, tasks]) => html`${anchored(3, `method-${id}`, html`${t(`method.${id}`)} ${code(id)}`)}
    <p>${has(`docs.numbers.methods.${id}`) && t(`docs.numbers.methods.${id}`, { percent: format.percent(margin) })}</p>
    ${bullets([...tasks].map(([task, uses]) => t('docs.numbers.methods.uses', { task: t(`choice.task.${task}`), uses: format.list([...uses].map((use) => t(`compartment.${use}`)), 'conjunction') })))}`);
}

function exampleHtml({ term, result, method }, { text, root }) {
  const { t, format } = text;
  const own = ownUnit(method);
  const { low, likely, high } = term.bytes;
  const values = { model: modelName(result, text), formula: termText(term, own, text), bytes: format.bytes(likely, own), low: format.bytes(low, own), high: format.bytes(high, own) };
  const sentence = t(low === high ? 'docs.numbers.example.of' : 'docs.numbers.example.range', values);
  return html`<a href="${root}?${result.share}">${sentence}</a>`;
}

const sourceLink = (id, text) => html`<a href="#source-${id}">${sourceTitle(id, text)}</a> ${code(id)}`;
const sourceLinks = (ids, text) => [...ids].sort().map((id) => html`<div>${sourceLink(id, text)}</div>`);

function formulaHtml(id, formula, context) {
  const { text } = context;
  const { t, format } = text;
  const uses = new Map();
  for (const { method, compartment, task } of formula.uses.values()) {
    const key = `${method}/${compartment}`;
    uses.set(key, { method, compartment, tasks: [...(uses.get(key)?.tasks ?? []), task] });
  }
  const used = [...uses.values()].map(({ method, compartment, tasks }) => html`<div>${t('docs.numbers.used.by', {
    method: t(`method.${method}`), use: t(`compartment.${compartment}`), tasks: format.list([...new Set(tasks)].map((task) => t(`choice.task.${task}`)), 'conjunction') })}</div>`);
  return html`<div class="entry">${anchored(4, `formula-${id}`, code(id))}
    <p class="formula">${inWords(`formula.${id}`, text)}</p>
    ${facts([
      [t('docs.numbers.used'), used],
      [t('docs.numbers.source'), sourceLinks(formula.sources, text)],
      [t('docs.numbers.format_source'), formula.formatSources.size > 0 && sourceLinks(formula.formatSources, text)],
      [t('docs.numbers.example'), exampleHtml(formula.example, context)],
    ])}</div>`;
}

function formulasHtml(context) {
  const { asked, text } = context;
  const byUse = new Map();
  for (const [id, formula] of asked.survey.formulas) {
    const { compartment } = formula.uses.values().next().value;
    byUse.set(compartment, [...(byUse.get(compartment) ?? []), [id, formula]]);
  }
  return [...byUse].map(([use, formulas]) => html`${anchored(3, `use-${use}`, html`${text.t(`compartment.${use}`)} ${code(use)}`)}${formulas.map(([id, formula]) => formulaHtml(id, formula, context))}`);
}

function valuesHtml({ asked, text }) {
  const { t, message } = text;
  const keys = [...new Set([...asked.survey.formulas.keys()].flatMap((id) => valuesIn(message(`formula.${id}`))))].sort();
  return html`<ul class="ids">${keys.map((key) => html`<li>${code(key)} ${t(`value.${key}`)}</li>`)}</ul>`;
}

const named = (key, id, { t }) => html`${t(`choice.${key}.${id}`)} ${code(id)}`;

function formatsHtml({ asked, text }) {
  const { t, format } = text;
  // Two decimals throughout, so that a column can be read down.
  const decimals = new Intl.NumberFormat(text.lang, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const bits = (value) => decimals.format(value);
  const figures = { figures: true };
  const groups = new Map();
  for (const f of asked.formats) groups.set(weightsGroup(f.id), [...(groups.get(weightsGroup(f.id)) ?? []), f]);
  const columns = [t('docs.numbers.formats.name'), [t('docs.numbers.formats.rule'), figures], [t('docs.numbers.formats.stored'), figures], [t('docs.numbers.formats.metadata'), figures],
    [t('docs.numbers.formats.kept'), figures], [t('docs.numbers.formats.average', { model: asked.models.dense }), figures], [t('docs.numbers.formats.average', { model: asked.models.mixture }), figures], t('docs.column.source')];
  // A format for experts only stores nothing of a dense model: then the mixture says what it takes.
  const stored = (f) => f.dense.formatBits ?? f.mixture.formatBits;
  return [...groups].map(([group, formats]) => table(t(`weights_group.${group}`), columns, formats.map((f) => ({
    id: `format-${f.id}`,
    cells: [named('weights', f.id, text), format.number(f.ruleBits, 2), bits(stored(f)), bits(Math.max(0, stored(f) - f.ruleBits)), format.share(f.dense.keptShare),
      bits(f.dense.averageBits), bits(f.mixture.averageBits), html`<a href="#source-${f.source}">${code(f.source)}</a>`],
  }))));
}

function groupsHtml({ asked, text }) {
  const { t, format } = text;
  const sizes = asked.groups[0].bits.map(({ size }) => [t(`choice.group_size.${size}`), { figures: true }]);
  return table(t('docs.numbers.groups'), [t('docs.numbers.formats.name'), ...sizes], asked.groups.map(({ id, bits }) => ({ cells: [named('weights', id, text), ...bits.map((b) => format.number(b.bits, 3))] })), { unseen: true });
}

function cacheHtml({ asked, text }) {
  const { t, format } = text;
  return table(t('docs.numbers.cache'), [t('field.kv'), [t('docs.numbers.cache.value'), { figures: true }], [t('docs.numbers.cache.token'), { figures: true }], t('docs.column.source')], asked.caches.map((f) => ({
    id: `kv-${f.id}`, cells: [named('kv', f.id, text), format.number(f.bytes, 4), format.bytes(f.perToken, 'GiB'), sourceLink(f.source, text)] })), { unseen: true });
}

function statesHtml({ asked, text }) {
  const { t, format } = text;
  const parts = ['weights', 'gradients', 'optimizer'];
  return table(t('docs.numbers.states'), [t('docs.numbers.states.name'), ...parts.map((id) => [t(`compartment.${id}`), { figures: true }]), [t('docs.numbers.states.total'), { figures: true }], t('docs.column.source')], asked.states.map((s) => ({
    cells: [named('states', s.id, text), ...parts.map((id) => format.number(s[id])), format.number(parts.reduce((sum, id) => sum + s[id], 0)), sourceLink(s.source, text)] })), { unseen: true });
}

function headroomHtml({ asked, text }) {
  const { t, format } = text;
  const name = (id) => (id === 'training' ? t('docs.numbers.headroom.training') : named('situation', id, text));
  const range = ({ low, likely, high }) => (low === high ? format.percent(likely) : `${format.percent(likely)} (${t('page.range', { low: format.percent(low), high: format.percent(high) })})`);
  return table(t('docs.numbers.headroom'), [t('docs.numbers.headroom.situation'), [t('field.headroom'), { figures: true }], t('docs.column.source')], asked.headrooms.map((h) => ({ cells: [name(h.id), range(h), sourceLink(h.source, text)] })), { unseen: true });
}

function splitsHtml({ asked, text }) {
  const { t, format } = text;
  return html`<dl class="facts">${[...asked.survey.splits].map(([id, split]) => html`<div id="split-${id}"><dt>${code(id)}</dt><dd>${t(`split.${id}`)}<div class="hint">${format.list([...split.tasks].map((task) => t(`choice.task.${task}`)), 'conjunction')}. ${split.source ? sourceLink(split.source, text) : t('docs.numbers.split.any')}</div></dd></div>`)}</dl>`;
}

function reasonsHtml({ asked, text, root }) {
  const { t, format } = text;
  const example = ({ result, number, counts, gpu }, id) => {
    if (gpu) return null;
    const sentence = t(`reason.${id}`, { number: format.number(number), counts: format.list(counts), count: counts.length });
    return html`<div class="hint"><a href="${root}?${result.share}">${modelName(result, text)}</a>: ${sentence}</div>`;
  };
  return html`<dl class="facts">${[...asked.survey.reasons].map(([id, reason]) => html`<div id="reason-${id}"><dt>${code(id)}</dt><dd>${inWords(`reason.${id}`, text)}${example(reason, id)}</dd></div>`)}</dl>`;
}

// What an engine's verdicts go by, each with a configuration that meets it.
function causesHtml({ asked, text, root }) {
  const { t } = text;
  return html`<dl class="facts">${[...asked.survey.causes].map(([id, { result }]) => html`<div id="cause-${id}"><dt>${code(id)}</dt><dd>${t(`cause.${id}`)}<div class="hint"><a href="${root}?${result.share}">${modelName(result, text)}, ${t(`choice.engine.${result.engine.id}`)}</a></div></dd></div>`)}</dl>`;
}

function verdictsHtml({ asked, text }) {
  const { t, format } = text;
  return facts(['fits', 'tight', 'does-not-fit', 'unusable'].map((id) => [html`${t(`verdict.${id}`)}`, t(`docs.numbers.verdicts.${id}`, { percent: format.share(asked.tightBelow) })]));
}

function sourcesHtml({ asked, text }) {
  const { t } = text;
  const target = (use) => html`<a href="#${use.replace('/', '-')}">${code(use.split('/')[1])}</a>`;
  return html`<dl class="facts">${[...asked.survey.sources].sort(([a], [b]) => (a < b ? -1 : 1)).map(([id, uses]) => html`<div id="source-${id}"><dt>${code(id)}</dt><dd>${sourceTitle(id, text)}<div class="hint">${
    [...uses].map((use, i) => html`${i > 0 && ' '}${target(use)}`)}</div></dd></div>`)}</dl>`;
}

function catalogHtml({ catalog, sources, text, root }) {
  const { t, format } = text;
  const newest = (rows) => format.date(rows.map((row) => row.date).sort().at(-1));
  const trust = (rows, level) => format.number(rows.filter((row) => row.confidence === level).length);
  const levels = ['high', 'medium', 'low'];
  const basis = (id) => catalog.gpus.filter((gpu) => gpu.usable_basis === id).length;
  const rows = [['models', Object.values(sources.models)], ['gpus', Object.values(sources.gpus)], ['prices', sources.prices]];
  return html`<p>${t('docs.numbers.catalog.lead', { models: catalog.models.length, gpus: catalog.gpus.length, prices: sources.prices.length, date: format.date(catalog.date) })}</p>
    ${table(t('docs.numbers.catalog'), [t('docs.numbers.catalog.of'), [t('docs.numbers.catalog.count'), { figures: true }], [t('docs.numbers.catalog.newest'), { figures: true }],
      ...levels.map((level) => [t('page.sources.confidence', { level: t(`page.sources.confidence.${level}`) }), { figures: true }])],
    rows.map(([id, list]) => ({ cells: [t(`docs.numbers.catalog.${id}`), format.number(list.length), newest(list), ...levels.map((level) => (list.some((row) => row.confidence) ? trust(list, level) : t('docs.none')))] })), { unseen: true })}
    <p>${t('docs.numbers.catalog.usable', { driver: basis('driver'), rule: basis('rule'), assumed: basis('assumed') })}</p>
    <p>${text.parts('docs.numbers.catalog.file', { link: html`<a href="${root}assets/sources.json"><code>sources.json</code></a>` })}</p>`;
}

// [[anchor, heading, content]]
export function numbersHtml(context) {
  const { asked, text } = context;
  const { t } = text;
  const section = (id, ...content) => [id, t(`docs.numbers.${id}`), content];
  const lead = (id, values) => html`<p>${prose(t(`docs.numbers.${id}.lead`, values))}</p>`;
  return [
    section('methods', lead('methods'), methodsHtml(context)),
    section('formulas', lead('formulas'), formulasHtml(context)),
    section('values', lead('values'), valuesHtml(context)),
    section('formats', lead('formats', asked.models), formatsHtml(context), html`<p>${t('docs.numbers.formats.native')}</p>`),
    section('groups', lead('groups'), groupsHtml(context)),
    section('cache', lead('cache', { model: asked.models.dense }), cacheHtml(context)),
    section('states', lead('states'), statesHtml(context)),
    section('headroom', lead('headroom'), headroomHtml(context)),
    section('split', lead('split'), splitsHtml(context), anchored(3, 'reasons', t('docs.numbers.reasons')), reasonsHtml(context)),
    section('verdicts', lead('verdicts'), verdictsHtml(context), anchored(3, 'causes', t('docs.numbers.causes')), causesHtml(context)),
    section('sources', lead('sources'), sourcesHtml(context)),
    section('catalog', catalogHtml(context)),
  ];
}
