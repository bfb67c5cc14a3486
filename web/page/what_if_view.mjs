// The what-if section's markup. A script of its own: it is asked for after the answer has been painted.
import { explainWhatIf } from '../text/what_if.mjs';
import { whatIfHtml } from './what_if.mjs';

export const draw = ({ vramfit, catalog, result, view, text }) => whatIfHtml(explainWhatIf(vramfit.whatIf(result.share), result, view, catalog, text), text);
