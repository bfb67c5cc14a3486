// Verdicts: does the product say that this fits these GPUs? By each of its methods in turn.
import { named_causes, score } from './causes.mjs';

// Why a row's count cannot be asked of the product, or null.
export function count_reason(row, count, tools) {
  if (!count) return 'GPU count not stated';
  if (count > tools.product.max_count) return `more GPUs than the product counts: ${count}`;
  return null;
}

// Asks every method; `expected` is 'fits' or 'does-not-fit'. A row that names several GPUs holds for all of them, so the one that makes
// the statement hardest is asked: the smallest for a thing that works, the largest for one that does not. Where only a size is named it holds for some card of that
// size, so the one that makes it easiest is asked; likewise of the settings (`others`) that it may be about. `knobs`: fields that only the
// engine method has; `only_engine`: the other methods have no input for what the row is about.
export function judge(row, inputs, gpus, count, expected, extra, tools, records, options = {}) {
  const { knobs = {}, others = [], only_engine = false, not_engine = null, some_card = false } = options;
  const order = [...gpus].sort((a, b) => a.usable_mib - b.usable_mib);
  const gpu = (expected === 'fits') !== some_card ? order[0] : order.at(-1);
  let asked = false;
  for (const method of tools.product.methods) {
    const engine = method === 'engine';
    if (only_engine && !engine) continue;
    if (engine && not_engine) {
      records.skip(row, `verdict of the engine method: ${not_engine}`);
      continue;
    }
    const ask = (more) => {
      const { answer, refusal } = tools.product.answer({ ...inputs, ...(engine && { ...knobs, ...more }), method, gpus: gpu.id, count });
      return { answer, refusal, got: answer?.fit?.find((f) => f.gpu === gpu.id)?.verdicts?.[count - 1] };
    };
    const score_of = ({ answer, got }) => score(expected, got, named_causes(answer, gpu.id, count), extra.reason_class, extra.reason_basis === 'stated');
    const said = [{}, ...(engine ? others : [])].map(ask);
    const agrees = (one) => one.got && !Object.values(score_of(one)).includes(false);
    const { answer, refusal, got } = said.find(agrees) ?? said[0];
    if (!got) {
      if (engine && refusal) records.skip(row, `verdict of the engine method: ${refusal}`);
      continue;
    }
    asked = true;
    const named = engine ? named_causes(answer, gpu.id, count) : { cause: null, warnings: [] };
    const scores = engine ? score_of({ answer, got }) : {};
    records.verdict(row, method, expected, got, { gpu: gpu.id, count, share: answer.asked, ...extra, ...named, ...scores });
  }
  if (!asked) records.skip(row, 'the product refuses these inputs');
}
