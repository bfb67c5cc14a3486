#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "gguf_models.h"
#include "import/gguf.h"
#include "vramfit/catalog.h"
#include "vramfit/format_table.h"
#include "vramfit/kv_cache.h"
#include "vramfit/shape.h"

using namespace vramfit;
using namespace vramfit::test;

namespace {

// The architecture that llama.cpp's converters give a catalogue model, by the beginning of its id; empty: none of theirs.
std::string architecture_of(Id id) {
  struct Row {
    std::string_view begin, name;
  };
  constexpr Row rows[] = {{"llama-3.2-11b-vision", ""},
                          {"llama-3.2-90b-vision", ""},
                          {"minimax-m1", ""},
                          {"whisper", ""},
                          {"opt-", ""},
                          {"llama-4", "llama4"},
                          {"llama-", "llama"},
                          {"codellama", "llama"},
                          {"mistral-small-4", "mistral4"},
                          {"mistral-large-3", "deepseek2"},
                          {"ministral-3", "mistral3"},
                          {"mistral-small-3.2", "mistral3"},
                          {"mistral-medium", "mistral3"},
                          {"devstral-2", "mistral3"},
                          {"mistral-", "llama"},
                          {"ministral", "llama"},
                          {"devstral", "llama"},
                          {"magistral", "llama"},
                          {"mixtral", "llama"},
                          {"qwen1.5-moe", "qwen2moe"},
                          {"qwen2-57b", "qwen2moe"},
                          {"qwen1.5", "qwen2"},
                          {"qwen2.5-vl", "qwen2vl"},
                          {"qwen2-vl", "qwen2vl"},
                          {"qwen2", "qwen2"},
                          {"qwq", "qwen2"},
                          {"qwen3-next", "qwen3next"},
                          {"qwen3-coder-next", "qwen3next"},
                          {"qwen3-vl-30b", "qwen3vlmoe"},
                          {"qwen3-vl-235b", "qwen3vlmoe"},
                          {"qwen3-vl", "qwen3vl"},
                          {"qwen3-30b", "qwen3moe"},
                          {"qwen3-235b", "qwen3moe"},
                          {"qwen3-coder-480b", "qwen3moe"},
                          {"qwen3-", "qwen3"},
                          {"qwen3.5-35b", "qwen35moe"},
                          {"qwen3.5-122b", "qwen35moe"},
                          {"qwen3.5-397b", "qwen35moe"},
                          {"qwen3.6-35b", "qwen35moe"},
                          {"qwen3.", "qwen35"},
                          {"deepseek-v3.2", "deepseek32"},
                          {"deepseek-v4", "deepseek4"},
                          {"deepseek-moe", "deepseek"},
                          {"deepseek-", "deepseek2"},
                          {"r1-distill-qwen", "qwen2"},
                          {"r1-distill-llama", "llama"},
                          {"kimi-linear", "kimi-linear"},
                          {"kimi-k3", "kimi-k3"},
                          {"kimi-", "deepseek2"},
                          {"moonlight", "deepseek2"},
                          {"glm-4.7-flash", "deepseek2"},
                          {"glm-4.", "glm4moe"},
                          {"glm-5", "glm-dsa"},
                          {"glm-4-9b-0414", "glm4"},
                          {"glm-4-32b", "glm4"},
                          {"glm-4-9b", "chatglm"},
                          {"minimax-m2", "minimax-m2"},
                          {"minimax-m3", "minimax-m3"},
                          {"gpt-oss", "gpt-oss"},
                          {"gemma-2-", "gemma2"},
                          {"gemma-3n", "gemma3n"},
                          {"gemma-3-", "gemma3"},
                          {"gemma-4", "gemma4"},
                          {"gemma-", "gemma"},
                          {"phi-3.5-moe", "phimoe"},
                          {"phi-3", "phi3"},
                          {"phi-4", "phi3"},
                          {"phi-", "phi2"},
                          {"command-a", "cohere2"},
                          {"command-r7b", "cohere2"},
                          {"command-", "command-r"},
                          {"aya", "command-r"},
                          {"mpt", "mpt"},
                          {"falcon3", "llama"},
                          {"falcon", "falcon"},
                          {"yi-", "llama"},
                          {"smollm3", "smollm3"},
                          {"smollm2", "llama"},
                          {"smolvlm", "llama"},
                          {"olmo-2", "olmo2"},
                          {"granite-4.0", "granitehybrid"},
                          {"granite", "granite"},
                          {"starcoder2", "starcoder2"},
                          {"starcoder-", "starcoder"},
                          {"nemotron-super", "deci"},
                          {"nemotron-ultra", "deci"},
                          {"nemotron-3-nano-4b", "nemotron_h"},
                          {"nemotron-3", "nemotron_h_moe"},
                          {"nemotron-", "nemotron_h"},
                          {"jamba", "jamba"},
                          {"mamba-", "mamba"},
                          {"codestral-mamba", "mamba2"},
                          {"bge", "bert"},
                          {"mimo-v2", "mimo2"},
                          {"mimo-7b", ""},
                          {"tinyllama", "llama"},
                          {"dbrx", "dbrx"},
                          {"grok", "grok"},
                          {"internlm2", "internlm2"},
                          {"seed-oss", "seed_oss"},
                          {"hunyuan-a13b", "hunyuan-moe"},
                          {"hy3", "hy_v3"},
                          {"ernie", "ernie4_5-moe"},
                          {"step-3.5", "step35"},
                          {"ling-lite", "bailingmoe"},
                          {"ling-", "bailingmoe2"},
                          {"exaone-4.0", "exaone4"},
                          {"solar", "llama"},
                          {"bielik", "llama"},
                          {"baichuan", "baichuan"},
                          {"bloom", "bloom"},
                          {"pythia", "gptneox"},
                          {"gpt-neox", "gptneox"},
                          {"stablelm-alpha", "gptneox"},
                          {"stablelm", "stablelm"},
                          {"internvl3", "qwen2"},
                          {"muse-glimmer", "muse-glimmer"},
                          {"trinity", "afmoe"},
                          {"laguna", "laguna"},
                          {"dots.llm1", "dots1"},
                          {"apertus", "apertus"},
                          {"lfm2-8b", "lfm2moe"},
                          {"lfm2", "lfm2"}};
  for (const Row& row : rows)
    if (id.starts_with(row.begin)) return std::string(row.name);
  return "?";
}

std::string said(const Imported& imported) {
  std::string out;
  for (const ImportRemark& r : imported.remarks)
    out += r.id + " [" + r.where + "] " + r.value + " / " + r.wanted + " / " + std::to_string(r.number) + "\n";
  return out;
}

const ImportRemark* find_remark(const Imported& imported, std::string_view id) {
  for (const ImportRemark& r : imported.remarks)
    if (r.id == id) return &r;
  return nullptr;
}

// What a GGUF file does not hold: towers, and what only configurations say.
Model without_tower(Model m, const std::string& architecture) {
  m.tower_params = m.max_image_tokens = m.rope_table_factor = 0;
  m.max_position_embeddings = 0;
  for (Mixer& x : m.mixers) {
    if (architecture == "nemotron_h") x.state_fp32 = false;
    // Mistral 7B v0.1: llama.cpp gives the architecture no window.
    if (architecture == "llama" && x.kind == MixerKind::sliding) x.kind = MixerKind::full, x.window = 0;
  }
  if (architecture == "falcon" && m.norms_per_layer == 2) m.norms_per_layer = 0;  // one before each half, as is assumed
  return m;
}

double cache_bytes(const Model& m, double context) {
  const CacheBreakdown c = sequence_cache(m, *find_kv_format("fp16"), context, 1, StateDtype::all_fp32);
  return c.kv_bytes + c.state_bytes;
}

}  // namespace

