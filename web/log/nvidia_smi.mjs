// What nvidia-smi prints: its table, or what --query-gpu gives as comma-separated values. Memory is MiB.
import { mib, Reader } from './run.mjs';

const title = /^\W{0,6}\|\s{1,4}(\d{1,3})\s{1,4}(\S.{0,60}?)\s{2,60}(?:On|Off|N\/A)\s{0,6}\|/;
const memory = /\|\s{0,12}(\d{1,9})MiB \/\s{1,9}(\d{1,9})MiB \|/;
const process = /^\W{0,6}\|\s{1,6}(\d{1,3})\s{1,6}(?:\S{1,6}\s{1,6}\S{1,6}\s{1,12})?(\d{1,10})\s{1,6}([CGM+]{1,5})\s{1,6}(\S.{0,80}?)\s{1,60}(\d{1,9})MiB \|/;

const columns = { index: 'index', name: 'name', gpu_name: 'name', 'memory.used [MiB]': 'used', 'memory.total [MiB]': 'total', 'memory.used': 'used', 'memory.total': 'total' };

export class NvidiaSmiReader extends Reader {
  engine = 'nvidia-smi';
  wanted = /MiB|NVIDIA-SMI|memory\.(?:used|total)|^\W{0,6}\|\s{1,4}\d{1,3}\s|^(?:[^,]{1,60}, ){1,6}\d{1,9}\s?$/;
  gpus = new Map();  // by index, of the last picture
  index = null;      // whose lines these are
  header = null;     // of comma-separated values
  next = 0;

  restart() {
    super.restart();
    this.gpus = new Map();
    this.index = null;
    this.next = 0;
  }

  line(line, number) {
    if (this.table(line, number) || this.values(line, number)) this.lastLine = number;
  }

  set(index, found, line, number) {
    // The same GPU a second time is another picture.
    if (found.used !== undefined && this.gpus.get(index)?.used !== undefined) this.restart();
    this.gpus.set(index, { processes: [], ...this.gpus.get(index), ...found, ...(found.used !== undefined && { line, line_number: number }) });
    if (found.used !== undefined) this.run.figure({ id: 'used', bytes: found.used }, line, number);
  }

  table(line, number) {
    const version = /NVIDIA-SMI (\d[\w.]{1,20})/.exec(line);
    if (version) {
      this.restart();
      this.version = version[1];
      return true;
    }
    const named = title.exec(line);
    if (named && !/MiB/.test(line)) {
      this.index = Number(named[1]);
      if (this.gpus.get(this.index)?.used !== undefined) this.restart();
      this.index = Number(named[1]);
      this.set(this.index, { name: named[2].trim() }, line, number);
      return true;
    }
    const sizes = memory.exec(line);
    if (sizes) {
      this.index ??= this.next;
      this.set(this.index, { used: Number(sizes[1]) * mib, total: Number(sizes[2]) * mib }, line, number);
      this.next = this.index + 1;
      this.index = null;
      return true;
    }
    const running = process.exec(line);
    if (!running) return false;
    const gpu = this.gpus.get(Number(running[1]));
    if (gpu && gpu.processes.length < 100) gpu.processes.push({ pid: Number(running[2]), name: running[4], bytes: Number(running[5]) * mib });
    return true;
  }

  values(line, number) {
    if (!/,/.test(line)) return false;
    const cells = line.split(',', 40).map((cell) => cell.trim());
    if (/memory\.(?:used|total)/.test(line)) {
      const header = cells.map((cell) => columns[cell.replace(/^.{0,60}\s(?=index$|name$|memory)/, '')] ?? null);
      if (!header.includes('used') && !header.includes('total')) return false;
      this.header = header;
      this.next = 0;
      return true;
    }
    if (!this.header || cells.length !== this.header.length) return false;
    const cell = (id) => (this.header.includes(id) ? cells[this.header.indexOf(id)] : undefined);
    const size = (id) => (/^\d{1,9}(?: MiB)?$/.test(cell(id) ?? '') ? Number.parseInt(cell(id), 10) * mib : undefined);
    if (size('used') === undefined && size('total') === undefined) return false;
    const index = /^\d{1,3}$/.test(cell('index') ?? '') ? Number(cell('index')) : this.next;
    this.next = index + 1;
    const found = { name: cell('name'), used: size('used'), total: size('total') };
    this.set(index, Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined)), line, number);
    return true;
  }

  finish() {
    const gpus = [...this.gpus].filter(([, g]) => g.used !== undefined || g.total !== undefined);
    // The fullest says whether it fits.
    const [index, fullest] = gpus.reduce((a, b) => (!a || (b[1].used ?? 0) > (a[1].used ?? 0) ? b : a), null) ?? [null, null];
    const figures = [];
    if (fullest) {
      const at = { line: fullest.line ?? '', line_number: fullest.line_number ?? 0 };
      if (fullest.used !== undefined) figures.push({ id: 'used', bytes: fullest.used, ...at });
      if (fullest.total !== undefined) figures.push({ id: 'gpu_total', bytes: fullest.total, ...at });
      // One process that computes: the engine's own share.
      const computing = fullest.processes.filter((p) => p.bytes > 100 * mib);
      if (computing.length > 0) figures.push({ id: 'process', bytes: Math.max(...computing.map((p) => p.bytes)), ...at });
    }
    const summary = this.summary(figures, gpus.length > 1 ? `GPU ${index}` : null, gpus.length);
    if (fullest?.name) summary.facts.gpu = { value: fullest.name, line: fullest.line ?? '', line_number: fullest.line_number ?? 0 };
    return summary;
  }
}
