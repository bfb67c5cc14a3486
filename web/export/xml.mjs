// Text for XML: escaped, and without the characters that no XML document may hold, not even escaped.
const escapes = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };
const forbidden = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

export const xml = (text) => String(text).replace(forbidden, '\ufffd').replace(/[&<>"']/g, (c) => escapes[c]);

// <name a="b">content</name>; attributes that are null are left out, and content is markup already.
export function element(name, attributes, content = null) {
  const written = Object.entries(attributes).filter(([, value]) => value !== null).map(([key, value]) => ` ${key}="${xml(value)}"`).join('');
  return content === null ? `<${name}${written}/>` : `<${name}${written}>${content}</${name}>`;
}