TEST_CASE("GGUF: every catalogue model comes back from its tensors and metadata, with the file's bytes exactly") {
  int covered = 0;
  for (const ModelEntry& entry : models()) {
    const std::string architecture = architecture_of(entry.id);
    CAPTURE(std::string(entry.id));
    CAPTURE(architecture);
    CHECK(architecture != "?");
    if (architecture.empty() || architecture == "?") continue;
    ++covered;
    const Model model = without_tower(parse_shape(entry.shape).model, architecture);
    GgufWriter w;
    GgufOfModel(w, model, architecture, std::max(1, entry.max_position_embeddings)).write();
    const Imported imported = import_one(w);
    CHECK_MESSAGE(imported.ok, said(imported));
    if (!imported.ok) continue;
    CHECK(imported.origin == "gguf");
    CHECK(imported.type == architecture);
    CHECK(imported.max_position_embeddings == std::max(1, entry.max_position_embeddings));
    Model read = imported.model;
    read.max_position_embeddings = 0;
    CHECK(write_shape(read) == write_shape(model));
    CHECK(imported.tensor_bytes == w.tensor_bytes());
    CHECK(imported.file_bytes == w.total_bytes());

    // What the shape and the table say is what the file holds, but for what is loaded for multi-token prediction only.
    const ShapeResult shape = parse_shape(imported.shape);
    CHECK(shape.ok());
    const FormatTableResult formats = parse_format_table(imported.formats);
    CHECK(formats.ok());
    double explained = formats.stored.rest_bytes, prediction = 0;
    for_each_tensor(shape.model, true, [&](const Tensor& t) {
      for (int i = 0; i < t.num_layers; ++i) {
        const auto& s = section_of(formats.stored, t.cls, t.first_layer + i);
        (t.in_mtp ? prediction : explained) += tensor_bytes(s.format, t.rows, t.cols, s.group) * t.count;
      }
    });
    if (model.num_mtp_layers == 0) CHECK(explained == w.tensor_bytes());
    else CHECK(explained < w.tensor_bytes());
    // Where a layer has one class in two types (rows that 256 does not divide beside others), the rest takes the difference.
    const bool mixed = architecture == "gemma3n" || architecture == "gemma4" || architecture.starts_with("nemotron_h") ||
                       architecture == "mamba" || architecture == "bert";
    CHECK(std::fabs(formats.stored.rest_bytes) < (mixed ? 0.08 : 0.002) * w.tensor_bytes());
    for (double context : {1.0, 8192.0, 131072.0}) CHECK(cache_bytes(shape.model, context) == cache_bytes(model, context));
  }
  CHECK(covered > 190);
}

namespace {

// Two layers of a small llama, by hand; single keys and tensors can be left out or changed.
struct Tiny {
  std::string without_key, without_tensor, architecture = "llama";
  double heads = 4, kv_heads = 2, dim = 16, embedding_length = 64, feed_forward = 128, q_rows = 64;
  std::vector<std::string> extra_tensors;
  double extra_elements = 64;

  GgufWriter w;

  GgufWriter& write() {
    const auto number = [&](const std::string& k, double v) {
      if (k != without_key) w.number(architecture + "." + k, v);
    };
    const auto tensor = [&](const std::string& name, std::uint32_t type, const std::vector<double>& dims) {
      if (name != without_tensor) w.tensor(name, type, dims);
    };
    if (without_key != "general.architecture") w.text("general.architecture", architecture);
    number("block_count", 2);
    number("context_length", 4096);
    number("embedding_length", embedding_length);
    number("attention.head_count", heads);
    number("attention.head_count_kv", kv_heads);
    number("attention.key_length", dim);
    number("feed_forward_length", feed_forward);
    w.texts("tokenizer.ggml.tokens", 100);
    tensor("token_embd.weight", Q8_0, {64, 100});
    for (const char* b : {"blk.0.", "blk.1."}) {
      tensor(b + std::string("attn_norm.weight"), F32, {64});
      tensor(b + std::string("attn_q.weight"), Q8_0, {64, q_rows});
      tensor(b + std::string("attn_k.weight"), Q8_0, {64, 32});
      tensor(b + std::string("attn_v.weight"), F16, {64, 32});
      tensor(b + std::string("attn_output.weight"), Q8_0, {64, 64});
      tensor(b + std::string("ffn_norm.weight"), F32, {64});
      tensor(b + std::string("ffn_gate.weight"), Q4_0, {64, 128});
      tensor(b + std::string("ffn_up.weight"), Q4_0, {64, 128});
      tensor(b + std::string("ffn_down.weight"), Q8_0, {128, 64});
    }
    tensor("output_norm.weight", F32, {64});
    for (const std::string& name : extra_tensors) w.tensor(name, F32, {extra_elements});
    return w;
  }
};

std::string first_error(const Imported& imported) {
  CHECK_FALSE(imported.ok);
  for (const ImportRemark& r : imported.remarks)
    if (r.severity == Severity::error) return r.id + " " + r.where;
  return "none";
}

std::string refused(Tiny tiny) { return first_error(import_one(tiny.write())); }

Imported import_text(const std::string& text, double total = 0) {
  const ImportFile file{"model.gguf", text, total > 0 ? total : double(text.size())};
  return import_model({&file, 1});
}

}  // namespace

