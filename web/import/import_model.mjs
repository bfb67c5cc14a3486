// Reads model files: a config.json, safetensors headers and their index, GGUF files, in any order. Only the beginning of each is read.
// IMPORT.md describes what comes out.
//
//   const imported = await importModel([fileFrom(blob), fileFromText('config.json', pasted)], { moduleFactory, wasmUrl });
//   vramfit.estimate(imported.share)
//
// A file is { name, size, read(start, end, { signal }) }, where `read` promises the bytes from `start` to before `end`.
// `moduleFactory` is the default export of vramfit-core.mjs, `wasmUrl` or `wasmBinary` is vramfit-import.wasm. `onProgress` gets
// { file, index, count, read, needed } in bytes of the file at hand; `signal` ends the reading.

// Holds a configuration and the header of most files whole: one request each.
const firstBytes = 128 * 1024;
const pieceBytes = 4 * 1024 * 1024;
const atOnce = 6;

export function fileFrom(blob, name = blob.name ?? '') {
  return { name, size: blob.size, read: async (start, end) => new Uint8Array(await blob.slice(start, end).arrayBuffer()) };
}

export function fileFromText(name, text) {
  return fileFrom(new Blob([text]), name);
}

// One instance for each place it is loaded from; one that failed is not used again.
const modules = new Map();

function moduleFrom({ moduleFactory, wasmUrl, wasmBinary }) {
  const key = wasmBinary ?? String(wasmUrl);
  if (!modules.has(key)) {
    const started = moduleFactory({ ...(wasmBinary ? { wasmBinary } : { locateFile: () => String(wasmUrl) }) });
    modules.set(key, started);
    started.catch(() => modules.delete(key));
  }
  return { loaded: modules.get(key), forget: () => modules.delete(key) };
}

class ShortRead extends Error {
  constructor(file) {
    super('import-short-read');
    this.name = 'ShortRead';
    this.file = file;
  }
}

async function bytesOf(file, start, end, signal) {
  signal?.throwIfAborted();
  const bytes = await file.read(start, end, { signal });
  signal?.throwIfAborted();
  if (bytes.length !== end - start) throw new ShortRead(file.name);
  return bytes;
}

// The first bytes of all files, a few at a time.
async function beginnings(files, signal, done) {
  const heads = [];
  let next = 0;
  const work = async () => {
    while (next < files.length) {
      const i = (next += 1) - 1;
      heads[i] = await bytesOf(files[i], 0, Math.min(files[i].size, firstBytes), signal);
      done(i, heads[i].length);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, files.length) }, work));
  return heads;
}

function shareOf({ ok, shape, formats, name }) {
  if (!ok) return '';
  return [`shape=${shape}`, ...(formats ? [`formats=${formats}`] : []), ...(name ? [`name=${encodeURIComponent(name)}`] : []), 'weights=native'].join('&');
}

// Calls wait for each other: the module has one list of files.
let last = Promise.resolve();

export function importModel(files, options = {}) {
  const mine = last.then(() => importNow(files, options));
  last = mine.catch(() => {});
  return mine;
}

async function importNow(files, { signal, onProgress, ...where }) {
  signal?.throwIfAborted();
  const count = files.length;
  const tell = (index, read, needed) => onProgress?.({ file: files[index].name, index, count, read, needed });
  const { loaded, forget } = moduleFrom(where);
  const [module, heads] = await Promise.all([loaded, beginnings(files, signal, (i, read) => tell(i, read, read))]);
  const encoder = new TextEncoder();
  const utf8 = new TextDecoder();
  const read = (view) => JSON.parse(utf8.decode(view));
  try {
    for (const [i, file] of files.entries()) {
      module.file(encoder.encode(file.name), String(file.size));
      let have = 0;
      const put = (bytes) => {
        if (bytes.length > 0) module.more(String(bytes.length)).set(bytes);
        have += bytes.length;
      };
      put(heads[i]);
      heads[i] = null;
      for (let need = read(module.need()); !need.error && need.bytes > have; need = read(module.need())) {
        while (have < need.bytes) {
          put(await bytesOf(file, have, Math.min(need.bytes, have + pieceBytes), signal));
          tell(i, have, need.bytes);
        }
      }
    }
    const imported = read(module.import_files());
    return { ...imported, share: shareOf(imported) };
  } catch (error) {
    forget();  // its list of files is not empty
    throw error;
  }
}
