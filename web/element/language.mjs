// What an element speaks: the language it was given, else that of the text around it, else the reader's, and figures likewise.
import { resolveLanguage } from '../text/messages.mjs';

// The languages of the elements around it, the nearest first, out of shadow trees too.
function around(element) {
  const found = [];
  for (let node = element.parentNode; node; node = node.parentNode ?? node.host) if (node.lang) found.push(node.lang);
  return found;
}

export const languageOf = (element, given) => resolveLanguage(given, [...around(element), ...navigator.languages]);
