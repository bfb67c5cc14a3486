// Verdicts: does the product say that this fits these GPUs? By each of its methods in turn.

// Why a row's count cannot be asked of the product, or null.
export function count_reason(row, count, tools) {
  if (!count) return 'GPU count not stated';
  if (count > tools.product.max_count) return `more GPUs than the product counts: ${count}`;
  return null;
}

// Asks every method; `expected` is 'fits' or 'does-not-fit'. A row that names several GPUs holds for all of them, so the one that makes
// the statement hardest is asked: the smallest for a thing that works, the largest for one that does not.
export function judge(row, inputs, gpus, count, expected, extra, tools, records) {
  const order = [...gpus].sort((a, b) => a.usable_mib - b.usable_mib);
  const gpu = expected === 'fits' ? order[0] : order.at(-1);
  let asked = false;
  for (const method of tools.product.methods) {
    const answer = tools.product.ask({ ...inputs, method, gpus: gpu.id, count });
    const got = answer?.fit?.find((f) => f.gpu === gpu.id)?.verdicts?.[count - 1];
    if (!got) continue;
    asked = true;
    records.verdict(row, method, expected, got, { gpu: gpu.id, count, share: answer.asked, ...extra });
  }
  if (!asked) records.skip(row, 'the product refuses these inputs');
}