TEST_CASE("GGUF: a small model by hand") {
  Tiny tiny;
  const Imported imported = import_one(tiny.write());
  REQUIRE_MESSAGE(imported.ok, said(imported));
  CHECK(imported.shape.starts_with("hidden64,vocab100,tied"));
  CHECK(imported.shape.ends_with(";full,q4,kv2,dim16;dense,i128;2aA"));
  // q8_0: 34 bytes of 32 elements; q4_0: 18; f16: 2 and f32: 4 of one.
  const double embedding = 100 * 2 * 34, attention = 64 * 2 * 34 + 32 * 2 * 34 + 32 * 64 * 2 + 64 * 2 * 34;
  const double feed_forward = 2 * 128 * 2 * 18 + 64 * 4 * 34, norms = 2 * 64 * 4;
  CHECK(imported.tensor_bytes == embedding + 2 * (attention + feed_forward + norms) + 64 * 4);
  CHECK(imported.explained_bytes == imported.tensor_bytes);
  CHECK(imported.formats.find("rest") == std::string::npos);
  CHECK(imported.max_position_embeddings == 4096);
  // A token's keys and values: 2 layers of 2 heads of 16, both in 2 bytes.
  const CacheBreakdown c = sequence_cache(imported.model, *find_kv_format("fp16"), 10, 1, StateDtype::all_fp32);
  CHECK(c.kv_bytes == 10 * 2 * 2 * 2 * 16 * 2);
  REQUIRE(imported.inferred.size() == 1);
  CHECK(imported.inferred[0].id == "import-gguf-rule-tied");
}

TEST_CASE("GGUF: what is missing is named") {
  const auto without_key = [](const char* key) {
    Tiny tiny;
    tiny.without_key = key;
    return refused(tiny);
  };
  CHECK(without_key("general.architecture") == "import-gguf-missing-key general.architecture");
  CHECK(without_key("block_count") == "import-gguf-missing-key llama.block_count");
  CHECK(without_key("context_length") == "import-gguf-missing-key llama.context_length");
  CHECK(without_key("attention.head_count") == "import-gguf-missing-key llama.attention.head_count");
  const auto without_tensor = [](const char* name) {
    Tiny tiny;
    tiny.without_tensor = name;
    return refused(tiny);
  };
  CHECK(without_tensor("token_embd.weight") == "import-gguf-missing-tensor token_embd.weight");
  CHECK(without_tensor("blk.0.attn_output.weight") == "import-gguf-missing-tensor blk.0.attn_output.weight");
  CHECK(without_tensor("blk.1.attn_k.weight") == "import-gguf-missing-tensor blk.1.attn_k.weight");
  CHECK(without_tensor("blk.1.ffn_down.weight") == "import-gguf-missing-tensor blk.1.ffn_down.weight");

  // The tensors say what these keys would.
  for (const char* key : {"embedding_length", "attention.head_count_kv", "attention.key_length", "feed_forward_length"}) {
    Tiny tiny;
    tiny.without_key = key;
    const Imported imported = import_one(tiny.write());
    CHECK_MESSAGE(imported.ok, said(imported));
    CHECK(imported.shape.ends_with(";full,q4,kv2,dim16;dense,i128;2aA"));
  }
}

TEST_CASE("GGUF: metadata and tensors that contradict each other are named with both figures") {
  const auto refused_with = [](auto change, const char* where, const char* found, const char* key, double stated) {
    Tiny tiny;
    change(tiny);
    const Imported imported = import_one(tiny.write());
    CHECK_FALSE(imported.ok);
    const ImportRemark* r = find_remark(imported, "import-gguf-contradiction");
    REQUIRE_MESSAGE(r, said(imported));
    CHECK(r->where == where);
    CHECK(r->value == found);
    CHECK(r->wanted == key);
    CHECK(r->number == stated);
  };
  refused_with([](Tiny& t) { t.embedding_length = 128; }, "token_embd.weight", "64", "llama.embedding_length", 128);
  refused_with([](Tiny& t) { t.kv_heads = 4; }, "blk.0.attn_k.weight", "32", "llama.attention.head_count_kv", 64);
  refused_with([](Tiny& t) { t.q_rows = 96; }, "blk.0.attn_q.weight", "96", "llama.attention.head_count", 64);
  refused_with([](Tiny& t) { t.feed_forward = 256; }, "blk.0.ffn_down.weight", "128", "llama.feed_forward_length", 256);
  refused_with([](Tiny& t) { t.extra_tensors = {"output.weight"}; }, "output.weight", "1", "token_embd.weight", 100);
  {
    Tiny tiny;
    tiny.extra_tensors = {"blk.2.attn_norm.weight"};
    CHECK(refused(tiny) == "import-gguf-layer blk.2.attn_norm.weight");
  }
  {
    Tiny tiny;
    tiny.write();
    tiny.w.number("llama.attention.sliding_window", 1024);  // llama.cpp gives a llama no window
    const Imported imported = import_one(tiny.w);
    CHECK(imported.ok);
    CHECK(find_remark(imported, "import-gguf-window-unused"));
    CHECK(imported.shape.find("slide") == std::string::npos);
  }
}

TEST_CASE("GGUF: architectures that are not known, or known and not modelled, are named") {
  Tiny tiny;
  tiny.architecture = "llama9";
  CHECK(refused(tiny) == "import-gguf-unknown-architecture general.architecture");
  tiny = {};
  tiny.architecture = "llama9";
  const Imported unknown = import_one(tiny.write());  // what can be counted is
  CHECK(unknown.tensor_bytes == tiny.w.tensor_bytes());
  CHECK(unknown.dtypes.size() == 4);
  CHECK(unknown.shape.empty());
  for (const char* name : {"rwkv6", "rwkv7", "t5", "plm", "minicpm3", "gemma4-assistant"}) {
    tiny = {};
    tiny.architecture = name;
    CHECK(refused(tiny) == "import-gguf-not-modelled general.architecture");
  }
}

