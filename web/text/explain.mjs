// Turns a result object into what there is to say about it: sentences and figures, no markup. Terminal, files and prerendered HTML
// show all of it; the page begins with viewOf() and asks for the rest when it is wanted.
import { namesFor } from './brief.mjs';
import { difference, differences } from './differences.mjs';
import { explainEngine } from './engine.mjs';
import { engineHelp } from './settle.mjs';
import { viewOf } from './view.mjs';

export { createText } from './text.mjs';

// `vramfit`: the calculator that answered, to find out by what settings an engine's answer would become a plain yes.
export function explain(result, catalog, text, vramfit = null) {
  const view = viewOf(result, catalog, text);
  if (result.refused) return view;
  const names = namesFor(result, catalog);
  Object.assign(view, { difference: difference(result, text), differences: null, engine: null });
  if (result.method !== 'engine') return view;
  view.differences = differences(result, names, text);
  view.engine = explainEngine(result, view, names, text);
  view.help = engineHelp(result, view, names, vramfit, text);
  return view;
}
