// The language an element speaks: the one it was given, else that of the text around it, else the reader's.
import { matchLanguage } from '../text/messages.mjs';

// The languages of the elements around it, the nearest first, out of shadow trees too.
function around(element) {
  const found = [];
  for (let node = element.parentNode; node; node = node.parentNode ?? node.host) if (node.lang) found.push(node.lang);
  return found;
}

export function languageOf(element, given) {
  for (const wanted of [given, ...around(element), ...navigator.languages]) {
    const lang = matchLanguage(wanted);
    if (lang) return lang;
  }
  return 'en';
}
