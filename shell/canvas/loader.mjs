// The module's code, compiled once a page however many canvases there are, with the progress of its download.
const compiled = new Map();

async function download(url, report) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${response.status} ${url}`);
  const expected = Number(response.headers.get('content-length')) || 0;
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

export function compiledModule(url, report) {
  const key = String(url);
  if (!compiled.has(key)) {
    const module = download(url, report).then((bytes) => WebAssembly.compile(bytes));
    compiled.set(key, module);
    module.catch(() => compiled.delete(key));  // so that it can be tried again
  }
  return compiled.get(key);
}
