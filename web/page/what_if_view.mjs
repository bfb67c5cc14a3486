// The what-if section's markup. A script of its own: it is asked for after the answer has been painted.
import { explainWhatIf } from '../text/what_if.mjs';
import { whatIfHtml } from './what_if.mjs';

export const limitsHtml = (whatIf, { result, view, text }, catalog) => whatIfHtml(explainWhatIf(whatIf, result, view, catalog, text), text);
