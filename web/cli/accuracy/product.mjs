// The product as this program uses it: share strings in, plain figures out.

const encode = (value) => encodeURIComponent(String(value)).replace(/%2C/gi, ',').replace(/%3A/gi, ':');

// Figures per GPU mean something only when they are for the count that was asked.
const itemised = (answer, count) => !count || (answer.chosen?.count ?? count) === count;

// What a framework's allocator counts, as against the whole process: everything but the process's own reserve and the headroom.
const outside_allocator = new Set(['reserve', 'headroom']);

export class Product {
  #core;
  #answers = new Map();
  #gpus = new Map();
  #keys;

  constructor(core) {
    this.#core = core;
    this.catalog = core.catalog();
    this.#keys = new Map(this.catalog.fields.map((f) => [f.key, f]));
    this.methods = this.choices('method');
  }

  choices(key) {
    return this.#keys.get(key)?.choices ?? [];
  }

  // The largest number of GPUs the product can be asked about.
  get max_count() {
    return this.#keys.get('count')?.maximum ?? 8;
  }

  // Inputs the product does not have, or choices it does not offer, are left out: it then answers with its default.
  share(inputs) {
    const parts = [];
    for (const [key, value] of Object.entries(inputs)) {
      const field = this.#keys.get(key);
      if (!field || value === undefined || value === null) continue;
      if (field.choices?.length > 0 && field.kind === 'choice' && !field.choices.includes(String(value))) continue;
      parts.push(`${key}=${encode(value)}`);
    }
    return parts.join('&');
  }

  // -> the product's answer, or null when it refused the inputs.
  ask(inputs) {
    return this.answer(inputs).answer;
  }

  // -> {answer, refusal}: one of the two is null.
  answer(inputs) {
    // Naming the GPU makes the figures those of `count` GPUs even where nothing fits.
    const share = this.share({ gpus: 'h100-sxm', gpu: inputs.gpus ?? 'h100-sxm', ...inputs });
    if (!this.#answers.has(share)) {
      const got = this.#core.estimate(share);
      const good = got && !got.refused && got.methods && itemised(got, inputs.count);
      const errors = (got?.notices ?? []).filter((n) => n.severity === 'error').map((n) => `${n.id}${n.value ? ` (${n.value})` : ''}`);
      this.#answers.set(share, {
        answer: good ? { ...got, asked: share } : null,
        refusal: good ? null : errors.join(', ') || 'figures of another count',
      });
    }
    return this.#answers.get(share);
  }

  gpu_named(name) {
    if (!this.#gpus.has(name)) {
      const answer = this.#core.estimate(`gpus=${encode(name)}`);
      const notices = answer?.notices ?? [];
      const unknown = notices.some((n) => n.id === 'unknown-gpu' || n.id === 'no-gpus');
      const row = unknown ? null : answer?.fit?.[0];
      this.#gpus.set(
        name,
        row && answer.fit.length === 1 ? { id: row.gpu, ambiguous: notices.some((n) => n.id === 'ambiguous-gpu') } : null,
      );
    }
    return this.#gpus.get(name);
  }
}

const add = (a, b) => ({ low: a.low + b.low, likely: a.likely + b.likely, high: a.high + b.high });
const zero = { low: 0, likely: 0, high: 0 };

// Bytes of one compartment on the fullest GPU, or of one whole copy over all; null when the method has no such compartment.
export function compartment(method, id, whole = false) {
  const c = method.compartments.find((x) => x.id === id);
  return c ? (whole ? c.total_bytes : c.per_gpu_bytes) : null;
}

export function sum_of(method, ids, whole = false) {
  const found = ids.map((id) => compartment(method, id, whole)).filter(Boolean);
  return found.length > 0 ? found.reduce(add, zero) : null;
}

// Everything on the fullest GPU as an allocator would count it (`process`: with the process's reserve). Headroom is never in use.
export function in_use(method, { process = false } = {}) {
  const ids = method.compartments.map((c) => c.id).filter((id) => id !== 'headroom' && (process || !outside_allocator.has(id)));
  return sum_of(method, ids);
}

export const scaled = (range, factor) => ({ low: range.low * factor, likely: range.likely * factor, high: range.high * factor });