TEST_CASE("GGUF: tensors without a known name go to the rest, and too many are refused") {
  Tiny tiny;
  tiny.extra_tensors = {"blk.0.mystery.weight", "rope_freqs.weight"};
  const Imported imported = import_one(tiny.write());
  CHECK_MESSAGE(imported.ok, said(imported));
  const ImportRemark* r = find_remark(imported, "import-gguf-unknown-tensor");
  REQUIRE(r);
  CHECK(r->where == "blk.0.mystery.weight");
  CHECK(r->number == 64 * 4);
  CHECK(imported.formats.ends_with(";rest512"));
  CHECK(imported.tensor_bytes == imported.explained_bytes + 512);

  tiny = {};
  tiny.extra_tensors = {"blk.0.mystery.weight"};
  tiny.extra_elements = 64 * 100;
  CHECK(refused(tiny) == "import-gguf-unknown-tensors ");
}

TEST_CASE("GGUF: where windows stand") {
  const auto shape_of = [](const char* architecture, auto more) {
    Tiny tiny;
    tiny.architecture = architecture;
    tiny.write();
    more(tiny.w);
    const Imported imported = import_one(tiny.w);
    CHECK_MESSAGE(imported.ok, said(imported));
    const std::size_t at = imported.shape.find(';');
    return imported.shape.substr(at + 1);
  };
  const auto nothing = [](GgufWriter&) {};
  CHECK(shape_of("gemma2", nothing) == "slide4096,q4,kv2,dim16;full,q4,kv2,dim16;dense,i128;aAbA");
  CHECK(shape_of("gemma2", [](GgufWriter& w) { w.number("gemma2.attention.sliding_window", 77); }) ==
        "slide77,q4,kv2,dim16;full,q4,kv2,dim16;dense,i128;aAbA");
  CHECK(shape_of("gemma3", nothing) == "full,q4,kv2,dim16;dense,i128;2aA");
  CHECK(shape_of("gemma3", [](GgufWriter& w) { w.number("gemma3.attention.sliding_window", 512); }) ==
        "slide512,q4,kv2,dim16;dense,i128;2aA");
  CHECK(shape_of("gemma3", [](GgufWriter& w) {
          w.number("gemma3.attention.sliding_window", 512);
          w.number("gemma3.attention.sliding_window_pattern", 2);
        }) == "slide512,q4,kv2,dim16;full,q4,kv2,dim16;dense,i128;aAbA");
  CHECK(shape_of("gemma3", [](GgufWriter& w) {
          w.number("gemma3.attention.sliding_window", 512);
          w.flags("gemma3.attention.sliding_window_pattern", {false, true});
        }) == "full,q4,kv2,dim16;slide512,q4,kv2,dim16;dense,i128;aAbA");
  CHECK(shape_of("laguna", [](GgufWriter& w) { w.number("laguna.attention.sliding_window", 512); }) ==
        "full,q4,kv2,dim16;slide512,q4,kv2,dim16;dense,i128;aAbA");
  CHECK(shape_of("phi3", [](GgufWriter& w) { w.number("phi3.attention.sliding_window", 2047); }) ==
        "full,q4,kv2,dim16;dense,i128;2aA");
  CHECK(shape_of("llama4", nothing) == "chunk8192,q4,kv2,dim16;dense,i128;2aA");
  Tiny tiny;
  tiny.architecture = "gemma4";
  CHECK(refused(tiny) == "import-gguf-missing-key gemma4.attention.sliding_window_pattern");
  tiny = {};
  tiny.architecture = "mimo2";
  tiny.write().flags("mimo2.attention.sliding_window_pattern", {true, false});
  CHECK(first_error(import_one(tiny.w)) == "import-gguf-missing-key mimo2.attention.sliding_window");
  tiny = {};
  tiny.architecture = "gemma3";
  tiny.write().numbers("gemma3.attention.sliding_window_pattern", {1});
  CHECK(first_error(import_one(tiny.w)) == "import-gguf-array-length gemma3.attention.sliding_window_pattern");
}

TEST_CASE("GGUF: a matrix that is not split keeps llama.cpp from the compressed cache, and is refused") {
  GgufWriter w;
  w.text("general.architecture", "deepseek2");
  for (const auto& [k, v] :
       {std::pair{"block_count", 1}, {"context_length", 4096}, {"attention.head_count", 4}, {"attention.kv_lora_rank", 32}})
    w.number("deepseek2." + std::string(k), v);
  w.tensor("token_embd.weight", F16, {64, 100});
  w.tensor("blk.0.attn_norm.weight", F32, {64});
  w.tensor("blk.0.attn_q.weight", F16, {64, 4 * 24});
  w.tensor("blk.0.attn_kv_a_mqa.weight", F16, {64, 40});
  w.tensor("blk.0.attn_kv_b.weight", F16, {32, 4 * (16 + 16)});
  w.tensor("blk.0.attn_output.weight", F16, {64, 64});
  w.tensor("blk.0.ffn_up.weight", F16, {64, 128});
  w.tensor("blk.0.ffn_down.weight", F16, {128, 64});
  CHECK(first_error(import_one(w)) == "import-gguf-legacy-latent blk.0.attn_kv_b.weight");
}

TEST_CASE("GGUF: experts that are stored one by one") {
  Tiny tiny;
  tiny.without_key = "feed_forward_length";
  GgufWriter w;
  w.text("general.architecture", "llama");
  for (const auto& [k, v] :
       {std::pair{"block_count", 1}, {"context_length", 4096}, {"attention.head_count", 4}, {"expert_used_count", 2}})
    w.number("llama." + std::string(k), v);
  w.tensor("token_embd.weight", F16, {64, 100});
  w.tensor("output.weight", F16, {64, 100});
  w.tensor("output_norm.weight", F32, {64});
  w.tensor("blk.0.attn_norm.weight", F32, {64});
  w.tensor("blk.0.ffn_norm.weight", F32, {64});
  for (const char* n : {"attn_q", "attn_k", "attn_v", "attn_output"})
    w.tensor("blk.0." + std::string(n) + ".weight", F16, {64, 64});
  w.tensor("blk.0.ffn_gate_inp.weight", F16, {64, 3});
  for (int e = 0; e < 3; ++e) {
    w.tensor("blk.0.ffn_gate." + std::to_string(e) + ".weight", F16, {64, 96});
    w.tensor("blk.0.ffn_up." + std::to_string(e) + ".weight", F16, {64, 96});
    w.tensor("blk.0.ffn_down." + std::to_string(e) + ".weight", F16, {96, 64});
  }
  const Imported imported = import_one(w);
  REQUIRE_MESSAGE(imported.ok, said(imported));
  CHECK(imported.shape.ends_with(";full,q4,kv4,dim16;moe,experts3,top2,i96;aA"));
  CHECK(imported.tensor_bytes == imported.explained_bytes);
}

