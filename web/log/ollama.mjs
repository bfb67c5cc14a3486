// What Ollama prints about the model it loads: its newer engine's allocations, and what it expected before. With the older engine
// llama.cpp's own lines follow, and these are then expectations too.
import { mib, Reader, stepOf, toBytes } from './run.mjs';

const size = '"?([\\d.]{1,12}) ([KMGT]?i?B)"?';
const allocated = new RegExp(`msg="(model weights|kv cache|compute graph)" (?:device|buffer|backend)=(\\S{1,60})(?: buffer_type=\\S{1,60})? size=${size}`);
const expected = [
  ['estimate_total', new RegExp(`memory\\.required\\.full=${size}`)],
  ['estimate_kv_cache', new RegExp(`memory\\.required\\.kv=${size}`)],
  ['estimate_weights', new RegExp(`memory\\.weights\\.total=${size}`)],
  ['estimate_activations', new RegExp(`memory\\.graph\\.full=${size}`)],
];
const kinds = { 'model weights': 'weights', 'kv cache': 'kv_cache', 'compute graph': 'activations' };
const onHost = /^CPU/i;

export class OllamaReader extends Reader {
  engine = 'ollama';
  wanted = /msg="?(?:model weights|kv cache|compute graph|starting runner|starting llama server|inference compute|offload|Listening on|load|enabling flash)|memory\.required|\(version \d|architecture=/;
  gpu = null;  // the machine's, which the server tells once

  line(line, number) {
    if (this.told(line, number)) this.lastLine = number;
  }

  told(line, number) {
    const { run } = this;
    if (/msg="starting (?:runner|llama server)"/.test(line)) {
      this.restart();
      return true;
    }
    const version = /msg="Listening on .{1,80} \(version ([\w.-]{1,40})\)/.exec(line);
    if (version) {
      this.version = version[1];
      return true;
    }
    if (line.includes('msg="inference compute"')) {
      const name = /description="([^"]{1,80})"/.exec(line) ?? / name="([^"]{1,80})"/.exec(line);
      const total = new RegExp(` total=${size}`).exec(line);
      if (!this.gpu && name && !/library=cpu/.test(line)) this.gpu = { name: name[1], total: total && toBytes(total[1], total[2]), line, line_number: number };
      return true;
    }
    const found = allocated.exec(line);
    if (found) {
      const [, kind, device, text, unit] = found;
      // A buffer of nothing is a first attempt, before the sizes are known.
      run.figure({ id: kinds[kind], bytes: toBytes(text, unit), step: stepOf(text) * toBytes(1, unit), device }, line, number);
      return true;
    }
    let told = false;
    for (const [id, pattern] of expected) {
      const sized = pattern.exec(line);
      if (!sized) continue;
      told = true;
      run.figure({ id, bytes: toBytes(sized[1], sized[2]), step: stepOf(sized[1]) * toBytes(1, sized[2]), estimate: true }, line, number);
    }
    const layers = /offloaded (\d{1,5})\/(\d{1,5}) layers to GPU/.exec(line) ?? /layers\.model=(?<model>\d{1,5}) layers\.offload=(?<gpu>\d{1,5})/.exec(line);
    if (layers) {
      run.fact('gpu_layers', Number(layers.groups?.gpu ?? layers[1]), line, number);
      run.fact('model_layers', Number(layers.groups?.model ?? layers[2]), line, number);
      told = true;
    }
    for (const [id, pattern] of [['n_seq_max', /Parallel:(\d{1,5}) /], ['n_ubatch', /BatchSize:(\d{1,7}) /], ['n_ctx', /KvSize:(\d{1,9}) /], ['type_k', /KvCacheType:(\w{1,12}) /]]) {
      const value = pattern.exec(line)?.[1];
      if (value) run.fact(id, id === 'type_k' ? value : Number(value), line, number);
      told ||= Boolean(value);
    }
    const flash = /FlashAttention:(\w{1,12})/.exec(line);
    if (flash) run.fact('flash_attn', /^(Enabled|true)$/.test(flash[1]) ? 'on' : 'off', line, number);
    const model = /architecture=(\S{1,40}) file_type=(\S{1,40}) name=(?:"([^"]{1,120})"|(\S{1,120}))/.exec(line);
    if (model) {
      run.fact('architecture', model[1], line, number);
      if (model[2] !== 'unknown') run.fact('file_type', model[2], line, number);
      run.fact('name', model[3] ?? model[4], line, number);
      told = true;
    }
    return told;
  }

  // `measured`: llama.cpp's own account of the same run, where it printed one.
  finish(measured = null) {
    const devices = new Map();
    for (const { device = '', ...figure } of this.run.figures) {
      const own = devices.get(device) ?? new Map();
      devices.set(device, own.set(figure.id, figure));
    }
    const filled = (own) => [...own.values()].reduce((sum, f) => sum + f.bytes, 0);
    const gpus = [...devices].filter(([name]) => name && !onHost.test(name)).sort((a, b) => filled(b[1]) - filled(a[1]));
    const [device, own] = gpus[0] ?? [null, new Map()];
    const estimates = [...(devices.get('') ?? new Map()).values()];
    let figures = [...own.values()];
    if (measured?.figures.length > 0) figures = figures.map((f) => ({ ...f, id: `estimate_${f.id}`, estimate: true })).filter((f) => !estimates.some((e) => e.id === f.id));
    else {
      if (figures.length > 0) figures.push({ id: 'total', bytes: filled(own), derived: true, line: figures[0].line, line_number: figures[0].line_number });
      for (const [name, held] of devices) if (onHost.test(name)) for (const f of held.values()) figures.push({ ...f, id: `host_${f.id}` });
    }
    if (this.gpu?.total && !measured?.figures.some((f) => f.id === 'gpu_total')) figures.push({ id: 'gpu_total', bytes: this.gpu.total, line: this.gpu.line, line_number: this.gpu.line_number });
    const summary = this.summary([...(measured?.figures ?? []), ...figures, ...estimates], gpus.length > 1 && !measured ? device : measured?.rank ?? null, Math.max(gpus.length, measured?.ranks ?? 0));
    if (gpus.length > 0) summary.facts.gpus = { value: gpus.length, line: gpus[0][1].values().next().value.line, line_number: gpus[0][1].values().next().value.line_number };
    if (this.gpu) summary.facts.gpu = { value: this.gpu.name, line: this.gpu.line, line_number: this.gpu.line_number };
    return { ...summary, facts: { ...summary.facts, ...measured?.facts }, problems: [...(measured?.problems ?? []), ...summary.problems], engine_version: measured?.version ?? null };
  }
}
