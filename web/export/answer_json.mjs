// The result object that web/RESULT.md describes, as text: the same that the terminal prints with --json. `whatIf` may be left out;
// `link` is there where it is an address, `problems` of a price list and what a `log` says and what was `imported` where there is
// such.
import { isAddress } from './link.mjs';

export function answerJson({ result, whatIf = null, link = '', problems = null, log = null, imported = null }) {
  const answer = { ...result };
  if (whatIf && !result.refused) answer.what_if = whatIf;
  if (isAddress(link)) answer.link = link;
  if (problems) answer.price_problems = problems;
  if (log) answer.log = log;
  if (imported) answer.imported = imported;
  return JSON.stringify(answer, null, 2);
}