TEST_CASE("GGUF: a fused matrix in a layer that does not attend goes to the rest") {
  GgufWriter w;
  w.text("general.architecture", "mamba2");
  for (const auto& [k, v] : {std::pair{"block_count", 1},
                             {"context_length", 4096},
                             {"ssm.conv_kernel", 4},
                             {"ssm.inner_size", 128},
                             {"ssm.state_size", 16},
                             {"ssm.time_step_rank", 8},
                             {"ssm.group_count", 1}})
    w.number("mamba2." + std::string(k), v);
  w.tensor("token_embd.weight", F16, {64, 1000});
  w.tensor("output_norm.weight", F32, {64});
  w.tensor("blk.0.attn_norm.weight", F32, {64});
  w.tensor("blk.0.ssm_in.weight", Q8_0, {64, 2 * 128 + 2 * 16 + 8});
  w.tensor("blk.0.ssm_conv1d.weight", F32, {4, 128 + 32});
  w.tensor("blk.0.ssm_out.weight", Q8_0, {128, 64});
  w.tensor("blk.0.attn_qkv.weight", Q8_0, {64, 32});
  const Imported imported = import_one(w);
  REQUIRE_MESSAGE(imported.ok, said(imported));
  CHECK(imported.tensor_bytes == w.tensor_bytes());
}

TEST_CASE("GGUF: attention and state side by side count as two layers") {
  GgufWriter w;
  w.text("general.architecture", "falcon-h1");
  for (const auto& [k, v] : {std::pair{"block_count", 2},
                             {"context_length", 4096},
                             {"attention.head_count", 4},
                             {"attention.head_count_kv", 2},
                             {"ssm.conv_kernel", 4},
                             {"ssm.inner_size", 128},
                             {"ssm.state_size", 16},
                             {"ssm.time_step_rank", 8},
                             {"ssm.group_count", 1}})
    w.number("falcon-h1." + std::string(k), v);
  w.tensor("token_embd.weight", F16, {64, 100});
  w.tensor("output_norm.weight", F32, {64});
  for (const std::string b : {"blk.0.", "blk.1."}) {
    w.tensor(b + "attn_norm.weight", F32, {64});
    w.tensor(b + "ffn_norm.weight", F32, {64});
    w.tensor(b + "attn_q.weight", F16, {64, 64});
    w.tensor(b + "attn_k.weight", F16, {64, 32});
    w.tensor(b + "attn_v.weight", F16, {64, 32});
    w.tensor(b + "attn_output.weight", F16, {64, 64});
    w.tensor(b + "ssm_in.weight", Q8_0, {64, 2 * 128 + 2 * 16 + 8});
    w.tensor(b + "ssm_conv1d.weight", F32, {4, 128 + 32});
    w.tensor(b + "ssm_conv1d.bias", F32, {128 + 32});
    w.tensor(b + "ssm_dt.bias", F32, {8});
    w.tensor(b + "ssm_a", F32, {1, 8});
    w.tensor(b + "ssm_d", F32, {1, 8});
    w.tensor(b + "ssm_norm.weight", F32, {128, 1});
    w.tensor(b + "ssm_out.weight", Q8_0, {128, 64});
    w.tensor(b + "ffn_gate.weight", F16, {64, 128});
    w.tensor(b + "ffn_up.weight", F16, {64, 128});
    w.tensor(b + "ffn_down.weight", F16, {128, 64});
  }
  const Imported imported = import_one(w);
  REQUIRE_MESSAGE(imported.ok, said(imported));
  CHECK(imported.shape.ends_with(";mamba2,q8,inner128,state16,groups1,conv4;full,q4,kv2,dim16;noffn;dense,i128;2(aAbB)"));
  CHECK(imported.formats.ends_with(";rest-512"));  // one norm serves both
  CHECK(imported.inferred.back().id == "import-gguf-rule-two-mixers");
}

TEST_CASE("GGUF: published parameter counts and caches that llama.cpp prints") {
  constexpr double mib = 1024 * 1024;
  struct Known {
    const char *id, *architecture;
    double params;  // as published, without towers; 0: with what GGUF files leave out
    double kv_bytes_per_token, state_bytes;
  };
  const Known known[] = {
      {"llama-3.1-8b", "llama", 8030261248, 32 * 2 * 8 * 128 * 2, 0},
      {"mixtral-8x7b", "llama", 46702792704, 32 * 2 * 8 * 128 * 2, 0},
      {"qwen3-30b-a3b", "qwen3moe", 30532122624, 48 * 2 * 4 * 128 * 2, 0},
      {"gpt-oss-20b", "gpt-oss", 20914757184, 24 * 2 * 8 * 64 * 2, 0},
      {"gemma-3-27b", "gemma3", 27432406640 - 423060336.0, 62 * 2 * 16 * 128 * 2, 0},
      {"deepseek-r1", "deepseek2", 0, 61 * (512 + 64) * 2, 0},
      {"mamba-2.8b", "mamba", 2768345600, 0, 23.75 * mib},
      {"qwen3-coder-next", "qwen3next", 79674391296, 12 * 2 * 2 * 256 * 2, 75.375 * mib},
      {"qwen3.5-27b", "qwen35", 0, 16 * 2 * 4 * 256 * 2, 149.625 * mib},
  };
  for (const Known& k : known) {
    CAPTURE(k.id);
    GgufWriter w;
    GgufOfModel(w, without_tower(parse_shape(find_model(k.id)->shape).model, k.architecture), k.architecture, 4096).write();
    const Imported imported = import_one(w);
    REQUIRE_MESSAGE(imported.ok, said(imported));
    if (k.params > 0) CHECK(std::fabs(count_parameters(imported.model).total / k.params - 1) < 1e-4);
    const CacheBreakdown c = sequence_cache(imported.model, *find_kv_format("fp16"), 1, 1, StateDtype::all_fp32);
    CHECK(c.kv_bytes == k.kv_bytes_per_token);
    CHECK(c.state_bytes == k.state_bytes);
  }
}

