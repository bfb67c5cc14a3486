// What things are called: GPUs short and exact, weights by group, models with or without a catalogue entry.

const memory = / \d+ ?GB$/;
const maker = /^(GeForce|Radeon|Instinct) (?=R[TX]X? |MI)/;

function nameParts(name) {
  const plain = name.replace(/ \([^)]*\)/, '').replace(maker, '');
  const exact = plain.replace(memory, '');
  return { stem: exact.replace(/ (SXM\d?|PCIe)$/, ''), family: exact.replace(/ (SXM\d?|PCIe|NVL)$/, '') };
}

// "H200 SXM" is "H200" as long as no other card under comparison is; "H100 SXM 80GB" keeps its size ("H100 80 GB") because the
// name comes in several. Where that still leaves two cards of one name, both are given in full.
export function createGpuNames(catalog) {
  const byId = new Map(catalog.gpus.map((g) => [g.id, g]));
  const parts = new Map(catalog.gpus.map((g) => [g.id, nameParts(g.name)]));
  const sizes = new Map();
  for (const g of catalog.gpus) {
    const { family } = parts.get(g.id);
    if (!sizes.has(family)) sizes.set(family, new Set());
    sizes.get(family).add(g.marketed_gb);
  }
  function brief(id) {
    const { stem, family } = parts.get(id);
    return stem === family && sizes.get(family).size > 1 ? `${stem} ${byId.get(id).marketed_gb} GB` : stem;
  }
  return {
    entry: (id) => byId.get(id),
    // Names for one comparison: `among` holds the ids compared.
    within(among) {
      const uses = new Map();
      for (const id of new Set(among)) uses.set(brief(id), (uses.get(brief(id)) ?? 0) + 1);
      return { models: catalog.models, gpus: catalog.gpus, entry: (id) => byId.get(id), short: (id) => (uses.get(brief(id)) > 1 ? byId.get(id).name : brief(id)) };
    },
  };
}

const groups = [
  ['native', /^native$/],
  ['gguf', /^(i?q\d|f16$|mxfp4_moe$|tq\d)/],
  ['16', /^(fp32|bf16|fp16)$/],
  ['8', /^(fp8|int8)/],
  ['4', /^(int4|nf4|mxfp4|nvfp4|fp4)/],
];
export const weightsGroup = (id) => groups.find(([, pattern]) => pattern.test(id))?.[0] ?? 'other';

export function modelName(result, { t, format }) {
  return result.model.name || t('answer.bare', { params: format.params(result.model.stated_params) });
}
