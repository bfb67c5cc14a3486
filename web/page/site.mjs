// Where the calculator's parts come from: the folder of a site's assets. `scripts` says how the late scripts are called there. The site's
// own pages set `hub` beside it: their policy lets them ask the model hub.
import { lateScript } from './late_script.mjs';

export function siteAt(assets, scripts = '*.js') {
  const at = (path) => new URL(path, assets);
  async function json(path) {
    const response = await fetch(at(path));
    if (!response.ok) throw new Error(`${response.status} ${path}`);
    return response.json();
  }
  return {
    at,  // a file's address, or null where there are no files
    // What loadVramfit() takes.
    core: async () => ({ moduleFactory: (await import(at('vramfit-core.mjs'))).default, wasmUrl: at('vramfit-core.wasm'), full: async () => ({ wasmUrl: at('vramfit-full.wasm') }) }),
    locale: (lang, part = '') => json(`locales/${part && `${part}.`}${lang}.json`),
    sources: () => json('sources.json'),
    script: (name) => lateScript(at(scripts.replace('*', name))),
    // Makes <vramfit-canvas> known.
    defineCanvas: async () => (await lateScript(at('canvas-element.mjs'))).defineCanvas(assets),
  };
}
