// What llama.cpp prints when it loads a model, and what runs it prints on its behalf. A buffer is printed with its device; a model may
// have several, a context its own caches and compute buffers, and a draft model or its context comes on top.
import { flagsIn } from './settings.mjs';
import { mib, Reader, stepOf } from './run.mjs';

const kinds = { model: 'weights', KV: 'kv_cache', RS: 'state', compute: 'activations', output: 'output' };
// "load_tensors:   CUDA0 model buffer size =  4403.49 MiB"; until the end of 2024 without "model".
const buffer = /\b([\w.[\]():-]{1,60}) {1,4}(?:(model|KV|RS|compute|output) )?buffer size {0,4}= {0,9}([\d.]{1,15}) MiB/;
const onHost = /^(?:CPU|BLAS|AMX|Accelerate)|_Host$|^Host$/;
// Weights that are mapped from the file, or stored in another order, are on that device all the same.
const deviceOf = (name) => name.replace(/_(Mapped|Private|Shared|Split|REPACK|AARCH64)$/, '');

const flags = {
  c: 'n_ctx', ctx_size: 'n_ctx', b: 'n_batch', batch_size: 'n_batch', ub: 'n_ubatch', ubatch_size: 'n_ubatch', np: 'n_seq_max', parallel: 'n_seq_max', n_cpu_moe: 'n_cpu_moe', ncmoe: 'n_cpu_moe',
  sm: 'split_mode', split_mode: 'split_mode', swa_full: 'swa_full', m: 'model', model: 'model', mmproj: 'mmproj',
};

// "llama_context: n_ctx = 8192" and the like, of the run's first context.
const contextFacts = /\b(?:llama_context|llama_new_context_with_model|llama_init_from_model): {1,4}(n_ctx|n_ctx_seq|n_ctx_per_seq|n_batch|n_ubatch|n_seq_max|flash_attn|kv_unified) {1,20}= {1,4}([\w]{1,20})/;
// The whole of a cache, for its cells and types.
const cacheSize = /llama_kv_cache\w{0,20}: {1,4}size = {1,9}([\d.]{1,15}) MiB \( {0,9}(\d{1,12}) cells, {1,4}(\d{1,5}) layers[^)]{0,40}\), K \((\w{1,12})\):[^,]{1,30}, V \((\w{1,12})\)/;
const oldCacheSize = /KV self size {1,4}= {1,9}([\d.]{1,15}) MiB, K \((\w{1,12})\):[^,]{1,30}, V \((\w{1,12})\)/;
const cells = /llama_kv_cache_init: kv_size = (\d{1,12})/;

// "| - CUDA0 (RTX 4090) | 24080 = 9436 + (14193 = 13169 + 38 + 985) + 451 |", in MiB.
const breakdown = /- ([\w.[\]:]{1,40})(?: \(([^)|]{1,80})\))?[ |:]{1,60}(\d{1,9}) = {1,9}(\d{1,9}) \+ {0,2}\( {0,9}(\d{1,9}) = {1,9}(\d{1,9}) \+ {1,9}(\d{1,9}) \+ {1,9}(\d{1,9})\) \+ {1,9}(-?\d{1,9})/;

const metadata = [
  ['name', /general\.name str {1,40}= {1,4}(.{1,120})/],
  ['name', /(?:print_info|llm_load_print_meta): general\.name {1,20}= {1,4}(.{1,120})/],
  ['architecture', /(?:print_info|llm_load_print_meta): arch {1,30}= {1,4}([\w-]{1,40})/],
  ['file_type', /(?:print_info: file type|llm_load_print_meta: model ftype) {1,20}= {1,4}(.{1,60})/],
];

export class LlamaCppReader extends Reader {
  engine = 'llama.cpp';
  wanted = /buffer size|llama_context: |llama_new_context_with_model: |llama_init_from_model: |llama_kv_cache|KV self size|memory_breakdown|memory breakdown|general\.name|print_info: |llm_load_print_meta: |offloaded \d|loaded meta data|build: |build = |build_info|print_info: build |params_fit|fit_params|using device |  Device \d|Total VRAM|creating MTP|failed to allocate|out of memory|llama-server |llama-cli |ErrorOutOfDeviceMemory/;
  devices = {};  // { CUDA0: { name, total } }: the machine's, whichever run told them
  context = 0;
  contextFull = false;  // it has buffers: what begins now is another one
  file = null;
  loaded = new Set();  // the files of this run

