// The answer as Markdown (GitHub's kind), to paste into an issue: sentence, compartments, both methods, the best GPUs, what there is
// to remark, and every formula with its source. Whatever a link may say stands there as text and nothing else: no markup, no mention
// of anybody, no link but the configuration's own.
import { isAddress } from './link.mjs';

const shownCards = 10;
const joiner = '\u2060';  // shows nothing, and keeps @name and #1 from being looked up

export function plainText(text) {
  return String(text)
    .replace(/[\s\u0000-\u001f\u007f]+/g, (space) => (/^[\u00a0\u202f]+$/.test(space) ? space : ' ')).trim()
    .replace(/[\\`*_[\]<>|~&$^]/g, '\\$&')
    .replace(/:(?=\/\/)|(?<=www)\./gi, '\\$&')
    .replace(/[@#](?=\w)/g, `$&${joiner}`);
}

// A paragraph must not start like a list, a heading or a rule.
const paragraph = (text) => plainText(text).replace(/^([#+=-])/, '\\$1').replace(/^(\d+)([.)])/, '$1\\$2');

// Text as it is, in as many backticks as it takes.
function code(text) {
  const plain = text.replace(/[\r\n]+/g, ' ');
  const fence = '`'.repeat(Math.max(0, ...(plain.match(/`+/g) ?? []).map((run) => run.length)) + 1);
  const padding = /^`|`$/.test(plain) ? ' ' : '';
  return `${fence}${padding}${plain}${padding}${fence}`;
}

// Where the configuration is: a link to follow, or the share string. Even in a link, `&amp;` would be read as a mark of its own.
const linkText = (link) => (isAddress(link) ? `<${link.replace(/[<>\s;]/g, encodeURIComponent)}>` : code(link));

// Columns are {name, right}, rows are lists of cells. Columns without content are left out.
function table(columns, rows) {
  const kept = columns.map((_, i) => rows.some((cells) => cells[i]));
  const line = (cells) => `| ${cells.filter((_, i) => kept[i]).join(' | ')} |`;
  return [line(columns.map(({ name }) => plainText(name))), line(columns.map(({ right }) => (right ? '--:' : '---'))), ...rows.map((cells) => line(cells.map((cell) => cell ?? '')))].join('\n');
}

const bold = (text) => (text ? `**${plainText(text)}**` : '');
const optional = (text) => (text ? plainText(text) : '');

function compartmentTable(view, { t }) {
  const { rows, need, needAll, count, free } = view.compartments;
  const all = (text) => (count > 1 ? text : '');
  return table(
    [{ name: t('page.compartment') }, { name: t('page.per_gpu'), right: true }, { name: t('export.range'), right: true }, { name: t('page.all_gpus', { count }), right: true }, { name: t('page.share'), right: true }],
    [
      ...rows.map((row) => [plainText(row.label), plainText(row.perGpu), optional(row.range), all(plainText(row.all)), plainText(row.share)]),
      [bold(t('page.total')), bold(need), '', all(bold(needAll)), ''],
      ...(free ? [[plainText(t('export.unused')), plainText(free.figure), '', '', '']] : []),
    ],
  );
}

function methodTable(view, { t }) {
  return table([{ name: t('field.method') }, { name: t('page.total'), right: true }, { name: t('export.range') }, { name: '' }], view.methods.filter((m) => m.total).map((m) => [
    m.used ? bold(m.name) : plainText(m.name), plainText(m.least ? t('method.least', { need: m.total }) : m.total), optional(m.range), plainText(m.note),
  ]));
}

function fitTable(rows, { t }) {
  return table(
    [{ name: t('page.fit.gpu') }, { name: t('page.fit.smallest') }, { name: t('export.free') }, { name: t('export.cost'), right: true }, { name: t('page.fit.price') }],
    rows.map(({ name, smallest, price, why }) => [
      plainText(name),
      plainText(t('answer.gpus', { count: smallest.count }) + (smallest.verdict === 'tight' ? ` (${t('verdict.tight')})` : '')),
      smallest.verdict === 'fits' ? plainText(smallest.free) : optional(why),
      optional(smallest.cost),
      price ? plainText(`${price.perGpu}, ${price.note}`) : plainText(t('page.fit.no_price')),
    ]),
  );
}

function fitBlocks(view, text) {
  const { t } = text;
  const holding = view.fit.filter((row) => row.smallest);
  const more = holding.length - shownCards;
  const unfit = view.fit.length - holding.length;
  return [
    holding.length ? fitTable(holding.slice(0, shownCards), text) : paragraph(t('page.fit.nothing')),
    [more > 0 && t('export.more', { count: more }), unfit > 0 && t('page.fit.unfit', { count: unfit })].filter(Boolean).map((line) => `${paragraph(line)}.`).join(' '),
    view.cheapest && `${paragraph(t('page.fit.cheapest', view.cheapest))}.`,
    view.layoutNotes.length > 0 && `${paragraph(`${t('verdict.unusable')}: ${view.layoutNotes.join('; ')}`)}.`,
  ];
}

// What an engine's log will say.
const logTable = ({ log }, { t }) => table([{ name: t('engine.log') }, { name: '', right: true }, { name: t('export.range'), right: true }], log.map(({ label, value, range }) => [plainText(label), plainText(value), optional(range)]));

// The methods side by side.
function differenceBlocks({ lead, columns, rows }, { t }) {
  return [
    paragraph(lead),
    table([{ name: t('page.compartment') }, ...columns.map((name) => ({ name, right: true }))], rows.map(({ label, cells }) => [plainText(label), ...cells.map((cell) => plainText(cell ?? t('differ.none')))])),
    list(rows.filter(({ says }) => says).map(({ label, says }) => `${plainText(label)}: ${plainText(says)}`)),
  ];
}

const list = (items) => items.map((item) => `- ${item}`).join('\n');

// `view` is explain()'s for `result`, which is no refused one; `text` has the part `export` in it.
export function answerMarkdown({ result, view, text, link }) {
  const { t } = text;
  const c = view.compartments;
  const notices = view.notices.map((n) => `**${plainText(t(`severity.${n.severity}`))}:** ${plainText(n.text)}`);
  const terms = c.rows.flatMap((row) => row.terms.map((term) => `${plainText(row.label)}: ${plainText(term.text)} = ${plainText(term.bytes)}. *${plainText(term.source)}*`));
  const heading = (text) => `### ${plainText(text)}`;
  return `${[
    `## ${plainText(view.sentence)}`,
    view.incomplete && paragraph(view.incomplete),
    heading(c.title),
    compartmentTable(view, text),
    c.split && paragraph(c.split),
    ...(view.engine ? [heading(view.engine.on), view.engine.says && paragraph(view.engine.says), logTable(view.engine, text)] : []),
    heading(t('page.methods')),
    methodTable(view, text),
    paragraph(view.difference),
    ...(view.differences ? differenceBlocks(view.differences, text) : []),
    heading(t('page.fit')),
    ...fitBlocks(view, text),
    ...(notices.length ? [heading(t('page.notices')), list(notices)] : []),
    ...(terms.length ? [heading(t('page.sources.methods')), list(terms)] : []),
    [link && linkText(link), paragraph(t('export.data', { version: result.version, date: view.catalogDate }))].filter(Boolean).join('\\\n'),
  ].filter(Boolean).join('\n\n')}\n`;
}