TEST_CASE("GGUF: the vocabulary is stepped over; how much of the beginning is needed") {
  GgufWriter w;
  const Model model = parse_shape(find_model("llama-3.1-8b")->shape).model;
  GgufOfModel(w, model, "llama", 131072).write();
  const std::string whole = w.header();
  double have = 0, asked = 0;
  for (int round = 0; round < 40; ++round) {
    const HeadNeed need = head_need({"model.gguf", std::string_view(whole).substr(0, std::size_t(have)), w.total_bytes()});
    REQUIRE_FALSE(need.error);
    if (need.bytes <= have) break;
    have = std::min(need.bytes, double(whole.size()));
    asked = need.bytes;
  }
  CHECK(have == double(whole.size()));
  CHECK(asked < 3 * double(whole.size()));
  // What is not at hand yet is asked for, and never guessed.
  const Imported cut = import_text(whole.substr(0, whole.size() / 2), w.total_bytes());
  CHECK(first_error(cut) == "import-gguf-incomplete ");
}

TEST_CASE("GGUF: every beginning of a file that ends there is refused, and names what is cut") {
  Tiny tiny;
  const std::string whole = tiny.write().header();
  for (std::size_t n = 4; n < whole.size(); ++n) {
    const Imported imported = import_text(whole.substr(0, n));
    CHECK_FALSE(imported.ok);
    REQUIRE_FALSE(imported.remarks.empty());
    CHECK(imported.remarks[0].id.starts_with("import-gguf-"));
  }
  // The header is whole, the data is not.
  const Imported imported = import_text(whole, tiny.w.total_bytes() - 1);
  CHECK(first_error(imported) == "import-gguf-data-missing output_norm.weight");
}

TEST_CASE("GGUF: versions and byte orders are named, not misread") {
  const auto with_version = [](std::uint32_t v) {
    Tiny tiny;
    tiny.write().version = v;
    return first_error(import_one(tiny.w));
  };
  CHECK(with_version(1) == "import-gguf-old-version version");
  CHECK(with_version(4) == "import-gguf-future-version version");
  CHECK(with_version(0x03000000) == "import-gguf-big-endian version");
  CHECK(with_version(0x02000000) == "import-gguf-big-endian version");
  CHECK(with_version(0) == "import-gguf-magic version");
  Tiny two;
  two.write().version = 2;
  CHECK(import_one(two.w).ok);
  for (const char* magic : {"ggml", "tjgg", "fmgg", "algg", "lmgg"}) {
    Tiny tiny;
    tiny.write().magic = magic;
    CHECK(first_error(import_one(tiny.w)) == "import-gguf-legacy magic");
  }
}

TEST_CASE("GGUF: headers that lie are refused before anything is allocated") {
  const std::uint64_t huge[] = {std::uint64_t{1} << 63, ~std::uint64_t{0}, std::uint64_t{1} << 32, 1000000};
  for (std::uint64_t n : huge) {
    CAPTURE(n);
    Tiny tiny;
    tiny.write().more_tensors = n;
    CHECK_FALSE(import_one(tiny.w).ok);
    tiny = {};
    tiny.write().more_values = n;
    CHECK_FALSE(import_one(tiny.w).ok);
    for (std::uint32_t element : {std::uint32_t(U8), std::uint32_t(STRING), std::uint32_t(ARRAY), std::uint32_t(FLOAT64)}) {
      tiny = {};
      tiny.w.begin("a", ARRAY);
      GgufWriter::put(tiny.w.raw_values(), element);
      GgufWriter::put(tiny.w.raw_values(), n);
      CHECK(first_error(import_text(tiny.w.header(), 100000)) == "import-gguf-count a");
    }
    tiny = {};
    tiny.w.begin("a", STRING);
    GgufWriter::put(tiny.w.raw_values(), n);
    CHECK(first_error(import_text(tiny.w.header())) == "import-gguf-length a");
  }
  const auto refused_tensor = [](std::uint32_t type, const std::vector<double>& dims, double offset, double total = 0) {
    GgufWriter w;
    w.tensor_at("t", type, dims, offset);
    return first_error(import_text(w.header(), total > 0 ? total : 1 << 20));
  };
  CHECK(refused_tensor(F32, {}, 0) == "import-gguf-dims t");
  CHECK(refused_tensor(F32, {1, 1, 1, 1, 1}, 0) == "import-gguf-dims t");
  CHECK(refused_tensor(F32, {4, 0}, 0) == "import-gguf-dims t");
  CHECK(refused_tensor(F32, {4294967296.0, 4294967296.0}, 0) == "import-gguf-too-many-elements t");
  CHECK(refused_tensor(F32, {9007199254740992.0}, 0) == "import-gguf-data-missing t");
  CHECK(refused_tensor(F32, {4}, 7) == "import-gguf-offset t");
  CHECK(refused_tensor(F32, {4}, 1e15) == "import-gguf-data-missing t");
  CHECK(refused_tensor(F32, {4}, 18446744073709549568.0) == "import-gguf-data-missing t");
  CHECK(refused_tensor(Q4_K, {128, 2}, 0) == "import-gguf-block t");
  CHECK(refused_tensor(4, {32}, 0) == "import-gguf-removed-type t");
  CHECK(refused_tensor(33, {32}, 0) == "import-gguf-removed-type t");
  CHECK(refused_tensor(137, {256}, 0) == "import-gguf-tensor-type t");
  CHECK(refused_tensor(~0u, {256}, 0) == "import-gguf-tensor-type t");
  {
    GgufWriter w;  // another project's Q2_0 has the same number and smaller blocks
    w.tensor_at("a", Q2_0, {128, 64}, 0);
    w.tensor_at("b", Q2_0, {128, 64}, 64 * 34);
    CHECK(first_error(import_text(w.header(), 1 << 20)) == "import-gguf-overlap b");
  }
  {
    GgufWriter w;
    w.tensor("t", F32, {4});
    w.tensor("t", F32, {4});
    CHECK(first_error(import_text(w.header(), 1 << 20)) == "import-gguf-doubled-tensor t");
  }
  {
    GgufWriter w;
    w.number("a", 1);
    w.number("a", 1);
    CHECK(first_error(import_text(w.header())) == "import-gguf-doubled-key a");
  }
  for (double alignment : {0.0, 3.0, 48.0}) {
    GgufWriter w;
    w.number("general.alignment", alignment);
    CHECK(first_error(import_text(w.header())) == "import-gguf-alignment general.alignment");
  }
  {
    Tiny tiny;
    tiny.w.alignment = 64;
    tiny.w.number("general.alignment", 64);
    CHECK(import_one(tiny.write()).ok);
  }
  {
    GgufWriter w;
    w.value<std::uint8_t>("a", BOOL, 2);
    CHECK(first_error(import_text(w.header())) == "import-gguf-boolean a");
    GgufWriter v;
    v.value<std::uint8_t>("a", 13, 2);
    CHECK(first_error(import_text(v.header())) == "import-gguf-value-type a");
  }
  for (const char* bad : {"block_count", "context_length"}) {
    for (float v : {std::nanf(""), -1.0f, 1e30f, 2.5f}) {
      Tiny tiny;
      tiny.without_key = bad;
      tiny.write().real("llama." + std::string(bad), v);
      CHECK(refused(tiny).starts_with("import-gguf-"));
    }
  }
}

