// Source id of all of it: llama-cpp-architectures.
#include "import/gguf_architectures.h"

#include <algorithm>

namespace vramfit::importer {
namespace {

using A = GgufArchitecture;

// Plain ones: what their tensors and metadata say is all there is to say.
constexpr std::string_view plain[] = {
    "apertus",    "arcee",         "arctic",        "baichuan",   "bailingmoe", "bailingmoe2",   "bitnet",
    "bloom",      "chameleon",     "chatglm",       "codeshell",  "command-r",  "dbrx",          "deepseek",
    "deepseek2",  "deepseek2-ocr", "deepseek32",    "dots1",      "dream",      "ernie4_5",      "ernie4_5-moe",
    "exaone",     "falcon",        "gemma",         "glm-dsa",    "glm4",       "glm4moe",       "gpt2",
    "gptneox",    "granite",       "granitehybrid", "granitemoe", "grok",       "hunyuan-dense", "hunyuan-moe",
    "hunyuan_vl", "hy_v3",         "internlm2",     "jais",       "jais2",      "jamba",         "lfm2",
    "lfm2moe",    "llada",         "llada-moe",     "llama",      "maincoder",  "mamba",         "mamba2",
    "minicpm",    "minimax-m2",    "minimax-m3",    "mistral3",   "mistral4",   "mpt",           "nemotron",
    "nemotron_h", "olmo",          "olmoe",         "openelm",    "orion",      "paddleocr",     "pangu-embedded",
    "phi2",       "phimoe",        "plamo",         "qwen2",      "qwen2moe",   "qwen2vl",       "qwen3",
    "qwen3moe",   "qwen3vl",       "qwen3vlmoe",    "refact",     "rnd1",       "seed_oss",      "smollm3",
    "stablelm",   "starcoder",     "starcoder2",    "xverse",
};

// Encoder-decoders, RWKV, layers of a kind that the model does not know, caches that are not what the shape says, draft models.
constexpr std::string_view not_modelled[] = {
    "arwkv7", "cogvlm", "dflash", "eagle3", "gemma4-assistant", "gptj",  "grovemoe", "minicpm3",  "mllama",
    "plamo2", "plm",    "rwkv",   "rwkv6",  "rwkv6qwen2",       "rwkv7", "t5",       "t5encoder", "wavtokenizer-dec",
};

A windowed(std::string_view name, int period, bool full_first = false, int default_window = 0) {
  A a;
  a.name = name;
  a.window_period = period;
  a.window_full_first = full_first;
  a.default_window = default_window;
  return a;
}

A encoder(std::string_view name) {
  A a;
  a.name = name;
  a.embedder = true;
  return a;
}

}  // namespace

A gguf_architecture(std::string_view name) {
  A a;
  a.name = name;
  if (std::find(std::begin(plain), std::end(plain), name) != std::end(plain)) return a;
  if (std::find(std::begin(not_modelled), std::end(not_modelled), name) != std::end(not_modelled)) {
    a.support = GgufSupport::not_modelled;
    return a;
  }

  for (std::string_view e :
       {"bert", "nomic-bert", "nomic-bert-moe", "neo-bert", "jina-bert-v2", "jina-bert-v3", "eurobert", "llama-embed"})
    if (name == e) return encoder(name);
  if (name == "modern-bert") return a = windowed(name, 3, true), a.embedder = true, a;
  if (name == "gemma-embedding") return a = windowed(name, 6), a.embedder = true, a;

  if (name == "gpt-oss") return windowed(name, 2);
  if (name == "gemma2") return windowed(name, 2, false, 4096);
  if (name == "gemma3") return windowed(name, 6);
  if (name == "gemma3n") return a = windowed(name, 5), a.layers_with_cache = 20, a;
  if (name == "llama4") return a = windowed(name, 4, false, 8192), a.window_kind = MixerKind::chunked, a;
  if (name == "exaone-moe") return windowed(name, 4, false, 128);
  if (name == "exaone4") return a = windowed(name, 4, false, 4096), a.window_layers = 64, a;
  for (std::string_view four : {"afmoe", "cohere2", "mellum", "muse-glimmer", "olmo2"})
    if (name == four) return windowed(name, 4);
  for (std::string_view first : {"cohere2moe", "laguna", "smallthinker"})
    if (name == first) return windowed(name, 4, true);
  if (name == "plamo3") return windowed(name, 8);
  if (name == "deepseek4") return windowed(name, 0);
  for (std::string_view listed : {"gemma4", "mimo2", "step35"})
    if (name == listed) return a.window_required = true, a;

  if (name == "phi3") return a;  // llama.cpp has its window switched off
  if (name == "qwen") return a.half_feed_forward = true, a;
  if (name == "qwen3next") return a.gated_query = true, a;
  if (name == "qwen35" || name == "qwen35moe") return a.gated_query = a.state_fp32 = true, a;
  if (name == "kimi-linear" || name == "kimi-k3" || name == "nemotron_h_moe") return a.state_fp32 = true, a;
  if (name == "falcon-h1") return a.two_mixers = true, a;
  if (name == "deci") return a.may_skip_layers = true, a;
  a.support = GgufSupport::unknown;
  return a;
}

}  // namespace vramfit::importer
