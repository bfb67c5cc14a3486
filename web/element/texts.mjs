// The element's texts, which its script has packed as web/build/element.mjs says.

// The locale of one language, {namespace: {id: message}}.
export function unpackedTexts([{ capitals, ...shared }, own], lang) {
  const locale = Object.fromEntries(Object.entries(own[lang]).map(([namespace, messages]) => [namespace, { ...shared[namespace], ...messages }]));
  for (const id of capitals) locale.choice[id] = id.slice(id.lastIndexOf('.') + 1).toUpperCase();
  return locale;
}
