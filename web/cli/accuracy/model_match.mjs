// Free-form model names -> catalogue ids. A wrong match is worse than none, so a name matches only when, after remarks, formats and
// wording such as "Instruct" are taken off, exactly the same family, version and size words remain.
import { same_shape } from './same_shape.mjs';

const word =
  /\d+x\d+(?:\.\d+)?b(?![a-z0-9])|[ae]\d+(?:\.\d+)?b(?![a-z0-9])|\d+(?:\.\d+)?[bmtk](?![a-z0-9])|\d+(?:\.\d+)?e(?![a-z0-9])|\d+(?:\.\d+)?|[a-z]+/g;

// Words that say nothing about the layers: tuning, maker, packaging, number format.
const noise = new Set(
  (
    'instruct it chat hf base meta gguf dynamic awq gptq quantized autoround hqq bnb ud xl r4 nvidia redhatai unsloth google openai microsoft ' +
    'thudm preview latest local copy dequantized mtp adapter lora model models reasoning kv safetensors special tensor optimized imatrix imat ' +
    'mlx huggingfacetb'
  ).split(' '),
);
// "Q4_K_M", "IQ3_XXS", "UD-Q4_K_XL", "w4a16" and the like, before the name is cut into words.
const format_part = new RegExp(
  [
    /(ud[-_])?i?q\d(_[a-z0-9]+)*/, // llama.cpp's types and mixes
    /iq\d[a-z]+(-w\d+q\d+k)?/, // "IQ2XXS-w2Q2K"
    /w\d+a\d+|(fp|int|bf|f|nvfp|mxfp|wint|exl)\d+|[48][- ]?bits?|qat/,
    /g(32|64|128)/, // a GPTQ group's size
  ]
    .map(({ source }) => `\\b(${source})\\b`)
    .join('|'),
  'g',
);
const is_date = (w, i, all) =>
  /^(2[0-9](0[1-9]|1[0-2])|0[1-9]\d\d|1[0-2]\d\d|20(2\d))$/.test(w) || (/^(0[1-9]|1[0-2])$/.test(w) && /^20\d\d$/.test(all[i + 1] ?? ''));

function words_of(name, keep_dates) {
  const plain = name
    .toLowerCase()
    .replace(/\.gguf$/, '')
    .replace(/-\d{5}-of-\d{5}/, '')
    .replace(/\bc4ai-/, '')
    .replace(format_part, ' ')
    .replace(/(\d)_(\d)/g, '$1.$2') // "3_3" and "v1_5" are versions
    .replace(/^(qwen2)-5-/, '$1.5-')
    .replace(/\s*\+\s*(lora|mtp|dflash|draft|adapter).*$/, '')
    .replace(/command[- ]r\+/, 'command r plus');
  const all = plain.match(word) ?? [];
  return all.filter((w, i) => !noise.has(w) && (keep_dates || !is_date(w, i, all)));
}

const is_size = (w) => /^\d+(\.\d+)?[bmt]$/.test(w);
const size_in_params = (w) => Number.parseFloat(w) * { m: 1e6, b: 1e9, t: 1e12 }[w.at(-1)];
const is_detail = (w) => is_size(w) || /^[ae]\d+(\.\d+)?b$/.test(w) || /^\d+x\d/.test(w) || /^\d+e$/.test(w);
const agrees = (size, params) => Math.abs(size_in_params(size) - params) <= 0.08 * params;

const without_maker = (name) => name.replace(/^[^/]*\//, '');
// "Qwen3-Coder-Next (80B-A3B)" -> the name, and the remark for what it says about size.
function apart(text) {
  const remarks = [...text.matchAll(/\(([^)]*)\)?/g)].map((m) => m[1]).join(' ');
  return { name: without_maker(text.replace(/\([^)]*\)?/g, ' ').trim()), remarks };
}

export class ModelMatch {
  #exact = new Map(); // words with dates -> model
  #plain = new Map(); // words without dates -> model, or null when two models share them
  #same = new Map();
  #models = new Map();

