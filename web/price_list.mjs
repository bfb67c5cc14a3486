// A publisher's price list, read from JSON that may be anything. PRICES.md describes the file and what comes of it.
export const maxRows = 1000;
export const maxProviderLength = 80;
const maxUsd = 1e6;
const kinds = ['on-demand', 'marketplace', 'spot', 'reference', 'publisher'];

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
// Controls, lone surrogates and marks that turn or hide text.
const unprintable = /[\p{C}\p{Zl}\p{Zp}]/gu;
// What stands there, short and safe to show; what holds more is not gone into.
function shown(value) {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? '[…]' : '{…}';
  const text = String(value ?? (value === null ? null : ''));
  return (text.length > 60 ? `${text.slice(0, 60)}…` : text).replace(unprintable, '\uFFFD');
}
const isDay = (text) => typeof text === 'string' && /^20\d\d-\d\d-\d\d$/.test(text) && new Date(text).toJSON()?.startsWith(text) === true;
// Of an object the first key that is not among `keys`.
const strange = (object, keys) => Object.keys(object).find((key) => !keys.includes(key));

// What is wrong with a value that must be there: an id, or false.
const header = {
  schema: (value) => value !== 'vramfit-prices/1' && 'bad-schema',
  currency: (value) => value !== 'USD' && 'bad-currency',
  provider: (value) => (typeof value !== 'string' || !value.trim() || value.search(unprintable) >= 0 ? 'bad-provider' : value.length > maxProviderLength && 'too-long'),
  date: (value) => !isDay(value) && 'bad-date',
  prices: (value) => (!Array.isArray(value) ? 'not-a-list' : value.length > maxRows && 'too-many-rows'),
};

// `json`: the file, parsed; `catalog`: the module's. Gives { prices, problems }; `prices` is null when the list as a whole is refused.
// Each problem is { row, id, field, value }; row counts from 1, null is the list's head.
export function readPriceList(json, catalog) {
  const problems = [];
  const note = (row, id, field, value) => problems.push({ row, id, field, value: shown(value) });
  if (!isObject(json)) {
    note(null, 'not-an-object', '', json);
    return { prices: null, problems };
  }
  for (const [field, wrong] of Object.entries(header)) {
    const id = json[field] === undefined ? 'missing' : wrong(json[field]);
    if (id) note(null, id, field, id === 'too-many-rows' ? json[field].length : json[field]);
  }
  if (problems.length) return { prices: null, problems };
  const extra = strange(json, Object.keys(header));
  if (extra !== undefined) note(null, 'unknown-key', shown(extra), json[extra]);

  const idOf = new Map(catalog.gpus.map(({ id }) => [id.replaceAll('-', ''), id]));
  const rows = new Map();
  json.prices.forEach((entry, i) => {
    const known = problems.length;
    const wrong = (id, field, value) => note(i + 1, value === undefined ? 'missing' : id, field, value);
    if (!isObject(entry)) return wrong('not-an-object', '', entry);
    const { gpu, usd_per_gpu_hour: usd, kind = 'publisher' } = entry;
    const id = typeof gpu === 'string' && idOf.get(gpu.toLowerCase().replaceAll('-', ''));
    if (!id) wrong('unknown-gpu', 'gpu', gpu);
    else if (rows.has(id)) wrong('duplicate', 'gpu', gpu);
    if (typeof usd !== 'number') wrong('not-a-number', 'usd_per_gpu_hour', usd);
    else if (!(usd >= 0 && usd <= maxUsd)) wrong('out-of-range', 'usd_per_gpu_hour', usd);
    if (!kinds.includes(kind)) wrong('unknown-kind', 'kind', kind);
    const key = strange(entry, ['gpu', 'usd_per_gpu_hour', 'kind']);
    if (key !== undefined) wrong('unknown-key', shown(key), shown(entry[key]));
    if (problems.length === known) rows.set(id, { gpu: id, usd_per_gpu_hour: Number(usd.toFixed(6)), kind });
    return undefined;
  });

  const provider = json.provider.trim();
  const list = [...rows.values()];
  const table = [[provider, json.date], ...list.map(Object.values)].map((line) => `${line.join('\t')}\n`).join('');
  return { prices: { provider, date: json.date, rows: list, table }, problems };
}
