// Where the calculator's parts come from when all of them are in the page itself: scripts as modules, everything else as compressed
// data in elements of the document. The other way is site.mjs.
import { addMessages } from '../text/messages.mjs';
import { toTable } from '../text/table.mjs';

// The bytes of one such element.
async function unpack(id) {
  const packed = Uint8Array.from(atob(document.getElementById(id).textContent), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// What `make` promises, once.
function once(make) {
  let made = null;
  return () => (made ??= make());
}

const json = (id) => once(async () => JSON.parse(new TextDecoder().decode(await unpack(id))));

// `coreFactory`, `canvasFactory`: what the modules' glue exports; `defineCanvas`: the canvas element's; `scripts`: the late scripts by
// name. The data is in #data-core, #data-import, #data-canvas, #data-texts and #data-sources.
export function inlineSite({ coreFactory, canvasFactory, defineCanvas, scripts }) {
  const texts = json('data-texts');
  const canvasModule = once(async () => WebAssembly.compile(await unpack('data-canvas')));
  const importerParts = once(async () => ({ moduleFactory: coreFactory, wasmBinary: await unpack('data-import') }));
  const locale = async (lang, part = '') => (await texts())[part][lang];
  return {
    core: async () => ({ moduleFactory: coreFactory, wasmBinary: await unpack('data-core') }),
    importer: importerParts,
    locale,
    sources: json('data-sources'),
    at: () => null,  // styles are there, all of them
    script: async (name) => scripts[name],
    defineCanvas: async () => defineCanvas({ factory: async () => canvasFactory, module: canvasModule, table: async (lang) => toTable(addMessages({ ...await locale(lang) }, await locale(lang, 'engine'))) }),
  };
}