TEST_CASE("GGUF: arrays in arrays are stepped over, to a depth") {
  const auto nested = [](int depth) {
    GgufWriter w;
    w.begin("a", ARRAY);
    for (int i = 0; i < depth; ++i) {
      GgufWriter::put<std::uint32_t>(w.raw_values(), ARRAY);
      GgufWriter::put<std::uint64_t>(w.raw_values(), 1);
    }
    GgufWriter::put<std::uint32_t>(w.raw_values(), I8);
    GgufWriter::put<std::uint64_t>(w.raw_values(), 3);
    w.raw_values() += "abc";
    w.number("b", 5);
    const std::string text = w.header();
    return importer::read_gguf_header({"f", text, double(text.size())});
  };
  const importer::GgufHeader fine = nested(2);
  REQUIRE_FALSE(fine.fault.id);
  REQUIRE(fine.find("b"));
  CHECK(fine.find("b")->number() == 5);
  CHECK(std::string(nested(1000).fault.id) == "import-gguf-nesting");
}

TEST_CASE("GGUF: every kind of value is read") {
  GgufWriter w;
  w.value<std::uint8_t>("u8", U8, 200);
  w.value<std::int8_t>("i8", I8, -100);
  w.value<std::uint16_t>("u16", U16, 60000);
  w.value<std::int16_t>("i16", I16, -30000);
  w.value<std::uint32_t>("u32", U32, 4000000000u);
  w.value<std::int32_t>("i32", INT32, -2000000000);
  w.value<float>("f32", FLOAT32, 1.5f);
  w.flag("bool", true);
  w.text("string", "text");
  w.value<std::uint64_t>("u64", U64, std::uint64_t{1} << 40);
  w.value<std::int64_t>("i64", I64, -(std::int64_t{1} << 40));
  w.value<double>("f64", FLOAT64, 0.1);
  w.numbers("array", {1, -2, 3});
  const std::string text = w.header();
  const importer::GgufHeader h = importer::read_gguf_header({"f", text, double(text.size())});
  REQUIRE_FALSE(h.fault.id);
  CHECK(h.values.size() == 13);
  CHECK(h.find("u8")->number() == 200);
  CHECK(h.find("i8")->number() == -100);
  CHECK(h.find("u16")->number() == 60000);
  CHECK(h.find("i16")->number() == -30000);
  CHECK(h.find("u32")->number() == 4000000000.0);
  CHECK(h.find("i32")->number() == -2000000000.0);
  CHECK(h.find("f32")->number() == 1.5);
  CHECK(h.find("bool")->number() == 1);
  CHECK(h.find("string")->text() == "text");
  CHECK_FALSE(h.find("string")->number().has_value());
  CHECK(h.find("u64")->number() == 1099511627776.0);
  CHECK(h.find("i64")->number() == -1099511627776.0);
  CHECK(h.find("f64")->number() == 0.1);
  CHECK(h.find("array")->number(1) == -2);
  CHECK_FALSE(h.find("array")->number(3).has_value());
  CHECK(h.find("nothing") == nullptr);
}

TEST_CASE("GGUF: all types of tensors that files may hold have their size") {
  // Elements of a block and its bytes, by number; from ggml's own table.
  const std::vector<std::array<std::uint32_t, 3>> sizes = {
      {0, 1, 4},      {1, 1, 2},     {2, 32, 18},    {3, 32, 20},    {6, 32, 22},    {7, 32, 24},    {8, 32, 34},
      {9, 32, 36},    {10, 256, 84}, {11, 256, 110}, {12, 256, 144}, {13, 256, 176}, {14, 256, 210}, {15, 256, 292},
      {16, 256, 66},  {17, 256, 74}, {18, 256, 98},  {19, 256, 50},  {20, 32, 18},   {21, 256, 110}, {22, 256, 82},
      {23, 256, 136}, {24, 1, 1},    {25, 1, 2},     {26, 1, 4},     {27, 1, 8},     {28, 1, 8},     {29, 256, 56},
      {30, 1, 2},     {34, 256, 54}, {35, 256, 66},  {39, 32, 17},   {40, 64, 36},   {41, 128, 18},  {42, 64, 18}};
  for (const auto& [tensor_type, elements, bytes] : sizes) {
    const auto type = tensor_type;  // Clang 14 captures no structured binding
    CAPTURE(type);
    GgufWriter w;
    w.tensor_at("t", type, {1024, 3, 5}, 0);
    const std::string text = w.header();
    const importer::GgufHeader h = importer::read_gguf_header({"f", text, 1 << 20});
    REQUIRE_FALSE(h.fault.id);
    CHECK(h.tensors[0].bytes == 1024 / elements * bytes * 15);
  }
}

