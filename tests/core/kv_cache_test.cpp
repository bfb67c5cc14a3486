// Hand-computed caches, and the faults that other calculators have: each one a check here.
#include "vramfit/kv_cache.h"

#include <cmath>

#include "support.h"

using namespace vramfit;
using namespace vramfit::test;

namespace {

CacheBreakdown cache(Id model, double context, Id kv = "bf16", int tensor_parallel = 1, StateDtype state = StateDtype::fp32) {
  return sequence_cache(catalogue_model(model), *find_kv_format(kv), context, tensor_parallel, state);
}

}  // namespace

TEST_CASE("kv: grouped-query") {
  CHECK(cache("llama-3.1-70b", 1).kv_bytes == 327680);
  CHECK(gib(cache("llama-3.1-70b", 131072).kv_bytes) == 40);
  CHECK(cache("qwen3-30b-a3b", 1).kv_bytes == 98304);  // head_dim is 128, not hidden / heads; experts do not enter
  CHECK(gib(cache("qwen3-30b-a3b", 32768).kv_bytes) == 3.0);
}

TEST_CASE("kv: sliding window") {
  // 10 global layers over all tokens, 52 local ones over 1,024.
  const double hand = 10.0 * 131072 * 8192 + 52.0 * 1024 * 8192;
  CHECK(cache("gemma-3-27b", 131072).kv_bytes == hand);
  CHECK(std::fabs(gib(hand) - 10.41) < 0.005);
  CHECK(std::fabs(gib(cache("gpt-oss-120b", 131072).kv_bytes) - 4.50) < 0.005);
  // Below the window every layer counts.
  CHECK(cache("gemma-3-27b", 512).kv_bytes == 62.0 * 512 * 8192);
}

TEST_CASE("kv: latent attention is one vector a token, and whole on every rank") {
  CHECK(cache("deepseek-v3", 1).kv_bytes == 61 * 576 * 2);
  CHECK(std::fabs(gib(cache("deepseek-v3", 32768).kv_bytes) - 2.145) < 0.0005);
  CHECK(cache("deepseek-v3", 32768, "bf16", 8).kv_bytes == cache("deepseek-v3", 32768).kv_bytes);
  CHECK(cache("kimi-k2.5", 1, "fp8").kv_bytes == 35136);  // as TensorRT-LLM logs it
}

TEST_CASE("kv: sparse latent attention with an indexer") {
  CHECK(cache("deepseek-v3.2", 1, "fp8").kv_bytes == 61 * (656 + 132));
  CHECK(cache("deepseek-v3.2", 1, "bf16").kv_bytes == 61 * (1152 + 132));
  CHECK(cache("glm-5.2", 1, "fp8").kv_bytes == 78 * 656 + 21 * 132);  // 53,936 measured
}

TEST_CASE("kv: compressed entries") {
  // One million tokens of DeepSeek V4 Pro in BF16: 9.62 GiB as published.
  CHECK(std::fabs(gib(cache("deepseek-v4-pro", 1048576).kv_bytes) - 9.62) < 0.05);
}

TEST_CASE("kv: recurrent state does not grow, and only attention layers cache tokens") {
  const CacheBreakdown next = cache("qwen3-next-80b-a3b", 131072);
  CHECK(gib(next.kv_bytes) == 3.0);
  double state = 0;
  for (int k = 0; k < next.num_kinds; ++k) state += next.kinds[k].num_layers * next.kinds[k].state_bytes;
  CHECK(state / bytes_per_mib == 72);
  CHECK(cache("qwen3-next-80b-a3b", 1).state_bytes == next.state_bytes);
  CHECK(cache("mamba-2.8b", 131072).kv_bytes == 0);
  // The published state of one sequence, state and convolution together.
  CHECK(cache("qwen3.5-27b", 1, "bf16", 1, StateDtype::checkpoint).state_bytes == 153944064);
  CHECK(cache("nemotron-3-nano-30b-a3b", 1, "bf16", 1, StateDtype::checkpoint).state_bytes == 49082368);
  CHECK(cache("jamba-mini-1.6", 1, "bf16", 1, StateDtype::checkpoint).state_bytes == 8716288);
  CHECK(cache("minimax-m1", 1, "bf16", 1, StateDtype::checkpoint).state_bytes == 146800640);
  // LFM2: ten convolutions over three tokens keep the last two; six attention layers cache tokens.
  CHECK(cache("lfm2-1.2b", 131072, "bf16", 1, StateDtype::checkpoint).state_bytes == 10 * 2048 * 2 * 2);
  CHECK(cache("lfm2-1.2b", 131072).kv_bytes == 6.0 * 131072 * 2 * 8 * 64 * 2);
  // llama.cpp keeps both in float32: 149.62 MiB a sequence in its log.
  CHECK(std::fabs(cache("qwen3.5-27b", 1, "bf16", 1, StateDtype::all_fp32).state_bytes / bytes_per_mib - 149.62) < 0.01);
  CHECK(cache("kimi-k3", 1, "bf16", 1, StateDtype::checkpoint).state_bytes == 449372160);
}

