// The marks that the engine method is held to, and what a run reaches of each. Only models that the catalogue knows count; what is not
// measured in a run has no verdict.
import { comparison_groups } from './stats.mjs';

const gib = 2 ** 30;
const one_of = (...names) => (c) => names.includes(c.compartment);
const vllm = (c) => /vllm|^nim$/.test(c.engine);
const llama = (c) => c.kind === 'gguf';
const share = (items, test) => items.filter(test).length / items.length;

// `of` picks compared figures; `verdict` says of a verdict whether it is right, or null where the statement does not ask that. `figure`
// is what is taken of them, `most` and `least` are what it may be.
const marks = [
  { id: 'weights', of: one_of('weights'), figure: 'median_error', most: 0.005 },
  { id: 'weights', of: one_of('weights'), figure: 'p90_error', most: 0.03 },
  { id: 'kv_per_token', of: one_of('kv_per_token', 'kv_per_request'), figure: 'within_tenth_percent', least: 0.98 },
  { id: 'vllm_pool', of: (c) => vllm(c) && one_of('pool')(c), figure: 'median_difference', most: 0.15 * gib },
  { id: 'vllm_pool', of: (c) => vllm(c) && one_of('pool')(c), figure: 'p90_difference', most: gib },
  { id: 'vllm_tokens', of: (c) => vllm(c) && one_of('tokens', 'max_concurrency')(c), figure: 'within_2_percent', least: 0.9 },
  { id: 'vllm_pages', of: (c) => vllm(c) && one_of('pool_tokens', 'pool_requests')(c), figure: 'within_2_percent', least: 0.9 },
  { id: 'llama_cache', of: (c) => llama(c) && /^(kv|state)/.test(c.compartment), figure: 'exact', least: 0.98 },
  { id: 'llama_compute', of: (c) => llama(c) && one_of('activations')(c), figure: 'median_error', most: 0.02 },
  { id: 'llama_compute', of: (c) => llama(c) && one_of('activations')(c), figure: 'p90_error', most: 0.1 },
  { id: 'llama_total', of: (c) => llama(c) && /^total/.test(c.compartment), figure: 'median_error', most: 0.02 },
  { id: 'ranges', of: (c) => c.width > 0, figure: 'coverage', least: 0.75, most: 0.9 },
  { id: 'total_range', of: (c) => /^total/.test(c.compartment), figure: 'coverage', least: 0.75, most: 0.9 },
  { id: 'total_range', of: (c) => /^total/.test(c.compartment), figure: 'median_width', most: 0.12 },
  { id: 'verdicts_works', verdict: (v) => v.not_impossible ?? (v.expected === 'fits' ? v.outcome === 'right' : null), figure: 'right', least: 0.95 },
  { id: 'verdicts_refused', verdict: (v) => v.not_silent ?? (v.expected === 'fits' ? null : v.got !== 'fits'), figure: 'right', least: 0.9 },
  { id: 'verdicts_cause', verdict: (v) => v.same_class ?? null, figure: 'right', least: 0.85 },
];

const figures = {
  // Pools and tokens of small caches are printed more coarsely than that.
  within_tenth_percent: (items) => share(items, (c) => c.error <= 0.001 || c.exact),
  // Some builds pad quantized layers by a few bytes: a range that narrow is one figure.
  exact: (items) => share(items, (c) => c.exact || (c.covered && c.width < 0.001)),
  right: (items) => share(items, Boolean),
};

// -> [{id, figure, count, reached, most, least, met}]: bytes for differences, shares for the rest; `met` null where nothing was measured.
export function bars(result) {
  const compared = result.comparisons.filter((c) => c.method === 'engine' && c.basis === 'catalogue');
  const judged = result.verdicts.filter((v) => v.method === 'engine' && v.firmness === 'tested');
  return marks.map(({ id, of, verdict, figure, most = null, least = null }) => {
    const items = of ? compared.filter(of) : judged.map(verdict).filter((v) => v !== null);
    const reached = items.length === 0 ? null : figures[figure] ? figures[figure](items) : comparison_groups(items, [])[0][figure];
    const met = reached === null ? null : (most === null || reached <= most) && (least === null || reached >= least);
    return { id, figure, count: items.length, reached, most, least, met };
  });
}

const names = {
  weights: 'weights per GPU',
  kv_per_token: 'KV bytes per token or request',
  vllm_pool: 'vLLM: pool',
  vllm_tokens: 'vLLM: tokens and concurrency',
  vllm_pages: 'vLLM: both of the printed pool',
  llama_cache: 'llama.cpp: KV cache and state',
  llama_compute: 'llama.cpp: compute buffer',
  llama_total: 'llama.cpp: total',
  ranges: 'ranges of all compartments',
  total_range: "total's range",
  verdicts_works: 'ran: not called impossible',
  verdicts_refused: 'did not: refused or warned of',
  verdicts_cause: 'refusals: cause of the same class',
};
const figure_names = {
  median_error: 'median error',
  p90_error: '9 in 10 within',
  median_difference: 'median',
  p90_difference: '9 in 10 within',
  within_tenth_percent: 'within 0.1%',
  within_2_percent: 'within 2%',
  exact: 'exact as printed',
  coverage: 'measured inside',
  median_width: 'median width',
  right: 'right',
};
const written = (bar, v) =>
  v === null ? '-' : /difference/.test(bar.figure) ? `${(v / gib).toFixed(2)} GiB` : `${(v * 100).toFixed(v < 0.0995 ? 2 : 1)}%`;

// Lines of the text report; none where the engine method has answered nothing.
export function bars_text(list) {
  if (list.every((bar) => bar.count === 0)) return [];
  const limit = (bar) =>
    bar.most === null
      ? `at least ${written(bar, bar.least)}`
      : bar.least === null
        ? `at most ${written(bar, bar.most)}`
        : `${written(bar, bar.least)} to ${written(bar, bar.most)}`;
  return [
    'MARKS that the engine method is held to, on models of the catalogue, and what it reaches here:',
    '',
    ...list.map((bar) =>
      [
        names[bar.id].padEnd(33),
        figure_names[bar.figure].padEnd(16),
        String(bar.count).padStart(5),
        written(bar, bar.reached).padStart(9),
        ` ${limit(bar).padEnd(18)}`,
        bar.met === null ? 'not measured' : bar.met ? 'met' : 'MISSED',
      ].join(' '),
    ),
  ];
}
