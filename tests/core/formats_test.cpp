#include <cmath>
#include <map>

#include "support.h"

using namespace vramfit;
using namespace vramfit::test;

TEST_CASE("formats: block metadata, by hand") {
  const double n = 4096.0 * 4096.0;
  CHECK(tensor_bytes(Format::bf16, 4096, 4096, 0) == n * 2);
  CHECK(tensor_bytes(Format::fp32, 4096, 4096, 0) == n * 4);
  CHECK(tensor_bytes(Format::fp8, 4096, 4096, 0) == n + 4);
  CHECK(tensor_bytes(Format::fp8_block, 4096, 4096, 0) == n + 32 * 32 * 4);
  CHECK(tensor_bytes(Format::fp8_block, 130, 129, 0) == 130 * 129 + 2 * 2 * 4);
  CHECK(tensor_bytes(Format::int8, 4096, 4096, 0) == n + 4096 * 4);
  CHECK(tensor_bytes(Format::int8_bnb, 4096, 1024, 0) == 4096.0 * 1024 + 4096 * 4);
  CHECK(tensor_bytes(Format::int4_awq, 4096, 4096, 128) == n / 2 + 4096 * 32 * 2.5);
  CHECK(tensor_bytes(Format::int4_awq, 4096, 4096, 32) == n / 2 + 4096 * 128 * 2.5);
  CHECK(tensor_bytes(Format::int4_awq, 4096, 4096, 0) == n / 2 + 4096 * 2.5);
  CHECK(tensor_bytes(Format::int4_gptq, 4096, 4096, 128) == n / 2 + 4096 * 32 * 2.5 + 4096 * 4);
  CHECK(tensor_bytes(Format::int4_group, 4096, 4096, 32) * 8 / n == 4.5);
  CHECK(tensor_bytes(Format::nf4, 4096, 4096, 0) * 8 / n == 4.5);
  CHECK(tensor_bytes(Format::nf4_dq, 4096, 4096, 0) == n / 2 + n / 64 + 4 * n / (64 * 256));
  CHECK(tensor_bytes(Format::mxfp4, 4096, 4096, 0) * 8 / n == 4.25);
  CHECK(tensor_bytes(Format::nvfp4, 4096, 4096, 0) == n / 2 + n / 16 + 4);
}

TEST_CASE("formats: bits of the ggml types") {
  const std::map<Format, double> bits = {
      {Format::q8_0, 8.5},       {Format::q6_k, 6.5625},     {Format::q5_k, 5.5},       {Format::q5_1, 6},
      {Format::q5_0, 5.5},       {Format::q4_k, 4.5},        {Format::q4_1, 5},         {Format::q4_0, 4.5},
      {Format::q3_k, 3.4375},    {Format::q2_k, 2.625},      {Format::iq4_nl, 4.5},     {Format::iq4_xs, 4.25},
      {Format::iq3_s, 3.4375},   {Format::iq3_xxs, 3.0625},  {Format::iq2_s, 2.5625},   {Format::iq2_xs, 2.3125},
      {Format::iq2_xxs, 2.0625}, {Format::iq1_m, 1.75},      {Format::iq1_s, 1.5625},   {Format::tq2_0, 2.0625},
      {Format::tq1_0, 1.6875},   {Format::ggml_mxfp4, 4.25}, {Format::ggml_nvfp4, 4.5}, {Format::q2_0, 2.25},
      {Format::q1_0, 1.125},     {Format::q8_1, 9},          {Format::q8_k, 9.125}};
  for (const auto& [format, expected] : bits) CHECK(tensor_bytes(format, 512, 2048, 0) * 8 / (512 * 2048) == expected);
}

// llama.cpp's published table of bits per weight for Llama 3.1 8B (tools/quantize/README.md, @311c2c9f).
TEST_CASE("formats: ggml mixes reproduce llama.cpp's own table to its fourth decimal") {
  const std::map<std::string, double> published = {
      {"iq1_s", 2.0042},  {"iq1_m", 2.1460},  {"iq2_xxs", 2.3824}, {"iq2_xs", 2.5882}, {"iq2_s", 2.7403},  {"iq2_m", 2.9294},
      {"iq3_s", 3.6606},  {"iq4_xs", 4.4597}, {"q2_k_s", 2.9697},  {"q2_k", 3.1593},   {"q3_k_s", 3.6429}, {"q3_k_l", 4.2979},
      {"q4_k_m", 4.8944}, {"q5_k_s", 5.5704}, {"q5_k_m", 5.7036},  {"q6_k", 6.5633},   {"q8_0", 8.5008},   {"f16", 16.0005}};
  const Model model = catalogue_model("llama-3.1-8b");
  const double params = count_parameters(model).total;
  for (const auto& entry : published) {
    const std::string id = entry.first;
    CAPTURE(id);
    const Recipe* recipe = find_recipe(id);
    REQUIRE(recipe);
    CHECK(std::fabs(weight_bytes(model, *recipe, 0).total * 8 / params - entry.second) < 0.00006);
  }
}

