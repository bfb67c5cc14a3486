// The calculator as a module: plain objects in and out, nothing to free. RESULT.md describes them.
//
//   const vramfit = await loadVramfit({ wasmUrl: new URL('vramfit-core.wasm', import.meta.url) });
//   vramfit.estimate('model=llama-3.1-70b&weights=fp8').methods.rule.total_bytes.likely
//
// `prices` goes with a share string as its only prices: what readPriceList() of price_list.mjs made of a publisher's list (PRICES.md).
//
//   vramfit.estimate(share, { prices: readPriceList(json, vramfit.catalog()).prices })
//
// `wasmBinary` (bytes) replaces `wasmUrl` where there is no fetch, as in Node. `moduleFactory` is the default export of
// vramfit-core.mjs, for those who bundle it or keep it elsewhere.
const verdictOfLetter = { f: 'fits', t: 'tight', n: 'does-not-fit', l: 'node-limit' };

// Spells out the fit table's verdicts: `u` stands for the reason of the layout with that count.
function spellOut(result) {
  if (result.refused) return result;
  const { layouts } = result.methods[result.method];
  for (const row of result.fit) row.verdicts = Array.from(row.verdicts, (letter, i) => verdictOfLetter[letter] ?? layouts[i].reason);
  return result;
}

// The module's own answers: JSON as text.
export async function loadCore({ wasmUrl, wasmBinary, moduleFactory } = {}) {
  const factory = moduleFactory ?? (await import('./vramfit-core.mjs')).default;
  const options = {};
  if (wasmBinary) options.wasmBinary = wasmBinary;
  if (wasmUrl) options.locateFile = () => String(wasmUrl);
  const core = await factory(options);
  const utf8 = { from: new TextEncoder(), to: new TextDecoder() };
  // bindings.cpp says how texts cross.
  function ask(name, ...texts) {
    for (const text of texts) if (typeof text !== 'string') throw new TypeError(name);
    const parts = texts.map((text) => utf8.from.encode(text));
    core.incoming = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    parts.reduce((at, part) => {
      core.incoming.set(part, at);
      return at + part.length;
    }, 0);
    core[`_vramfit_${name}`](...parts.map((part) => part.length));
    return utf8.to.decode(core.outgoing);
  }
  return {
    estimate: (share, prices = '') => ask('estimate', share, prices),
    whatIf: (share, prices = '') => ask('what_if', share, prices),
    catalog: () => ask('catalog'),
  };
}

export async function loadVramfit(options) {
  const core = await loadCore(options);
  const table = (prices) => (prices ? prices.table ?? null : '');
  let catalog = null;
  return {
    estimate: (share = '', { prices = null } = {}) => spellOut(JSON.parse(core.estimate(share, table(prices)))),
    whatIf: (share = '', { prices = null } = {}) => JSON.parse(core.whatIf(share, table(prices))),
    catalog: () => (catalog ??= JSON.parse(core.catalog())),
  };
}
