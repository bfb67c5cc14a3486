// The result object that web/RESULT.md describes, as text: the same that the terminal prints with --json. `whatIf` may be left out,
// and `link` is there where it is an address.
import { isAddress } from './link.mjs';

export function answerJson({ result, whatIf = null, link = '' }) {
  const answer = { ...result };
  if (whatIf && !result.refused) answer.what_if = whatIf;
  if (isAddress(link)) answer.link = link;
  return JSON.stringify(answer, null, 2);
}
