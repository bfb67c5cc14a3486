// The what-if section's markup, and the section for logs that stands below it. A script of its own: it is asked for after the answer
// has been painted.
import { explainWhatIf } from '../text/what_if.mjs';
import { logFold } from './log_fold.mjs';
import { whatIfHtml } from './what_if.mjs';

// `page`: { root, site, vramfit, change } of the calculator.
export function limitsHtml(whatIf, state, catalog, page) {
  logFold(state, page);
  const { result, view, text } = state;
  return whatIfHtml(explainWhatIf(whatIf, result, view, catalog, text), text);
}
