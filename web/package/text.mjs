// The package's texts: a result in words, in a language loaded when asked for.
import { createText } from '../text/explain.mjs';
import { matchLanguage, resolveLanguage } from '../text/messages.mjs';

export { createText, explain } from '../text/explain.mjs';
export { languages, matchLanguage } from '../text/messages.mjs';

// Each in full, so that bundlers see it.
const locales = { en: () => import('./locales/en.mjs'), es: () => import('./locales/es.mjs'), 'pt-BR': () => import('./locales/pt-BR.mjs') };

export async function loadText(wanted, options) {
  const lang = matchLanguage(wanted);
  if (!lang) throw new RangeError(`unknown-language: ${wanted}`);
  const { default: locale } = await locales[lang]();
  return createText(locale, lang, { formats: resolveLanguage(wanted).formats, ...options });
}
