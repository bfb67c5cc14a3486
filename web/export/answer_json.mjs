// The result object that web/RESULT.md describes, as text: the same that the terminal prints with --json. `whatIf` may be left out,
// and `link` is there where it is an address; `priceProblems` are those of a price list of the reader's own.
import { isAddress } from './link.mjs';

export function answerJson({ result, whatIf = null, link = '', priceProblems = null }) {
  const answer = { ...result };
  if (whatIf && !result.refused) answer.what_if = whatIf;
  if (isAddress(link)) answer.link = link;
  if (priceProblems) answer.price_problems = priceProblems;
  return JSON.stringify(answer, null, 2);
}
