// The calculator as a module: plain objects in and out, nothing to free. RESULT.md describes them.
//
//   const vramfit = await loadVramfit({ wasmUrl: new URL('vramfit-full.wasm', import.meta.url) });
//   vramfit.estimate('model=llama-3.1-70b&weights=fp8').methods.rule.total_bytes.likely
//
// `prices` goes with a share string as its only prices: what readPriceList() of price_list.mjs made of a publisher's list (PRICES.md).
//
//   vramfit.estimate(share, { prices: readPriceList(json, vramfit.catalog()).prices })
//
// `wasmBinary` (bytes) replaces `wasmUrl` where there is no fetch, as in Node. `moduleFactory` is the default export of
// vramfit-core.mjs, for those who bundle it or keep it elsewhere; it runs either module.
//
// vramfit-full.wasm has everything. vramfit-core.wasm is smaller and has no engine method: asked for that, it refuses with the notice
// `engine-not-loaded`. Who begins with it for the sake of an early answer says in `full` where the other is: a function that promises
// { wasmUrl } or { wasmBinary }. From then on `grow()` loads it, and all later answers are its.
const verdictOfLetter = { f: 'fits', t: 'tight', n: 'does-not-fit', l: 'node-limit' };

// Spells out the fit table's verdicts: `u` stands for the cause of that GPU and count, or else the reason of the layout.
function spellOut(result) {
  if (result.refused) return result;
  const { layouts } = result.methods[result.method];
  for (const row of result.fit) row.verdicts = Array.from(row.verdicts, (letter, i) => verdictOfLetter[letter] ?? (row.causes?.[i] || layouts[i].reason));
  return result;
}

export async function loadVramfit({ moduleFactory, full, ...first } = {}) {
  const factory = moduleFactory ?? (await import('./vramfit-core.mjs')).default;
  const start = ({ wasmUrl, wasmBinary }) => factory({ ...(wasmBinary && { wasmBinary }), ...(wasmUrl && { locateFile: () => String(wasmUrl) }) });
  let core = await start(first);
  let growing = full ? null : Promise.resolve();
  // Once for all who ask, and after a failure anew.
  const grow = () => (growing ??= full().then(start).then((module) => { core = module; }, (error) => {
    growing = null;
    throw error;
  }));
  const utf8 = new TextDecoder();
  // As bytes: Embind's own conversion takes half a surrogate pair for a character together with what follows it.
  const typed = (share) => new TextEncoder().encode(share);
  // The core answers with JSON in a view of its own memory, which holds until the next call.
  const read = (answer) => JSON.parse(utf8.decode(answer));
  // What is no list is refused, not taken for the catalogue's.
  const table = (prices) => (prices ? prices.table ?? null : '');
  let catalog = null;
  return {
    estimate: (share = '', { prices = null } = {}) => spellOut(read(core.estimate(typed(share), table(prices)))),
    whatIf: (share = '', { prices = null } = {}) => read(core.what_if(typed(share), table(prices))),
    catalog: () => (catalog ??= read(core.catalog())),
    grow,
    // Of an answer that only the full module can give: the promise that it can be asked for again; null of any other.
    growFor: ({ notices }) => (full && notices.some(({ id }) => id === 'engine-not-loaded') ? grow() : null),
  };
}