  restart() {
    super.restart();
    this.context = 0;
    this.contextFull = false;
    this.loaded.clear();
    this.file = null;
  }

  // What the search for fitting settings prints is of models that were never loaded.
  forget() {
    this.run.figures.length = 0;
    this.context = 0;
    this.contextFull = false;
    for (const id of ['n_ctx', 'n_ctx_seq', 'n_batch', 'n_ubatch', 'n_seq_max', 'flash_attn', 'kv_unified', 'type_k', 'type_v', 'gpu_layers', 'model_layers']) delete this.run.facts[id];
    this.loaded.clear();
  }

  line(line, number) {
    if (this.begins(line, number) || this.buffers(line, number) || this.told(line, number)) this.lastLine = number;
  }

  begins(line, number) {
    const build = /(?:\bbuild(?:_info)?: b?|main: build = |print_info: build )(\d{1,6})(?:[ (-]|$)/.exec(line);
    if (build) {
      this.restart();
      this.version = `b${build[1]}`;
      return true;
    }
    if (/params_fit|fit_params/.test(line)) {
      this.forget();
      return true;
    }
    const file = /loaded meta data with .{1,80} from (.{1,300}?)(?: \(version|$)/.exec(line);
    if (file) {
      // The same file again is another run; another one is a draft model.
      if (this.loaded.has(file[1]) && this.run.figures.length > 0) this.restart();
      if (this.loaded.size === 0) this.run.fact('model', file[1], line, number);
      this.loaded.add(file[1]);
      this.file = file[1];
      return true;
    }
    return false;
  }

  buffers(line, number) {
    const found = buffer.exec(line);
    if (found) {
      const id = found[2] ? kinds[found[2]] : /load_tensors/.test(line) ? 'weights' : null;
      // Recurrent caches were called KV buffers once.
      const kind = id === 'kv_cache' && /recurrent/.test(line) ? 'state' : id;
      if (!kind) return false;
      if (kind !== 'weights') this.contextFull = true;
      // A table that was printed before was of another load.
      if (kind === 'weights') this.run.figures = this.run.figures.filter((f) => !f.table);
      this.run.figure({ id: kind, bytes: Number(found[3]) * mib, step: stepOf(found[3]) * mib, device: deviceOf(found[1]), context: kind === 'weights' ? null : this.context }, line, number);
      return true;
    }
    const row = breakdown.exec(line);
    if (!row) return false;
    const [, device, name, total, , self, model, context, compute, rest] = row;
    const figure = (id, text) => this.run.figure({ id, bytes: Number(text) * mib, step: mib, device, table: true }, line, number);
    if (name) this.devices[device] = { name, ...this.devices[device] };
    this.devices[device] = { ...this.devices[device], total: Number(total) * mib, line, line_number: number };
    figure('weights', model);
    figure('context', context);
    figure('activations', compute);
    figure('total', self);
    figure('other', rest);
    return true;
  }

  told(line, number) {
    const { run } = this;
    if (/constructing llama_context|: n_ctx {1,20}= |creating MTP/.test(line) && this.contextFull) {
      this.context += 1;
      this.contextFull = false;
    }
    const fact = contextFacts.exec(line);
    if (fact) {
      if (this.context > 0) return true;
      const id = fact[1] === 'n_ctx_per_seq' ? 'n_ctx_seq' : fact[1];
      const value = { true: 'on', 1: 'on', enabled: 'on', false: 'off', 0: 'off', disabled: 'off' }[fact[2]];
      if (id === 'flash_attn') run.fact(id, value ?? 'auto', line, number);
      else if (id === 'kv_unified') run.fact(id, value === 'on' ? 'yes' : 'no', line, number);
      else run.fact(id, Number(fact[2]), line, number);
      return true;
    }
    const cache = cacheSize.exec(line) ?? oldCacheSize.exec(line);
    if (cache && this.context === 0) {
      const [k, v] = cache.slice(-2);
      run.fact('type_k', k, line, number);
      run.fact('type_v', v, line, number);
      return true;
    }
    const layers = /offloaded (\d{1,5})\/(\d{1,5}) layers to GPU/.exec(line);
    if (layers) {
      if (this.loaded.size < 2) {
        run.fact('gpu_layers', Number(layers[1]), line, number);
        run.fact('model_layers', Number(layers[2]), line, number);
      }
      return true;
    }
    for (const [id, pattern] of metadata) {
      const value = pattern.exec(line)?.[1].trim();
      if (value && this.loaded.size < 2) {
        run.fact(id, value, line, number);
        return true;
      }
    }
    const used = /using device (\w{1,40}) \((.{1,80}?)\)(?: \([^)]{0,30}\))? - (\d{1,9}) MiB free/.exec(line);
    if (used) this.devices[used[1]] = { line, line_number: number, ...this.devices[used[1]], name: used[2] };
    const found = /^(?:.{0,40} )?Device (\d{1,3}): (.{1,80}?), compute capability/.exec(line);
    if (found) {
      const total = /VRAM: (\d{1,9}) MiB/.exec(line);
      const device = `CUDA${found[1]}`;
      this.devices[device] = { line, line_number: number, ...this.devices[device], name: found[2], ...(total && { total: Number(total[1]) * mib }) };
    }
    const all = /found 1 \w{1,10} devices \(Total VRAM: (\d{1,9}) MiB\)/.exec(line);
    if (all) this.devices.CUDA0 = { line, line_number: number, ...this.devices.CUDA0, total: Number(all[1]) * mib };
    if (used || found || all) return true;
    if (/llama-(?:server|cli) /.test(line)) {
      for (const [id, value] of flagsIn(line, flags)) if (!run.facts[id]) run.fact(id, value, line, number);
      return true;
    }
    if (/failed to allocate|out of memory|ErrorOutOfDeviceMemory/i.test(line)) {
      run.problem('out_of_memory', {}, line, number);
      return true;
    }
    return false;
  }

  // By device and kind: models and caches add up, a compute buffer is reserved anew and the last of each context counts.
  byDevice() {
    const devices = new Map();
    const last = new Map();
    const measured = this.run.figures.some((f) => !f.table);
    for (const figure of this.run.figures) {
      // Where the buffers were printed the table says nothing more, but what else is taken.
      if (figure.table && measured && figure.id !== 'other') continue;
      const own = devices.get(figure.device) ?? new Map();
      devices.set(figure.device, own);
      const before = own.get(figure.id);
      const key = `${figure.device}\n${figure.id}\n${figure.context}`;
      const replaces = figure.table || ['activations', 'output'].includes(figure.id) ? last.get(key) ?? 0 : 0;
      last.set(key, figure.bytes);
      own.set(figure.id, before ? { ...before, bytes: before.bytes + figure.bytes - (figure.table ? before.bytes : replaces) } : figure);
    }
    return devices;
  }

  finish() {
    const devices = this.byDevice();
    const filled = (own) => own.get('total')?.bytes ?? [...own].filter(([id]) => id !== 'other').reduce((sum, [, f]) => sum + f.bytes, 0);
    const gpus = [...devices].filter(([name]) => !onHost.test(name)).sort((a, b) => filled(b[1]) - filled(a[1]));
    const [device, own] = gpus[0] ?? [null, new Map()];
    const figures = [...own.values()];
    if (figures.length > 0 && !own.has('total')) figures.push({ id: 'total', bytes: filled(own), derived: true, line: figures[0].line, line_number: figures[0].line_number });
    for (const [name, held] of devices) {
      if (!onHost.test(name)) continue;
      for (const figure of held.values()) {
        const id = `host_${figure.id}`;
        const before = figures.find((f) => f.id === id);
        if (before) before.bytes += figure.bytes;
        else if (!figure.table) figures.push({ ...figure, id });
      }
    }
    const known = device && this.devices[device];
    if (known?.total) figures.push({ id: 'gpu_total', bytes: known.total, line: known.line, line_number: known.line_number });
    const summary = this.summary(figures.map(({ device: _, context, table, ...f }) => f), gpus.length > 1 ? device : null, gpus.length);
    if (gpus.length > 0) summary.facts.gpus = { value: gpus.length, line: figures[0].line, line_number: figures[0].line_number };
    if (known?.name) summary.facts.gpu = { value: known.name, line: known.line, line_number: known.line_number };
    return summary;
  }
}