TEST_CASE("formats: hand-computed weights") {
  CHECK(gib(weight_bytes(catalogue_model("llama-3.1-8b"), *find_recipe("q4_k_m"), 0).total) ==
        doctest::Approx(4.58).epsilon(0.001));
  // Two bytes for embedding and head, one for every other matrix: 67.67 GiB.
  const double fp8 = weight_bytes(catalogue_model("llama-3.1-70b"), *find_recipe("fp8"), 0).total;
  CHECK(std::fabs(gib(fp8) - 67.67) < 0.005);
  const WeightBytes mxfp4 = weight_bytes(catalogue_model("gpt-oss-120b"), *find_recipe("mxfp4"), 0);
  CHECK(std::fabs(gib(mxfp4.total) - 60.77) < 0.2);  // the file is 65,248,815,744 bytes
}

TEST_CASE("formats: a recipe spares what its checkpoints spare") {
  const Model model = catalogue_model("qwen3-30b-a3b");
  for_each_tensor(model, false, [&](const Tensor& t) {
    const Format fp8 = format_of(*find_recipe("fp8"), model, t, t.first_layer);
    const Format mxfp4 = format_of(*find_recipe("mxfp4"), model, t, t.first_layer);
    const bool spared = t.cls == TensorClass::token_embedding || t.cls == TensorClass::output_head ||
                        t.cls == TensorClass::router || t.cls == TensorClass::small;
    CHECK((fp8 == Format::bf16) == spared);
    CHECK((mxfp4 == Format::mxfp4) ==
          (t.cls == TensorClass::expert_gate || t.cls == TensorClass::expert_up || t.cls == TensorClass::expert_down));
  });
}

TEST_CASE("formats: rows that 256 does not divide fall back") {
  const Model model = catalogue_model("gpt-oss-20b");  // 2880 columns
  for_each_tensor(model, false, [&](const Tensor& t) {
    if (t.cls == TensorClass::attention_query) CHECK(format_of(*find_recipe("q4_k_m"), model, t, 5) == Format::q5_0);
    if (t.cls == TensorClass::attention_output) CHECK(format_of(*find_recipe("q4_k_m"), model, t, 5) == Format::q4_k);
    if (t.cls == TensorClass::expert_up)
      CHECK(format_of(*find_recipe("q4_k_m"), model, t, 5) == Format::ggml_mxfp4);  // published in 4 bits
    if (t.cls == TensorClass::output_head) CHECK(format_of(*find_recipe("q4_k_m"), model, t, 0) == Format::q8_0);
  });
}

TEST_CASE("formats: measured GGUF sizes") {
  const auto file_gib = [](Id model, Id recipe) {
    return gib(weight_bytes(catalogue_model(model), *find_recipe(recipe), 0).total);
  };
  CHECK(file_gib("gpt-oss-20b", "q4_k_m") == doctest::Approx(10.81).epsilon(0.005));  // llama.cpp log of a published file
  CHECK(file_gib("gpt-oss-20b", "mxfp4_moe") == doctest::Approx(11536.18 / 1024).epsilon(0.002));  // likewise
}

TEST_CASE("formats: every recipe sizes every model, and narrower formats are smaller") {
  for (const ModelEntry& m : models()) {
    const std::string id(m.id);
    CAPTURE(id);
    const Model model = parse_shape(m.shape).model;
    const double full = weight_bytes(model, *find_recipe("bf16"), 128).total;
    CHECK(full == count_parameters(model).total * 2);
    double previous = full * 1.02;
    for (const char* recipe : {"q8_0", "q6_k", "q5_k_m", "q4_k_m", "q3_k_m", "q2_k"}) {
      const double bytes = weight_bytes(model, *find_recipe(recipe), 0).total;
      CHECK(bytes <= previous);
      previous = bytes;
    }
    for (const Recipe& r : recipes()) {
      if (r.kind == RecipeKind::native) continue;
      const WeightBytes w = weight_bytes(model, r, 128);
      CHECK(w.total > 0);
      CHECK(w.quantized_bytes + w.kept_bytes == doctest::Approx(w.total));
    }
  }
}
