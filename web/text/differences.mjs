// Why the methods differ: in two sentences, and as a table that lays them side by side, use by use.
import { engineName, hasPool } from './engine.mjs';

const part = (method, id) => method.compartments.find((c) => c.id === id);

// What sets rule and worksheet apart.
export function difference(result, { t, format }) {
  const { rule, worksheet } = result.methods;
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
  const kind = !result.model.params ? 'bare' : result.inputs.task !== 'serve' ? 'training' : part(rule, 'margin') ? 'serve' : 'serve_cache';
  const sum = worksheet.total_bytes.likely;
  const units = t('method.why.units', { gib: format.in('GiB', sum), gb: format.in('GB', sum) });
  return `${t(`method.why.${kind}`, values, { tokens: live })} ${units}`;
}

// Rows of the table: which compartments each method's figure is of.
const table = [
  { id: 'weights', parts: ['weights'] },
  { id: 'cache', parts: ['kv_cache', 'state'] },
  { id: 'activations', parts: ['activations', 'encoder'] },
  { id: 'runtime', parts: ['reserve', 'communication', 'graphs', 'workspace', 'buffers', 'request_table'] },
  { id: 'extra', parts: ['draft', 'adapters'] },
  { id: 'spare', parts: ['margin', 'headroom'] },
];

// {lead, columns, rows: [{id, label, cells, says}]} or null where the engine has no part in the answer.
export function differences(result, names, text) {
  const { t, format } = text;
  const { methods, engine, inputs, model, chosen } = result;
  if (!methods.engine || !engine) return null;
  const order = ['rule', 'worksheet', 'engine'];
  const bytes = (value) => format.bytes(value, 'GiB');
  const name = engineName(result, text);
  const pooled = hasPool(result);
  const headroom = part(methods.worksheet, 'headroom')?.terms[0]?.values.percent ?? 0;
  const live = inputs.context * inputs.sequences;
  const whole = (value) => format.number(value);
  const blocks = pooled
    ? t(engine.pool_bytes.likely > 0 ? 'differ.says.cache.blocks' : 'differ.says.cache.no_pool', { block: whole(engine.block_tokens || 1), pool: bytes(engine.pool_bytes.likely) }, { block: engine.block_tokens || 1 })
    : t('differ.says.cache.cells');
  const says = {
    weights: t('differ.says.weights', { stated: format.params(model.stated_params), exact: format.params(model.params), engine: name }),
    cache: t('differ.says.cache', { rule: t(part(methods.rule, 'margin') ? 'differ.says.cache.rule' : 'differ.says.cache.rule_counts'), tokens: whole(live), engine: name, blocks }, { tokens: live }),
    activations: engine.max_num_seqs > 0 && engine.max_num_batched_tokens > 0
      ? t('differ.says.activations', { seqs: whole(engine.max_num_seqs), batched: whole(engine.max_num_batched_tokens) })
      : t('differ.says.activations_exact'),
    runtime: t('differ.says.runtime'),
    extra: t('differ.says.extra'),
    spare: t(part(methods.rule, 'margin') ? 'differ.says.spare' : 'differ.says.spare_none', { headroom: format.percent(headroom) }),
    against: t(pooled ? 'differ.says.against' : 'differ.says.against_exact', { engine: name }),
  };
  const rows = table.map(({ id, parts }) => {
    const figures = order.map((method) => {
      const found = methods[method].compartments.filter((c) => parts.includes(c.id));
      return found.length ? found.reduce((sum, c) => sum + c.per_gpu_bytes.likely, 0) : null;
    });
    return { id, label: t(`differ.row.${id}`), figures, says: says[id] };
  }).filter(({ figures }) => figures.some((value) => value > 0));
  const sum = (method) => methods[method].compartments.reduce((total, c) => total + c.per_gpu_bytes.likely, 0);
  const shown = (value) => (value === null ? null : bytes(value));
  const gpu = chosen && names.entry(chosen.gpu);
  return {
    lead: chosen ? t('differ.lead', { gpus: `${chosen.count}x ${names.short(chosen.gpu)}` }) : t('differ.lead_alone'),
    columns: order.map((id) => (id === 'engine' ? name : t(`method.${id}`))),
    rows: [
      ...rows.map(({ figures, ...row }) => ({ ...row, cells: figures.map(shown) })),
      { id: 'total', label: t('differ.row.total'), cells: order.map((id) => bytes(sum(id))), says: null },
      ...(gpu ? [{
        id: 'against', label: t('differ.row.against'), says: says.against,
        cells: [bytes(gpu.marketed_gb * 1e9), bytes(gpu.usable_mib * 2 ** 20), bytes(engine.budget_bytes || engine.usable_bytes)],
      }] : []),
    ],
  };
}
