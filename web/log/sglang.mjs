// What SGLang prints when it starts. It writes GB and divides by 2^30. A draft model has weights, pools and graphs of its own, printed
// again by the same rank; they add up.
import { flagsIn, settingsIn } from './settings.mjs';
import { ofTightest, Reader, stepOf, toBytes, toNumber } from './run.mjs';

const names = {
  model_path: 'model', tp_size: 'tensor_parallel_size', pp_size: 'pipeline_parallel_size', dp_size: 'data_parallel_size', ep_size: 'expert_parallel_size',
  context_length: 'max_model_len', context_len: 'max_model_len', mem_fraction_static: 'mem_fraction_static', kv_cache_dtype: 'kv_cache_dtype',
  max_running_requests: 'max_running_requests', chunked_prefill_size: 'chunked_prefill_size', dtype: 'dtype', quantization: 'quantization', page_size: 'page_size',
  disable_cuda_graph: 'disable_cuda_graph', enable_dp_attention: 'enable_dp_attention', mamba_full_memory_ratio: 'mamba_full_memory_ratio',
  swa_full_tokens_ratio: 'swa_full_tokens_ratio', cpu_offload_gb: 'cpu_offload_gb',
};
const flags = {
  ...names, model: 'model', tp: 'tensor_parallel_size', tensor_parallel_size: 'tensor_parallel_size', pp: 'pipeline_parallel_size', pipeline_parallel_size: 'pipeline_parallel_size',
  dp: 'data_parallel_size', data_parallel_size: 'data_parallel_size', ep: 'expert_parallel_size', expert_parallel_size: 'expert_parallel_size',
};

const gb = (found) => found && { bytes: toBytes(found[1], 'GB'), step: stepOf(found[1]) * 2 ** 30 };
const used = /mem usage=(-?[\d.]{1,12}) ?GB/;
const left = /avail mem=(-?[\d.]{1,12}) ?GB/;

// "[2025-10-16 09:06:22 TP5]", "[… DP0 TP1 EP1]": who prints. A progress bar may stand before it in the line.
function rankOf(line, at) {
  const open = line.lastIndexOf('[20', at);
  const found = open < 0 ? null : /^\[20\d\d-\d\d-\d\d \d\d:\d\d:\d\d((?: [A-Z]{2,4}\d{1,4}){1,5})\]/.exec(line.slice(open, open + 80));
  return found ? found[1].trim() : '';
}

