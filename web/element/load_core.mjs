// The calculator, once per address of its module for all elements of a page.
import { loadVramfit } from '../vramfit.mjs';
import { Failure } from './failure.mjs';
import { once } from './once.mjs';

async function bytesOf(url) {
  try {
    const response = await fetch(url);
    if (!response.ok) throw new Error(String(response.status));
    const bytes = new Uint8Array(await response.arrayBuffer());
    // Some hosts answer with a page where there is no file.
    if (String(bytes.slice(0, 4)) !== '0,97,115,109') throw new Error(response.headers.get('content-type'));
    return bytes;
  } catch (error) {
    throw new Failure('wasm-missing', { url }, error);
  }
}

// As bytes, so that it does not depend on what type a host declares for the file. The full module lies beside the other.
async function load(url, moduleFactory) {
  const from = async (address) => ({ wasmBinary: await bytesOf(address) });
  const first = await from(url);
  try {
    const vramfit = await loadVramfit({ ...first, full: () => from(new URL('vramfit-full.wasm', url).href), moduleFactory });
    return { vramfit, catalog: vramfit.catalog() };
  } catch (error) {
    throw new Failure(/unsafe-eval|CSP|content security/i.test(error) ? 'wasm-blocked' : 'wasm-broken', { url }, error);
  }
}

// `given` as the host wrote it; without one it is beside the script.
export async function loadCore(given, base, moduleFactory) {
  let url;
  try {
    url = new URL(given ?? 'vramfit-core.wasm', given === null ? base : document.baseURI).href;
  } catch (error) {
    throw new Failure('wasm-missing', { url: given ?? base }, error);
  }
  return once(url, () => load(url, moduleFactory));
}
