// Names of number formats -> the product's `weights` and `kv` ids.

// -> {id, assumed} or {missing: text} when the product has no such format.
export function weights_format(text, model, choices) {
  const said = (text ?? '').trim();
  if (!said || /^(not stated|native|checkpoint|default)/i.test(said))
    return { id: model ? 'native' : 'bf16', assumed: model ? 'weights as published' : 'bf16 weights' };
  const found = named_format(said.toLowerCase(), model);
  if (!found || (found.id !== 'native' && !choices.includes(found.id))) return { missing: said };
  if (found.id === 'native' && !model) return { missing: said };
  return found;
}

function named_format(s, model) {
  const native = model?.native ?? '';
  const gguf = ggml_format(s);
  if (gguf) return gguf;
  if (/gguf|hybrid|\+ ?fp8 mixed|quantized|not stated exactly|mxfp8|float8 linear|exl\d|wint2|2-bit|3-bit|ktransformers/.test(s))
    return null;
  if (/fp8 ?\/ ?(bf16|nvfp4|fp4)|(bf16|fp16) ?\/ ?(fp8|int\d)|int4 ?\/ ?fp8|gptq ?\/ ?awq/.test(s) && !/^gptq ?\/ ?awq/.test(s))
    return null;
  if (/mixed/.test(s)) return /fp8.*fp4|fp4.*fp8/.test(s) && native.includes('fp4') ? { id: 'native' } : null;
  if (/fp8/.test(s) && /fp4/.test(s)) return null;
  if (/nf4|bitsandbytes|bnb/.test(s) && !/8-?bit|int8/.test(s)) return { id: /dq|double/.test(s) ? 'nf4-dq' : 'nf4' };
  if (/(bnb|bitsandbytes).*(8-?bit|int8)/.test(s)) return { id: 'int8-bnb' };
  if (/nvfp4|^fp4/.test(s)) return { id: 'nvfp4' };
  if (/mxfp4/.test(s)) return { id: native === 'mxfp4' ? 'native' : 'mxfp4' };
  if (/fp8.*fbgemm|fbgemm.*fp8/.test(s)) return { id: 'fp8-ffn' };
  if (/fp8|f8_e4m3|float8/.test(s)) {
    // Checkpoints that are published in an 8-bit form already.
    if (native.startsWith('fp8') || native.includes('fp8')) return { id: 'native' };
    return { id: /block|128/.test(s) ? 'fp8-block' : 'fp8' };
  }
  if (/awq/.test(s)) return { id: /8-?bit|int8/.test(s) ? 'int8' : 'int4-awq' };
  if (/(gptq|autoround|marlin).*(int8|8-?bit)|(int8|8-?bit).*gptq/.test(s)) return { id: 'int8-gptq' };
  if (/gptq|autoround|marlin/.test(s)) return { id: 'int4-gptq' };
  if (/w4a16|w4a8|wint4|int4|^4-?bit|int4-experts/.test(s)) {
    if (native.startsWith('int4')) return { id: 'native' };
    return /w4a16|compressed/.test(s) ? { id: 'int4-w4a16' } : { id: 'int4' };
  }
  if (/w8a8|w8a16|wint8|int8|^8-?bit/.test(s)) return { id: 'int8' };
  if (/fp32|float32|^f32/.test(s)) return { id: 'fp32' };
  if (/bf16|bfloat16|16-?bit|no quantization/.test(s)) return { id: 'bf16' };
  if (/fp16|float16|^f16|half/.test(s)) return { id: 'fp16' };
  return null;
}

// "Q4_K - Medium", "GGUF Q5_K_S", "IQ4_XS - 4.25 bpw", "MXFP4 MoE". Makers' own mixes ("UD-", "_XL", "_R4") are no recipe.
export function ggml_format(text) {
  const s = text.toLowerCase();
  if (/mxfp4/.test(s) && /moe|gguf/.test(s)) return { id: 'mxfp4_moe' };
  const m = /\b(ud[-_])?(i?q\d+[a-z0-9_]*|tq\d_\d)(\s*-\s*(small|medium|large))?/.exec(s);
  if (!m) {
    if (!/gguf|ggml/.test(s)) return null;
    if (/\bbf?16|\bf16|fp16/.test(s)) return { id: 'f16' };
    if (/q4\b|4-bit/.test(s)) return null;
    return null;
  }
  if (m[1] || /xyz|smart|mix/.test(s)) return { id: `not-a-recipe:${m[0]}` };
  const size = m[4] ? `_${m[4][0]}` : '';
  // llama.cpp prints the plain Q2_K mix as "Q2_K - Medium".
  const id = `${m[2]}${/^q2_k/.test(m[2]) && size === '_m' ? '' : size}`;
  return { id };
}

// -> {id, assumed} or {missing}
export function kv_format(text, choices, weights_text) {
  const s = (text ?? '').trim().toLowerCase();
  let id;
  let assumed;
  if (!s || s === 'auto') {
    if (/float32|fp32/i.test(weights_text ?? '')) return { missing: 'float32' };
    [id, assumed] = ['bf16', s ? undefined : '16-bit cache'];
  } else if (/^(bf16|bfloat16)/.test(s)) id = 'bf16';
  else if (/^(f16|fp16|float16|half)/.test(s)) id = 'fp16';
  else if (/^fp8/.test(s)) id = 'fp8';
  else if (/^iq4_nl$/.test(s))
    id = 'q4_0'; // the same block: 18 bytes for 32 values
  else id = s;
  return choices.includes(id) ? { id, assumed } : { missing: text };
}

// "…-FP8", "…-NVFP4", "… (4-bit checkpoint)".
export function dtype_in_name(name) {
  const m = /(fp8|nvfp4|mxfp4|awq|gptq[-_ ]?int\d|gptq|w\d+a\d+|int[48]|4-?bit|8-?bit|bf16)/i.exec(name ?? '');
  return m ? m[1] : null;
}
