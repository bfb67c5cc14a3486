// A locale as lines of text, which is how the canvas takes it: `key<TAB>message`, plural forms as `key#one<TAB>message`, in the order
// of their bytes. No message holds a tab or a line break (a test sees to it).

// What the canvas speaks of: neither the terminal's texts nor the page's prose about its two methods.
export const canvasNamespaces = [
  'page', 'answer', 'help', 'group', 'field', 'help_field', 'unit', 'weights_group', 'choice', 'compartment', 'verdict', 'reason', 'cause', 'split',
  'vendor', 'form', 'interconnect', 'basis', 'price_kind', 'severity', 'notice_hint', 'notice', 'formula', 'cite', 'canvas',
];

export function toTable(locale, namespaces = canvasNamespaces) {
  const lines = [];
  for (const namespace of namespaces) {
    for (const [id, message] of Object.entries(locale[namespace])) {
      const key = `${namespace}.${id}`;
      if (typeof message === 'object') for (const [form, text] of Object.entries(message)) lines.push([`${key}#${form}`, text]);
      else lines.push([key, message]);
    }
  }
  // Keys are ASCII, so that this is the order of bytes too.
  return lines.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, text]) => `${key}\t${text}\n`).join('');
}
