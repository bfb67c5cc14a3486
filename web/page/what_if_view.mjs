// The what-if section's markup, and the fold for logs that stands below it. A script of its own: it is asked for after the answer has
// been painted.
import { explainWhatIf } from '../text/what_if.mjs';
import { logFold } from './log_fold.mjs';
import { whatIfHtml } from './what_if.mjs';

// `state` is the calculator's, with { root, vramfit, catalog, site, change }.
export function draw(state) {
  logFold(state);
  const { vramfit, catalog, result, view, text } = state;
  return whatIfHtml(explainWhatIf(vramfit.whatIf(result.share), result, view, catalog, text), text);
}
