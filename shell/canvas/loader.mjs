// What the canvases of a page share: the module's code, compiled once, with the progress of its download, and the texts by language.
const kept = new Map();

// What `make` promises for a key, again only when it failed.
function once(key, make) {
  if (!kept.has(key)) {
    const made = make();
    kept.set(key, made);
    made.catch(() => kept.delete(key));
  }
  return kept.get(key);
}

async function fetched(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${response.status} ${url}`);
  return response;
}

async function download(url, report) {
  const response = await fetched(url);
  // The length is that of what is sent; compressed, the module is 2.2 times shorter.
  const expected = Number(response.headers.get('content-length')) * (response.headers.has('content-encoding') ? 2.2 : 1);
  if (!response.body || !expected) return response.arrayBuffer();
  const chunks = [];
  let got = 0;
  for (const reader = response.body.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    got += value.length;
    report(Math.min(1, got / expected));
  }
  return new Blob(chunks).arrayBuffer();
}

// A browser may remember that a script could not be had: each attempt has an address of its own.
let failures = 0;
async function script(url) {
  try {
    return await import(failures ? `${url}?${failures}` : url);
  } catch (error) {
    failures += 1;
    throw error;
  }
}

// The canvas's parts in the folder at address `assets`: the module's factory, its code, the texts of a language, and the calculator,
// where whoever shows the canvas has none at hand.
export const partsAt = (assets) => ({
  factory: async () => (await script(new URL('vramfit-canvas.mjs', assets))).default,
  module(report) {
    const url = new URL('vramfit-canvas.wasm', assets);
    return once(String(url), async () => WebAssembly.compile(await download(url, report)));
  },
  calculator() {
    const at = (name) => new URL(name, assets);
    return once(String(at('vramfit.mjs')), async () => {
      const { loadVramfit } = await script(at('vramfit.mjs'));
      return loadVramfit({ wasmUrl: at('vramfit-core.wasm'), full: async () => ({ wasmUrl: at('vramfit-full.wasm') }) });
    });
  },
  table(lang) {
    const url = new URL(`locales/canvas.${lang}.txt`, assets);
    return once(String(url), async () => (await fetched(url)).text());
  },
});
