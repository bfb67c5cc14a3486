// Reads what an inference engine printed when it started: what its memory went to, how it was set up, and why it refused. vLLM, SGLang,
// llama.cpp, Ollama, and nvidia-smi's output alone or beside them. Nothing here touches page, file or network.
//
//   readLog(text) -> {
//     engine     'vllm', 'sglang', 'llama.cpp', 'ollama', 'nvidia-smi', or null where nothing was recognised
//     version    as the log says it, or null
//     generation 'V0' or 'V1' of vLLM where the log says so, else null
//     runs       starts in the log; the last one counts
//     rank       the rank or device that the figures are of where there are several: the tightest, which sets everybody's limits
//     ranks      how many there are
//     figures    [{ id, bytes or number, step, line_number, line }], `step` being what the last digit printed stands for; with `estimate`
//                where the engine only expected it and `derived` where it follows from others
//     facts      { id: { value, line_number, line } } of the configuration
//     problems   [{ id, values, line_number, line }]
//     lines      how many the text has
//   }
//
// Ids of figures are those of the result's compartments where they are the same: weights, kv_cache, state, activations, communication,
// graphs. Others: kv_tokens, num_blocks, max_concurrency, longest_context, kv_needed, gpu_total, budget, total, used, process, free,
// free_after_pools, consumed, graphs_estimate, other, context, output, host_* (outside the GPUs), estimate_*.
import { forEachLine, longestText, quote } from './lines.mjs';
import { LlamaCppReader } from './llama_cpp.mjs';
import { NvidiaSmiReader } from './nvidia_smi.mjs';
import { OllamaReader } from './ollama.mjs';
import { SglangReader } from './sglang.mjs';
import { VllmReader } from './vllm.mjs';

const nothing = { engine: null, version: null, generation: null, runs: 0, rank: null, ranks: 0, figures: [], facts: {}, problems: [] };

// The engine that told something last.
function chosen({ vllm, sglang, llama, ollama }) {
  const server = vllm.lastLine >= sglang.lastLine ? vllm : sglang;
  const local = Math.max(llama.lastLine, ollama.lastLine);
  if (Math.max(server.lastLine, local) === 0) return null;
  if (server.lastLine >= local) return server.finish();
  return ollama.lastLine > 0 ? ollama.finish(llama.run.empty ? null : llama.finish()) : llama.finish();
}

export function readLog(text) {
  const readers = { vllm: new VllmReader(), sglang: new SglangReader(), llama: new LlamaCppReader(), ollama: new OllamaReader(), smi: new NvidiaSmiReader() };
  const all = Object.values(readers);
  const wanted = new RegExp(all.map((reader) => reader.wanted.source).join('|'));
  const cut = text.length > longestText;
  const lines = forEachLine(cut ? text.slice(-longestText) : text, wanted, (line, number) => {
    for (const reader of all) if (reader.wanted.test(line)) reader.line(line, number);
  });
  const smi = readers.smi.lastLine > 0 ? readers.smi.finish() : null;
  const engine = chosen(readers);
  const read = { ...nothing, ...(engine ?? smi), lines };
  if (engine && smi) {
    // What the driver says beside what the engine says.
    const figures = smi.figures.filter((f) => !read.figures.some((own) => own.id === f.id));
    Object.assign(read, { figures: [...read.figures, ...figures], facts: { ...smi.facts, ...read.facts } });
  }
  read.figures = read.figures.map((figure) => ({ ...figure, line: quote(figure.line) }));
  read.facts = Object.fromEntries(Object.entries(read.facts).map(([id, fact]) => [id, { ...fact, line: quote(fact.line) }]));
  if (cut) read.problems = [...read.problems, { id: 'too_long', values: { characters: longestText }, line_number: 0, line: '' }];
  return read;
}
