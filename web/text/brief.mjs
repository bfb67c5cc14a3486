// The answer in brief: the sentence, what fills one GPU, and the smallest that hold it. explain() goes on from
// here, so that wherever only this much is said, it is the same.
import { createAnswer } from './answer.mjs';
import { compartmentRows } from './compartments.mjs';
import { ownUnit } from './format.mjs';
import { createGpuNames } from './names.mjs';
import { noticeText } from './notices.mjs';
import { priceNote } from './price_note.mjs';
import { bestFirst, smallestOf } from './smallest.mjs';

const namesOf = new WeakMap();
// Names for the GPUs that a result compares.
export function namesFor(result, catalog) {
  if (!namesOf.has(catalog)) namesOf.set(catalog, createGpuNames(catalog));
  return namesOf.get(catalog).within(result.fit?.map((row) => row.gpu) ?? []);
}

function compartments(result, names, own, text) {
  const { t, format } = text;
  const { chosen } = result;
  const { rows, sum, sumAll } = compartmentRows(result, own, text);
  const capacity = result.fit.find((row) => row.gpu === chosen?.gpu)?.capacity_bytes ?? 0;
  const need = format.bytes(sum, own);
  return {
    rows,
    sum,
    count: chosen?.count ?? 1,
    capacity,
    need,
    needAll: format.bytes(sumAll, own),
    free: capacity > sum ? { bytes: capacity - sum, figure: format.bytes(capacity - sum, own), share: format.share((capacity - sum) / capacity) } : null,
    title: t(!chosen ? 'page.compartments.alone' : sum > capacity ? 'page.compartments.over' : 'page.compartments.on',
      { gpus: chosen && `${chosen.count}x ${names.short(chosen.gpu)}`, need, capacity: format.bytes(capacity, own) }),
  };
}

export function brief(result, catalog, text) {
  const { t, parts, format } = text;
  const names = namesFor(result, catalog);
  const own = ownUnit(result.method ?? result.inputs.method);
  const answer = createAnswer(result, catalog, names, own, text);
  const view = {
    state: answer.state,
    key: answer.key,
    sentence: t(answer.key, answer.values),
    sentenceParts: parts(answer.key, answer.values),
    notices: result.notices.map((n) => ({ severity: n.severity, field: n.field, text: noticeText(n, names, text) })),
    refused: result.refused,
    share: result.share,
    catalogDate: format.date(result.catalog_date),
  };
  if (result.refused) return view;
  return Object.assign(view, { compartments: compartments(result, names, own, text) });
}

// The GPUs of which the fewest hold it, at most `most`: [{name, note, smallest}].
export function bestRows(result, catalog, text, most = 3) {
  const names = namesFor(result, catalog);
  const own = ownUnit(result.method);
  const { layouts } = result.methods[result.method];
  const rows = result.fit.map((row) => ({
    name: names.entry(row.gpu).name,
    note: row.price && priceNote(row.price, text),
    capacity: row.capacity_bytes,
    smallest: smallestOf(row, layouts, names.short(row.gpu), own, text),
  }));
  return bestFirst(rows.filter((row) => row.smallest)).slice(0, most);
}
