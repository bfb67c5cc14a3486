// vramfit-llama-3.1-70b-fp8.svg: what it is about can be read off a downloaded file.
const plain = (text) => text.toLowerCase().replace(/[^a-z0-9._]+/g, '-').replace(/^[-.]+|[-.]+$/g, '').slice(0, 60);

function size(params) {
  for (const [suffix, factor] of [['t', 1e12], ['b', 1e9], ['m', 1e6]]) {
    if (params >= factor) return `${Math.round((params / factor) * 100) / 100}${suffix}`;
  }
  return String(params);
}

// `result` may be refused: its model may then be one that nobody knows.
export function fileName({ inputs, model, weights }, extension) {
  const parts = [inputs.shape ? model.name || size(model.stated_params) : inputs.model || size(model.stated_params || inputs.params), inputs.task === 'serve' ? weights : inputs.task];
  return `${['vramfit', ...parts.map((part) => plain(String(part)))].filter(Boolean).join('-')}.${extension}`;
}
