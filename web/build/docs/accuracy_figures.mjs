// How the accuracy page writes engines' names and errors.

// Makers' own spelling of what cases call their engine; others stand as they are.
const engineNames = {
  vllm: 'vLLM', 'vllm-ascend': 'vLLM Ascend', nim: 'NIM', sglang: 'SGLang', 'tensorrt-llm': 'TensorRT-LLM', tgi: 'TGI', 'hf-transformers': 'Transformers', transformers: 'Transformers',
  ollama: 'Ollama', 'lm-studio': 'LM Studio', koboldcpp: 'KoboldCpp', ik_llama: 'ik_llama.cpp', autoawq: 'AutoAWQ', litgpt: 'LitGPT', deepspeed: 'DeepSpeed', hf: 'Hugging Face', peft: 'PEFT',
};
export const engineName = (id) => engineNames[id] ?? id;

export function writers({ format }) {
  return {
    error: (value) => (value > 0 && value < 0.0005 ? `<${format.percent(0.1)}` : format.percent(value * 100)),
    bias: (value) => (Math.abs(value) < 0.0005 ? format.percent(0) : `${value < 0 ? '\u2212' : '+'}${format.percent(Math.abs(value) * 100)}`),
  };
}