export class SglangReader extends Reader {
  engine = 'sglang';
  wanted = /Load weight |KV Cache is allocated|Mamba Cache is allocated|SWAKVPool mem usage|Memory pool end|uda graph (?:begin|end)|CUDA graph (?:begin|end)|max_total_num_tokens=|ServerArgs\(|Init torch distributed ends|sglang\.launch_server|Not enough memory|out of memory/;
  ranks = new Map();  // by rank what only holds while it starts
  left = null;        // with an error only

  restart() {
    super.restart();
    this.ranks.clear();
  }

  line(line, number) {
    if (this.configuration(line, number) || this.measures(line, number)) this.lastLine = number;
  }

  // What a rank has said of itself; it starts anew once it was ready.
  of(rank) {
    if (!this.ranks.has(rank)) this.ranks.set(rank, { before: null, graphs: null, ready: false });
    return this.ranks.get(rank);
  }

  configuration(line, number) {
    const { run } = this;
    if (line.includes('ServerArgs(')) {
      // Some releases print them a second time, once they are filled in.
      if (run.figures.length > 0) this.restart();
      for (const [id, value] of settingsIn(line.slice(line.indexOf('ServerArgs(')), names)) this.run.fact(id, value, line, number);
      return true;
    }
    if (line.includes('sglang.launch_server')) {
      for (const [id, value] of flagsIn(line, flags)) run.fact(id, value, line, number);
      return true;
    }
    return false;
  }

  measures(line, number) {
    const take = (id, rank, size, more) => size && this.run.figure({ id, ...size, ...more, rank }, line, number);
    const at = (words) => line.indexOf(words);
    const tail = (from) => line.slice(from, from + 600);
    let from;
    if ((from = at('Load weight begin')) >= 0) {
      const rank = rankOf(line, from);
      if (this.of(rank).ready) this.restart();
      this.of(rank).before = gb(left.exec(tail(from)));
    } else if ((from = at('Load weight end')) >= 0) {
      const rank = rankOf(line, from);
      if (this.of(rank).ready) this.restart();
      const { before } = this.of(rank);
      const after = gb(left.exec(tail(from)));
      const size = gb(used.exec(tail(from))) ?? (before && after && { bytes: before.bytes - after.bytes, step: after.step });
      take('weights', rank, size, {});
      const dtype = /dtype=([\w.]{1,30})/.exec(tail(from));
      if (dtype && !this.run.facts.dtype) this.run.fact('dtype', dtype[1].replace('torch.', ''), line, number);
    } else if ((from = at('Init torch distributed ends')) >= 0) {
      take('communication', rankOf(line, from), gb(used.exec(tail(from))), {});
    } else if ((from = at('KV Cache is allocated')) >= 0) {
      const rank = rankOf(line, from);
      const parts = [...tail(from).matchAll(/\b(?:K|V|KV) size: ([\d.]{1,12}) ?GB/g)].map(gb);
      if (parts.length > 0) take('kv_cache', rank, { bytes: parts.reduce((sum, p) => sum + p.bytes, 0), step: parts[0].step * parts.length }, {});
      const tokens = /#tokens: ([\d,]{1,15})/.exec(tail(from));
      if (tokens) take('pool_tokens', rank, { number: toNumber(tokens[1]), step: 1 }, {});
      const dtype = /dtype: torch\.(\w{1,30})/.exec(tail(from));
      if (dtype && !this.run.facts.pool_dtype) this.run.fact('pool_dtype', dtype[1], line, number);
    } else if ((from = at('SWAKVPool mem usage')) >= 0) {
      // Both pools of a model with window layers, which also print themselves.
      take('kv_cache_both', rankOf(line, from), gb(/mem usage: ([\d.]{1,12}) ?GB/.exec(tail(from))), {});
    } else if ((from = at('Mamba Cache is allocated')) >= 0) {
      const parts = [...tail(from).matchAll(/\b\w{3,40} size: ([\d.]{1,12}) ?GB/g)].map(gb);
      if (parts.length > 0) take('state', rankOf(line, from), { bytes: parts.reduce((sum, p) => sum + p.bytes, 0), step: parts[0].step * parts.length }, {});
    } else if ((from = at('Memory pool end')) >= 0) {
      take('free_after_pools', rankOf(line, from), gb(left.exec(tail(from))), {});
    } else if ((from = line.search(/Capture [\w ]{0,30}cuda graph begin/i)) >= 0) {
      this.of(rankOf(line, from)).graphs = gb(left.exec(tail(from)));
    } else if ((from = line.search(/Capture [\w ]{0,30}cuda graph end/i)) >= 0) {
      const rank = rankOf(line, from);
      const before = this.of(rank).graphs;
      const after = gb(left.exec(tail(from)));
      take('graphs', rank, gb(used.exec(tail(from))) ?? (before && after && { bytes: before.bytes - after.bytes, step: after.step }), {});
    } else if ((from = at('max_total_num_tokens=')) >= 0) {
      const rank = rankOf(line, from);
      this.of(rank).ready = true;
      const tokens = /^max_total_num_tokens=([\d,]{1,15})/.exec(tail(from));
      if (tokens) take('kv_tokens', rank, { number: toNumber(tokens[1]), step: 1 }, {});
      take('free', rank, gb(/available_gpu_mem=([\d.]{1,12}) ?GB/.exec(tail(from))), {});
      for (const [id, value] of settingsIn(tail(from), names)) this.run.fact(id, value, line, number);
    } else if (/Not enough memory/.test(line)) this.run.problem('no_cache_room', {}, line, number);
    else if (/out of memory/i.test(line)) this.run.problem('out_of_memory', {}, line, number);
    else return false;
    return true;
  }

  // Of one rank: what was printed more than once added up, with the line of the first.
  summed() {
    const sums = new Map();
    for (const figure of this.run.figures) {
      const key = `${figure.rank}\n${figure.id}`;
      const before = sums.get(key);
      const adds = figure.bytes !== undefined && ['weights', 'kv_cache', 'state', 'graphs'].includes(figure.id);
      if (before && adds) sums.set(key, { ...before, bytes: before.bytes + figure.bytes });
      // The first pool's tokens are the model's, the others the draft's or the window's.
      else if (!before || !['pool_tokens'].includes(figure.id)) sums.set(key, figure);
    }
    return [...sums.values()];
  }

  finish() {
    const { figures, rank, ranks } = ofTightest(this.summed(), (own) => own.get('kv_tokens')?.number ?? own.get('pool_tokens')?.number ?? own.get('free_after_pools')?.bytes ?? null);
    const of = (id) => figures.find((f) => f.id === id);
    const both = of('kv_cache_both');
    const settled = figures.filter((f) => f.id !== 'kv_cache_both' && !(both && f.id === 'kv_cache'));
    if (both) settled.push({ ...both, id: 'kv_cache' });
    if (!of('kv_tokens') && of('pool_tokens')) settled.push({ ...of('pool_tokens'), id: 'kv_tokens' });
    return this.summary(settled.filter((f) => f.id !== 'pool_tokens'), ranks > 1 ? rank || 'driver' : null, ranks);
  }
}