TEST_CASE("kv: shared and cross-attention layers") {
  // Gemma 4 E4B: 24 of 42 layers own a cache, 4 of them global.
  CHECK(cache("gemma-4-e4b", 131072).kv_bytes == 4.0 * 131072 * 2 * 1024 * 2 + 20.0 * 512 * 2 * 512 * 2);
  // Llama 3.2 11B Vision: eight cross layers hold image tokens, whatever the text's length.
  const double image = 8.0 * 6404 * 2 * 8 * 128 * 2;
  CHECK(cache("llama-3.2-11b-vision", 1000).kv_bytes == 32.0 * 1000 * 2 * 8 * 128 * 2 + image);
  CHECK(cache("bge-m3", 8192).kv_bytes == 0);  // an encoder keeps nothing
}

TEST_CASE("kv: unequal key and value widths, chunked attention") {
  CHECK(cache("mimo-v2-flash", 1).kv_bytes == 9 * 4 * (192 + 128) * 2 + 39 * 8 * (192 + 128) * 2);
  CHECK(cache("llama-4-scout", 131072).kv_bytes == (12.0 * 131072 + 36.0 * 8192) * 2 * 8 * 128 * 2);
}

TEST_CASE("kv: bytes per token are those of one more token") {
  CHECK(answer("model=llama-3.1-70b").model.kv_bytes_per_token == 327680);
  CHECK(answer("model=llama-3.2-11b-vision").model.kv_bytes_per_token == 131072);  // the image's tokens do not grow
  CHECK(answer("model=gpt-oss-120b").model.kv_bytes_per_token == 36 * 2048);
  CHECK(answer("model=mamba-2.8b").model.kv_bytes_per_token == 0);
}

TEST_CASE("kv: formats") {
  const double bf16 = cache("llama-3.1-8b", 4096).kv_bytes;
  CHECK(cache("llama-3.1-8b", 4096, "fp16").kv_bytes == bf16);
  CHECK(cache("llama-3.1-8b", 4096, "fp8").kv_bytes == bf16 / 2);
  CHECK(cache("llama-3.1-8b", 4096, "int8").kv_bytes == bf16 / 2 * (132.0 / 128));
  CHECK(cache("llama-3.1-8b", 4096, "int4").kv_bytes == bf16 / 4 * (68.0 / 64));
  CHECK(cache("llama-3.1-8b", 4096, "q8_0").kv_bytes == bf16 * 34 / 64);
  CHECK(cache("llama-3.1-8b", 4096, "q5_1").kv_bytes == bf16 * 24 / 64);
  CHECK(cache("llama-3.1-8b", 4096, "q5_0").kv_bytes == bf16 * 22 / 64);
  CHECK(cache("llama-3.1-8b", 4096, "q4_1").kv_bytes == bf16 * 20 / 64);
  CHECK(cache("llama-3.1-8b", 4096, "q4_0").kv_bytes == bf16 * 18 / 64);
}

TEST_CASE("kv: tensor parallelism divides KV heads until each rank holds one") {
  const double one = cache("llama-3.1-70b", 8192).kv_bytes;
  CHECK(cache("llama-3.1-70b", 8192, "bf16", 8).kv_bytes == one / 8);
  const double qwen = cache("qwen2.5-7b", 8192).kv_bytes;  // four KV heads
  CHECK(cache("qwen2.5-7b", 8192, "bf16", 4).kv_bytes == qwen / 4);
  CHECK(cache("qwen3-235b-a22b", 8192, "bf16", 8).kv_bytes == cache("qwen3-235b-a22b", 8192, "bf16", 4).kv_bytes);
}

TEST_CASE("kv: doubling context or halving precision never surprises (every model)") {
  for (const ModelEntry& m : models()) {
    const std::string id(m.id);
    CAPTURE(id);
    const Model model = parse_shape(m.shape).model;
    double previous = -1;
    for (double context = 1; context <= 1 << 20; context *= 4) {
      const CacheBreakdown c = sequence_cache(model, *find_kv_format("bf16"), context, 1, StateDtype::fp32);
      CHECK(c.kv_bytes >= previous);
      CHECK(sequence_cache(model, *find_kv_format("fp8"), context, 1, StateDtype::fp32).kv_bytes <= c.kv_bytes);
      for (int ranks = 2; ranks <= 8; ranks *= 2)
        CHECK(sequence_cache(model, *find_kv_format("bf16"), context, ranks, StateDtype::fp32).kv_bytes <= c.kv_bytes);
      previous = c.kv_bytes;
    }
  }
}
