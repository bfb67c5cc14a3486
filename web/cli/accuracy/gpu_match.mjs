// GPU names -> catalogue ids, through the product's own aliases. The memory that a name states must be the card's.

// Not in the catalogue, but the driver reports the same memory as for the card named here.
const same_memory = {
  a800: 'a100-80gb',
  'a800-80gb': 'a100-80gb',
  'h20-141': 'h200',
  'h20-141gb': 'h200',
  l20: 'l40',
  'l20-48gb': 'l40',
};

// Not in the catalogue, but of the make of the card named here: asked as that card with its own memory. [pattern, id, GiB the runtime
// reports, by the same share of the memory as on that card]
const same_make = [
  [/orin nx 16 ?GB/i, 'jetson-agx-orin-32gb', 14.92],
  [/orin nano 8 ?GB/i, 'jetson-agx-orin-32gb', 7.46],
  [/ryzen ai max.*\b64 ?GB/i, 'ryzen-ai-max-395-128gb', 48],
];

// Names of cards that were sold in two sizes: without one, the statement is about either.
const two_sizes = { a100: ['a100-40gb-sxm', 'a100-80gb-sxm'], v100: ['v100-16gb', 'v100-32gb'] };

const memory_in = (text) =>
  [...text.matchAll(/(\d+(?:[.,]\d+)?)\s*(GB|GiB|MiB|MB)\b/gi)].map(
    (m) => Number(m[1].replace(',', m[1].includes('.') ? '' : /,\d{3}$/.test(m[1]) ? '' : '.')) * (/^m/i.test(m[2]) ? 1 / 1024 : 1),
  );

const slug = (text) =>
  text
    .toLowerCase()
    .replace(/\+/g, '')
    .replace(/[^a-z0-9.]+/g, '-')
    .replace(/^-+|-+$/g, '');

// Spellings of one name to try, the fullest first.
function spellings(name) {
  const plain = name
    .replace(/\b(about|class|gpus?|cards?|unified|per[- ]die|named|nvidia|amd|tesla)\b/gi, ' ')
    .replace(/^\s*\d+\s*x\s+/i, '');
  const full = slug(plain);
  const short = slug(plain.replace(/(\d+(?:[.,]\d+)?)\s*(GB|GiB|MiB|MB)\b/gi, ' '));
  return [...new Set([full, short, slug(plain.replace(/(\d+)\s*GB/gi, '$1gb'))].filter(Boolean))];
}

export class GpuMatch {
  #product;
  #by_id;
  #cache = new Map();

  constructor(product) {
    this.#product = product;
    this.#by_id = new Map(product.catalog.gpus.map((g) => [g.id, g]));
  }

  // -> {gpus: [catalogue rows], assumed} or {missing: text}. Several when the row names several.
  find(text) {
    if (typeof text !== 'string' || !text.trim()) return { missing: null };
    if (!this.#cache.has(text)) this.#cache.set(text, this.#find(text.trim()));
    return this.#cache.get(text);
  }

  #find(text) {
    if (/\s\+\s|\bx\d\b/i.test(text) || /\d+ GPUs?\b.*\bor\b/i.test(text) || /\bMIG\b|\bTPU\b/i.test(text)) return { missing: text };
    const memory = memory_in(text);
    const make = same_make.find(([pattern]) => pattern.test(text));
    if (make && this.#by_id.has(make[1]))
      return { gpus: [this.#by_id.get(make[1])], knobs: { measured_total_gib: make[2] }, assumed: `${text} as ${make[1]} of ${make[2]} GiB` };
    const either = memory.length === 0 ? two_sizes[slug(text)] : null;
    if (either) return { gpus: either.map((id) => this.#by_id.get(id)), some_card: true, assumed: `${text} of either size` };
    if (/^apple silicon/i.test(text)) return this.#apple(memory) ?? { missing: text };
    const outside = text.replace(/\([^)]*\)/g, ' ').trim();
    const inside = [...text.matchAll(/\(([^)]*)\)/g)].map((m) => m[1]).join(' ');
    for (const part of [outside, inside]) {
      const names = part.split(/\s*(?:\/|,|\bor\b)\s*/).filter(Boolean);
      // Where some of several names state their memory, it is theirs alone.
      const own = names.length > 1 && names.some((name) => memory_in(name).length > 0);
      const found = names.map((name) => this.#one(name, own ? memory_in(name) : memory)).filter(Boolean);
      if (found.length > 0 && (found.length === names.length || part === inside)) {
        const gpus = [...new Set(found.map((f) => f.gpu))];
        return { gpus, assumed: found.map((f) => f.assumed).find(Boolean) ?? (gpus.length > 1 ? 'every GPU named' : undefined) };
      }
    }
    return this.#by_memory(text, memory) ?? { missing: text };
  }

  #one(name, memory) {
    for (const spelling of spellings(name)) {
      const known = same_memory[spelling] ?? spelling;
      const hit = this.#product.gpu_named(known);
      if (!hit) continue;
      const gpu = this.#by_id.get(hit.id);
      const fits =
        memory.length === 0 ||
        memory.some((m) => Math.abs(m - gpu.marketed_gb) <= 0.09 * gpu.marketed_gb || Math.abs(m - gpu.usable_mib / 1024) <= 0.09 * m);
      if (!fits) continue;
      return { gpu, assumed: hit.ambiguous && memory.length === 0 ? `${name.trim()} as ${gpu.id}` : undefined };
    }
    return null;
  }

  // "24 GB GPU", "48 GB class": some card of that size; the least and the most usable memory stand for all.
  #by_memory(text, memory) {
    if (memory.length === 0 || !/\b(gpu|class|card)\b/i.test(text) || /\bunder\b|listed/i.test(text)) return null;
    const size = memory.find((m) => Number.isInteger(m)) ?? null;
    const all = this.#product.catalog.gpus.filter((g) => g.marketed_gb === size && !['unified', 'laptop', 'superchip'].includes(g.form));
    if (all.length === 0) return null;
    const [least, most] = [(a, b) => b.usable_mib < a.usable_mib, (a, b) => b.usable_mib > a.usable_mib].map((better) =>
      all.reduce((a, b) => (better(a, b) ? b : a)),
    );
    return { gpus: [...new Set([least, most])], some_card: true, assumed: `some ${size} GB card: ${least.id} to ${most.id}` };
  }

  // Apple's GPUs of one memory size have the same share of it.
  #apple(memory) {
    const apple = this.#product.catalog.gpus.filter((g) => g.id.startsWith('apple-'));
    const gpu = apple.find((g) => memory.includes(g.marketed_gb)) ?? (memory.length > 0 ? apple.find((g) => g.marketed_gb === 64) : null);
    return gpu ? { gpus: [gpu], assumed: `Apple silicon as ${gpu.id}` } : null;
  }
}