  // `hub_ids`: {catalogue id: hub id}, when known.
  constructor(models, hub_ids = {}) {
    for (const m of models) {
      this.#models.set(m.id, m);
      for (const name of new Set([m.id, m.name, hub_ids[m.id]].filter(Boolean).map(without_maker))) {
        this.#exact.set(words_of(name, true).join(' '), m);
        const key = words_of(name, false).join(' ');
        const other = this.#plain.get(key);
        this.#plain.set(key, other === undefined || other === m ? m : null);
      }
    }
    for (const [words, id, why] of same_shape) if (this.#models.has(id)) this.#same.set(words, { model: this.#models.get(id), why });
  }

  // -> {model, why} or null. `why` names the stand-in when the row's model is not itself in the catalogue.
  find(text) {
    if (typeof text !== 'string' || !text.trim()) return null;
    const { name, remarks } = apart(text);
    const dated = words_of(name, true);
    const plain = words_of(name, false);
    for (const words of [dated, plain, this.#without_repeats(plain)]) {
      const key = words.join(' ');
      const model = this.#exact.get(key) ?? this.#plain.get(key);
      if (model) return this.#sizes_agree(model, remarks) ? { model, why: null } : null;
      const twin = this.#same.get(key);
      if (twin) return this.#sizes_agree(twin.model, remarks) ? twin : null;
    }
    return this.#by_size(plain, remarks) ?? this.#with_remark(name, remarks);
  }

  // "Llama-4 (Scout)": the remark completes the name.
  #with_remark(name, remarks) {
    const added = words_of(remarks, false);
    if (added.length !== 1 || is_detail(added[0])) return null;
    const model = this.#plain.get([...words_of(name, false), ...added].join(' '));
    return model ? { model, why: null } : null;
  }

  #without_repeats(words) {
    return words.filter((w, i) => words.indexOf(w) === i);
  }

  // The name with sizes added or left out ("DeepSeek-V3 671B", "command-r 35B"): the rest must be one catalogue name, and every
  // size given must be that model's.
  #by_size(words, remarks) {
    const bare = words.filter((w) => !is_detail(w));
    const sizes = words.filter(is_size);
    if (sizes.length === 0 || bare.length === 0) return null;
    const model = this.#plain.get(bare.join(' '));
    const twin = this.#same.get(bare.join(' '));
    const found = model ? { model, why: null } : (twin ?? null);
    if (!found || !sizes.every((s) => agrees(s, found.model.stated_params))) return null;
    return this.#sizes_agree(found.model, remarks) ? found : null;
  }

  // A remark such as "(80B-A3B)" or "(14B)" must not contradict the match.
  #sizes_agree(model, remarks) {
    const size = (remarks.toLowerCase().match(word) ?? []).find(is_size);
    return !size || size.endsWith('m') || Math.abs(size_in_params(size) - model.stated_params) <= 0.15 * model.stated_params;
  }
}

// The total size that a name states ("ERNIE-4.5-300B-A47B", "DBRX (132B)", "dense 7B (class)"), for the product's bare-size input.
// Names that state a size per expert ("8x7B", "17B-16E") say nothing about the total.
export function stated_size(text) {
  if (typeof text !== 'string') return null;
  const all = without_maker(text).toLowerCase().match(word) ?? [];
  if (all.some((w) => /^\d+x\d/.test(w) || /^\d+e$/.test(w))) return null;
  const odd = /\b(\d+)b(\d)\b/.exec(text.toLowerCase()); // "bloomz-7b1"
  if (odd && all.filter(is_size).length === 0) return Number(`${odd[1]}.${odd[2]}`) * 1e9;
  const sizes = all.filter((w) => is_size(w) && !w.endsWith('m'));
  return sizes.length > 0 && sizes.every((s) => s === sizes[0]) ? size_in_params(sizes[0]) : null;
}
