// Names of engines -> the product's engines. Engines that it does not have are answered as the one that works most alike.
const engines = [
  // [pattern, product's id, what it stands for when the engine is another]
  [/ktransformers/i, null, 'KTransformers keeps experts on the host by rules of its own'],
  [/tt-metal|tpu|ascend|habana|kunlun/i, null, 'the engine is a port to accelerators that the product does not have'],
  [/tensorrt|trt-?llm/i, 'tensorrt-llm'],
  [/ollama/i, 'ollama'],
  [/lm studio/i, 'lm-studio'],
  [/kobold/i, 'koboldcpp'],
  [/tgi|lmdeploy|fastdeploy|atom|tinychat|\bds4\b/i, null, 'it has a memory plan of its own'],
  [/ik_llama|beellama|llamafile|llama-cpp-python/i, 'llama.cpp', 'a program built on llama.cpp'],
  [/llama\.?cpp/i, 'llama.cpp'],
  [/^(?!vllm).*sglang/i, 'sglang'],
  [/litgpt|accelerate|deepspeed|autoawq|peft|\bHF\b/i, 'transformers', 'a framework without a cache pool'],
  [/transformers/i, 'transformers'],
  [/^vllm|\bvllm\b|kaito/i, 'vllm'],
  [/\bnim\b/i, 'vllm', 'which engine a NIM runs is not stated'],
];

// -> {id, assumed} or {reason}: then the other methods, which know of no engine, may still be asked. No engine named: the product's own choice for the weights.
export function engine_match(text) {
  const said = String(text ?? '').trim();
  if (!said || /^any$/i.test(said)) return { id: 'auto', assumed: 'engine not named' };
  const found = engines.find(([pattern]) => pattern.test(said));
  if (!found) return { reason: `engine not modelled: ${said}` };
  const [, id, note] = found;
  return id ? { id, assumed: note && `${said} as ${id}: ${note}` } : { reason: `engine not modelled: ${said} (${note})` };
}
