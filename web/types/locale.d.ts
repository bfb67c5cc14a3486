// `vramfit/locales/LANG`: the sentences of one language.
export interface Locale {
  [namespace: string]: { [id: string]: string | { [pluralForm: string]: string } };
}

declare const locale: Locale;
export default locale;