namespace {

struct File {
  std::string name, head;
  double total;
};

Imported import_files(const std::vector<File>& files) {
  std::vector<ImportFile> all;
  for (const File& f : files) all.push_back({f.name, f.head, f.total});
  return import_model(all);
}

// The small model in `count` parts: the metadata in the first.
std::vector<File> parts(int count, int claimed = 0, int tensors = 20) {
  std::vector<File> out;
  for (int i = 0; i < count; ++i) {
    GgufWriter w;
    if (i == 0) {
      w.text("general.architecture", "llama");
      for (const auto& [k, v] :
           {std::pair{"block_count", 2}, {"context_length", 4096}, {"attention.head_count", 4}, {"attention.head_count_kv", 2}})
        w.number("llama." + std::string(k), v);
      w.tensor("token_embd.weight", Q8_0, {64, 100});
      w.tensor("output_norm.weight", F32, {64});
    }
    w.value<std::uint16_t>("split.no", U16, std::uint16_t(i));
    w.value<std::uint16_t>("split.count", U16, std::uint16_t(claimed ? claimed : count));
    w.value<std::int32_t>("split.tensors.count", INT32, tensors);
    for (int layer = 0; layer < 2; ++layer) {
      if (layer % count != i) continue;
      const std::string b = "blk." + std::to_string(layer) + ".";
      w.tensor(b + "attn_norm.weight", F32, {64});
      w.tensor(b + "ffn_norm.weight", F32, {64});
      w.tensor(b + "attn_q.weight", Q8_0, {64, 64});
      w.tensor(b + "attn_k.weight", Q8_0, {64, 32});
      w.tensor(b + "attn_v.weight", Q8_0, {64, 32});
      w.tensor(b + "attn_output.weight", Q8_0, {64, 64});
      w.tensor(b + "ffn_gate.weight", Q8_0, {64, 128});
      w.tensor(b + "ffn_up.weight", Q8_0, {64, 128});
      w.tensor(b + "ffn_down.weight", Q8_0, {128, 64});
    }
    out.push_back({"model-0000" + std::to_string(i + 1) + ".gguf", w.header(), w.total_bytes()});
  }
  return out;
}

}  // namespace

TEST_CASE("GGUF: the parts of a split model, in any order") {
  std::vector<File> files = parts(2);
  const Imported one = import_files(files);
  REQUIRE_MESSAGE(one.ok, said(one));
  std::swap(files[0], files[1]);
  const Imported other = import_files(files);
  CHECK(other.shape == one.shape);
  CHECK(other.formats == one.formats);
  CHECK(one.tensor_bytes == 100 * 68 + 256 + 2 * (2 * 256 + (64 + 32 + 32 + 64 + 128 + 128) * 68 + 64 * 136));
  CHECK(one.tensor_bytes == one.explained_bytes);
}

TEST_CASE("GGUF: parts that are missing, doubled or foreign are named") {
  std::vector<File> files = parts(2);
  const Imported missing = import_files({files[1]});
  const ImportRemark* r = find_remark(missing, "import-gguf-missing-part");
  REQUIRE(r);
  CHECK(r->value == "1");
  CHECK(r->number == 2);
  CHECK(first_error(import_files({files[0]})) == "import-gguf-missing-part split.no");
  CHECK(first_error(import_files({files[0], files[1], files[1]})) == "import-gguf-doubled-part split.no");
  CHECK(first_error(import_files({files[0], parts(3)[2]})) == "import-gguf-foreign-part split.count");
  CHECK(first_error(import_files(parts(2, 0, 21))) == "import-gguf-tensor-count split.tensors.count");
  CHECK(first_error(import_files({parts(2, 1)[1]})) == "import-gguf-part-number split.no");
  Tiny tiny;
  tiny.write();
  CHECK(first_error(import_files({{"a.gguf", tiny.w.header(), tiny.w.total_bytes()},
                                  {"b.gguf", tiny.w.header(), tiny.w.total_bytes()}})) == "import-gguf-several-models ");
  files = parts(2);
  const std::size_t at = files[1].head.find("blk.1.attn_q");
  files[1].head[at + 4] = '0';
  CHECK(first_error(import_files(files)) == "import-gguf-doubled-tensor blk.0.attn_q.weight");
}

TEST_CASE("GGUF: projectors, adapters and files without tensors") {
  GgufWriter projector;
  projector.text("general.architecture", "clip");
  projector.text("general.type", "mmproj");
  projector.tensor("v.blk.0.attn_q.weight", F16, {64, 64});
  projector.tensor("mm.0.weight", F16, {64, 64});
  const File p{"mmproj.gguf", projector.header(), projector.total_bytes()};
  CHECK(first_error(import_files({p})) == "import-gguf-projector-alone general.architecture");
  Tiny tiny;
  tiny.write();
  const Imported both = import_files({p, {"model.gguf", tiny.w.header(), tiny.w.total_bytes()}});
  REQUIRE_MESSAGE(both.ok, said(both));
  CHECK(both.model.tower_params == 2 * 64 * 64);
  CHECK(find_remark(both, "import-gguf-projector"));
  CHECK(both.tensor_bytes == tiny.w.tensor_bytes() + projector.tensor_bytes());

  GgufWriter adapter;
  adapter.text("general.type", "adapter");
  CHECK(first_error(import_one(adapter)) == "import-gguf-no-model general.type");
  CHECK(first_error(importer::import_gguf({})) == "import-no-model ");
  GgufWriter empty;
  empty.text("general.architecture", "llama");
  CHECK(first_error(import_one(empty)) == "import-gguf-no-tensors ");
}

TEST_CASE("GGUF: figures are shown short") {
  CHECK(importer::shown(3.0) == "3");
  CHECK(importer::shown(-2.5) == "-2.5");
  CHECK(importer::shown(0.0004) == "0");
  CHECK(importer::shown(12.34567) == "12.346");
  CHECK(importer::shown(std::nan("")) == "NaN");
  CHECK(importer::shown(1e300) == "1e15+");
}

TEST_CASE("GGUF: names that are no text are shown as such") {
  CHECK(importer::shown("a\xFF"
                        "b") ==
        "a\xEF\xBF\xBD"
        "b");
  CHECK(importer::shown("\xC3\xA9") == "\xC3\xA9");
  CHECK(importer::shown("\xED\xA0\x80") == "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
  CHECK(importer::shown(std::string_view("\0\n", 2)) == "\xEF\xBF\xBD\xEF\xBF\xBD");
  CHECK(importer::shown(std::string(200, 'x')).size() == 80);
}
