// Everything that a run finds out: compared figures, verdicts, and what was left out with the reason.

// "vllm (NIM 2.0.12)" and "vLLM" are one engine for the tables.
const engines = [
  'ik_llama',
  'llama.cpp',
  'ollama',
  'lm studio',
  'koboldcpp',
  'llama-cpp-python',
  'vllm-ascend',
  'vllm ascend',
  'vllm',
  'sglang',
  'tensorrt-llm',
  'tgi',
  'lmdeploy',
  'fastdeploy',
  'ktransformers',
  'megatron',
  'ms-swift',
  'axolotl',
  'unsloth',
  'torchtune',
  'torchtitan',
  'litgpt',
  'fsdp_qlora',
  'deepspeed',
  'llama-factory',
  'peft',
  'trl',
  'verl',
  'nemo',
  'autoawq',
  'hf-transformers',
  'transformers',
  'nim',
  'mlx',
];

export function engine_family(text) {
  const s = String(text ?? '')
    .toLowerCase()
    .trim();
  if (!s) return 'not stated';
  return engines.find((name) => s.includes(name))?.replace(' ', '-') ?? s.split(/[\s(,;]/)[0];
}

export class Records {
  comparisons = [];
  verdicts = [];
  skipped = []; // rows of which nothing was compared
  left_out = []; // quantities of a row that was otherwise used
  #used = new Set();
  #pending = new Map();

  // One figure against the same figure of every method that has it. `predict(method)` -> {low, likely, high} or null.
  compare(row, compartment, measured, answer, predict, extra = {}) {
    if (!(measured > 0) || !answer) return;
    // Half a digit is within the rounding, whatever binary fractions make of it.
    const rounding = Math.max(extra.rounding ?? 0, 5e-7) * (1 + 1e-9);
    for (const [method, result] of Object.entries(answer.methods)) {
      const predicted = predict(result, answer);
      if (!predicted || !(predicted.likely >= 0)) continue;
      this.#used.add(row);
      this.comparisons.push({
        ...place(row),
        ...about(row),
        kind: row.kind,
        engine: row.engine,
        compartment,
        method,
        basis: row.basis,
        unit: extra.unit ?? 'bytes',
        measured,
        predicted,
        error: Math.abs(predicted.likely - measured) / measured,
        bias: (predicted.likely - measured) / measured,
        // To the digit that its source prints.
        exact: Math.abs(predicted.likely - measured) <= measured * rounding,
        // Measured figures are printed rounded and exact ranges have no width.
        covered: measured * (1 + rounding) >= predicted.low && measured * (1 - rounding) <= predicted.high,
        width: (predicted.high - predicted.low) / measured,
        assumed: [...row.assumed, ...(extra.assumed ?? [])].filter(Boolean),
        share: answer.asked,
      });
    }
  }

  verdict(row, method, expected, got, extra = {}) {
    this.#used.add(row);
    const said = got === 'fits' || got === 'tight' ? 'fits' : 'does-not-fit';
    let outcome = said === expected ? 'right' : 'wrong';
    // A recommendation keeps a margin: a plan that fits in less does not contradict it.
    if (outcome === 'wrong' && expected === 'does-not-fit' && extra.firmness !== 'tested') outcome = 'margin';
    this.verdicts.push({
      ...place(row),
      kind: row.kind,
      engine: row.engine,
      method,
      basis: row.basis,
      expected,
      got,
      outcome,
      ...extra,
      assumed: [...row.assumed, ...(extra.assumed ?? [])].filter(Boolean),
    });
  }

  // Part of a row, or, when nothing else of it is used, the row.
  skip(row, reason) {
    const reasons = this.#pending.get(row) ?? [];
    if (!reasons.includes(reason)) reasons.push(reason);
    this.#pending.set(row, reasons);
  }

  // Sorts the reasons by whether anything of the row was used; rows with neither are named too.
  finish(rows) {
    for (const row of rows) {
      const reasons = this.#pending.get(row) ?? [];
      if (this.#used.has(row)) for (const reason of reasons) this.left_out.push({ ...place(row), kind: row.kind, reason });
      else
        this.skipped.push({ ...place(row), kind: row.kind, reason: reasons.join('; ') || 'no measured figure that the product answers' });
    }
  }
}

const place = ({ file, line, id }) => ({ file, line, id });
// What the case is of, in its own words.
const about = ({ data }) => ({ model: data.model ?? null, gpu: data.gpu ?? null, version: data.engine_version ?? null, source: data.source ?? null });
