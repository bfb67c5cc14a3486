// Files of a model put together: configuration, index and headers, in any order; exact bytes; what contradicts.
#include <doctest/doctest.h>

#include <algorithm>

#include "import_support.h"
#include "vramfit/format_table.h"
#include "vramfit/formats.h"
#include "vramfit/shape.h"

using namespace vramfit;
using namespace vramfit_test;

namespace {

const std::string small_llama =
    R"("model_type":"llama","architectures":["LlamaForCausalLM"],"hidden_size":256,"intermediate_size":512,"num_hidden_layers":3,)"
    R"("num_attention_heads":8,"num_key_value_heads":2,"head_dim":32,"vocab_size":1000,"max_position_embeddings":4096,"rms_norm_eps":1e-5,)"
    R"("torch_dtype":"bfloat16","hidden_act":"silu","attention_bias":false,"mlp_bias":false)";
HeldFile config(const std::string& more = R"(,"tie_word_embeddings":false)") {
  return {"config.json", "{" + small_llama + more + "}"};
}

const char* const fp8_section =
    R"(,"tie_word_embeddings":false,"quantization_config":{"quant_method":"fp8","fmt":"e4m3","weight_block_size":[128,128],"activation_scheme":"dynamic"})";

void linear(Header& h, const std::string& name, double rows, double cols, bool fp8) {
  h.add(name + ".weight", fp8 ? "F8_E4M3" : "BF16", {rows, cols});
  if (fp8)
    h.add(name + ".weight_scale_inv", "F32",
          {(rows + 127) / 128 - int(rows + 127) % 128 / 128.0, (cols + 127) / 128 - int(cols + 127) % 128 / 128.0});
}

void layer(Header& h, int i, bool fp8 = false) {
  const std::string at = "model.layers." + std::to_string(i) + ".";
  linear(h, at + "self_attn.q_proj", 256, 256, fp8);
  linear(h, at + "self_attn.k_proj", 64, 256, fp8);
  linear(h, at + "self_attn.v_proj", 64, 256, fp8);
  linear(h, at + "self_attn.o_proj", 256, 256, fp8);
  linear(h, at + "mlp.gate_proj", 512, 256, fp8);
  linear(h, at + "mlp.up_proj", 512, 256, fp8);
  linear(h, at + "mlp.down_proj", 256, 512, fp8);
  h.add(at + "input_layernorm.weight", "BF16", {256}).add(at + "post_attention_layernorm.weight", "BF16", {256});
}
void outside(Header& h, bool head = true) {
  h.add("model.embed_tokens.weight", "BF16", {1000, 256}).add("model.norm.weight", "BF16", {256});
  if (head) h.add("lm_head.weight", "BF16", {1000, 256});
}
Header whole(bool fp8 = false, int layers = 3, bool head = true) {
  Header h;
  for (int i = 0; i < layers; ++i) layer(h, i, fp8);
  outside(h, head);
  return h;
}

double table_bytes(const Imported& imported) {
  const auto parsed = parse_format_table(imported.formats);
  REQUIRE(parsed.ok());
  auto shape = parse_shape(imported.shape);
  REQUIRE(shape.ok());
  double sum = parsed.stored.rest_bytes;
  for_each_tensor(shape.model, false, [&](const Tensor& t) {
    for (int i = 0; i < t.num_layers; ++i) {
      const auto& s = section_of(parsed.stored, t.cls, t.first_layer + i);
      sum += tensor_bytes(s.format, t.rows, t.cols, s.group) * t.count;
    }
  });
  return sum;
}

double class_bytes(const Imported& imported, TensorClass cls) {
  for (const ImportedClass& c : imported.classes)
    if (c.cls == cls) return c.bytes;
  return 0;
}

std::string ids(const Imported& imported) {
  std::string out;
  for (const ImportRemark& r : imported.remarks)
    out += r.id + "(" + r.file + ", " + r.where + ", " + r.value + ", " + r.wanted + ") ";
  return out;
}

}  // namespace

TEST_CASE("configuration and header: a shape, a table, exact bytes") {
  const Header header = whole();
  const Imported imported = import_of({config(), {"model.safetensors", header}});
  CAPTURE(ids(imported));
  REQUIRE(imported.ok);
  CHECK(imported.remarks.empty());
  CHECK(imported.origin == "safetensors");
  CHECK(imported.formats == "bf16");
  CHECK(imported.tensor_bytes == header.data_bytes);
  CHECK(imported.explained_bytes == header.data_bytes);
  CHECK(imported.file_bytes == header.total());
  CHECK(class_bytes(imported, TensorClass::attention_query) == 3 * 256 * 256 * 2);
  CHECK(class_bytes(imported, TensorClass::output_head) == 1000 * 256 * 2);
  REQUIRE(imported.dtypes.size() == 1);
  CHECK(imported.dtypes[0].id == "BF16");
  CHECK(imported.dtypes[0].params == header.data_bytes / 2);
}

TEST_CASE("the order of the files does not matter") {
  Header first, second;
  layer(first, 0);
  layer(first, 1);
  layer(second, 2);
  outside(second);
  const HeldFile a("model-00001-of-00002.safetensors", first), b("model-00002-of-00002.safetensors", second);
  const Imported one = import_of({config(), a, b});
  const Imported other = import_of({b, a, config()});
  CAPTURE(ids(one));
  REQUIRE(one.ok);
  CHECK(one.shape == other.shape);
  CHECK(one.formats == other.formats);
  CHECK(one.tensor_bytes == first.data_bytes + second.data_bytes);
  CHECK(other.tensor_bytes == one.tensor_bytes);
  CHECK(table_bytes(one) == one.tensor_bytes);
}

TEST_CASE("layers that are stored otherwise are exceptions of the table, and the sum is exact") {
  Header h;
  layer(h, 0, false);
  layer(h, 1, true);
  layer(h, 2, true);
  outside(h);
  h.add("model.layers.0.self_attn.rotary_emb.inv_freq", "F32", {16});
  const Imported imported = import_of({config(fp8_section), {"model.safetensors", h}});
  CAPTURE(ids(imported));
  CAPTURE(imported.formats);
  REQUIRE(imported.ok);
  CHECK(table_bytes(imported) == h.data_bytes);
  const auto stored = parse_format_table(imported.formats).stored;
  CHECK(section_of(stored, TensorClass::ffn_up, 0).format == Format::bf16);
  CHECK(section_of(stored, TensorClass::ffn_up, 1).format == Format::fp8_block);
  CHECK(section_of(stored, TensorClass::attention_value, 2).format == Format::fp8_block);
  CHECK(section_of(stored, TensorClass::token_embedding, 0).format == Format::bf16);
  CHECK(stored.rest_bytes == 64);
  CHECK(imported.dtypes.size() == 3);  // F8_E4M3, BF16, F32 of the scales
}

TEST_CASE("fused matrices count for each of their classes") {
  Header h;
  for (int i = 0; i < 3; ++i) {
    const std::string at = "model.layers." + std::to_string(i) + ".";
    h.add(at + "self_attn.qkv_proj.weight", "BF16", {384, 256}).add(at + "self_attn.o_proj.weight", "BF16", {256, 256});
    h.add(at + "mlp.gate_up_proj.weight", "BF16", {1024, 256}).add(at + "mlp.down_proj.weight", "BF16", {256, 512});
    h.add(at + "input_layernorm.weight", "BF16", {256}).add(at + "post_attention_layernorm.weight", "BF16", {256});
  }
  outside(h);
  const Imported imported = import_of({config(), {"model.safetensors", h}});
  CAPTURE(ids(imported));
  REQUIRE(imported.ok);
  CHECK(imported.remarks.empty());
  CHECK(class_bytes(imported, TensorClass::attention_query) == 3 * 256 * 256 * 2);
  CHECK(class_bytes(imported, TensorClass::attention_key) == 3 * 64 * 256 * 2);
  CHECK(class_bytes(imported, TensorClass::ffn_gate) == 3 * 512 * 256 * 2);
}

TEST_CASE("an index alone: names and the sum") {
  const Header header = whole(true);
  std::string map;
  for (std::size_t at = header.json.find(",\"model"), end; at != std::string::npos; at = header.json.find(",\"", end)) {
    end = header.json.find("\":{", at);
    map += (map.empty() ? "" : ",") + header.json.substr(at + 1, end - at) + ":\"model-00001-of-00002.safetensors\"";
    end = header.json.find('}', end);
  }
  const auto index = [&](double total) {
    return HeldFile("model.safetensors.index.json",
                    "{\"metadata\":{\"total_size\":" + std::to_string(std::int64_t(total)) + "},\"weight_map\":{" + map + "}}");
  };
  const Imported imported = import_of({index(header.data_bytes + 10), config(fp8_section)});
  CAPTURE(ids(imported));
  CAPTURE(imported.formats);
  REQUIRE(imported.ok);
  CHECK(imported.tensor_bytes == header.data_bytes + 10);
  CHECK(table_bytes(imported) == header.data_bytes + 10);
  CHECK(parse_format_table(imported.formats).stored.rest_bytes == 10);

  const Imported wrong = import_of({index(header.data_bytes * 2), config(fp8_section)});
  const ImportRemark* r = find_remark(wrong.remarks, "import-total-size");
  REQUIRE(r);
  CHECK(r->value == std::to_string(std::int64_t(header.data_bytes * 2)));
  CHECK(r->wanted == std::to_string(std::int64_t(header.data_bytes)));
  CHECK(table_bytes(wrong) == header.data_bytes);

  // The configuration forgets to say that the matrices are quantized.
  const Imported surprised = import_of({index(header.data_bytes), config()});
  CHECK(find_remark(surprised.remarks, "import-index-quantized"));
}

TEST_CASE("what contradicts is said with both figures, or refused") {
  // One layer less than configured.
  const Imported fewer = import_of({config(), {"model.safetensors", whole(false, 2)}});
  CHECK_FALSE(fewer.ok);
  const ImportRemark* r = find_remark(fewer.remarks, "import-layer-count");
  REQUIRE(r);
  CHECK(r->value == "2");
  CHECK(r->wanted == "3");
  // Another vocabulary.
  Header h;
  for (int i = 0; i < 3; ++i) layer(h, i);
  h.add("model.embed_tokens.weight", "BF16", {1010, 256})
      .add("model.norm.weight", "BF16", {256})
      .add("lm_head.weight", "BF16", {1010, 256});
  const Imported padded = import_of({config(), {"model.safetensors", h}});
  REQUIRE(padded.ok);
  r = find_remark(padded.remarks, "import-class-differs");
  REQUIRE(r);
  CHECK(r->where == "token-embedding");
  CHECK(r->value == "258560");
  CHECK(r->wanted == "256000");
  CHECK(table_bytes(padded) == h.data_bytes);  // the rest makes it exact
  // Another model altogether.
  Header other;
  for (int i = 0; i < 3; ++i) other.add("model.layers." + std::to_string(i) + ".self_attn.q_proj.weight", "BF16", {256, 256});
  const Imported foreign = import_of({config(), {"model.safetensors", other}});
  CHECK_FALSE(foreign.ok);
  CHECK(find_remark(foreign.remarks, "import-another-model"));
  CHECK(foreign.remarks[0].severity == Severity::error);
}

TEST_CASE("a head that is there though tied is not loaded; a tensor without a rule is named and counted") {
  const Header spare = whole();
  const Imported tied = import_of({config(R"(,"tie_word_embeddings":true)"), {"model.safetensors", spare}});
  CAPTURE(ids(tied));
  REQUIRE(tied.ok);
  REQUIRE(find_remark(tied.remarks, "import-tied-head"));
  CHECK(find_remark(tied.remarks, "import-tied-head")->number == 1000 * 256 * 2);
  CHECK(table_bytes(tied) == spare.data_bytes - 1000 * 256 * 2);

  Header odd = whole();
  odd.add("model.layers.1.novel.weight", "BF16", {16, 16});
  const Imported named = import_of({config(), {"model.safetensors", odd}});
  REQUIRE(named.ok);
  REQUIRE(find_remark(named.remarks, "import-unknown-tensor"));
  CHECK(find_remark(named.remarks, "import-unknown-tensor")->where == "model.layers.1.novel.weight");
  CHECK(find_remark(named.remarks, "import-unknown-tensor")->number == 512);
  CHECK(table_bytes(named) == odd.data_bytes);
}

TEST_CASE("headers without a configuration: what they hold, and what is missing") {
  const Imported imported = import_of({{"model.safetensors", whole()}});
  CHECK_FALSE(imported.ok);
  REQUIRE(find_remark(imported.remarks, "import-needs-config"));
  CHECK(find_remark(imported.remarks, "import-needs-config")->wanted == "config.json");
  CHECK(imported.shape.empty());
  CHECK(class_bytes(imported, TensorClass::output_head) == 1000 * 256 * 2);
  CHECK(imported.tensor_bytes == whole().data_bytes);
}

TEST_CASE("files that are not of a model, or too many, are named") {
  const auto has = [](const std::vector<HeldFile>& files, const char* id) {
    const Imported imported = import_of(files);
    CAPTURE(id);
    CAPTURE(ids(imported));
    CHECK(find_remark(imported.remarks, id) != nullptr);
    return imported.ok;
  };
  CHECK_FALSE(has({}, "import-no-model"));
  CHECK_FALSE(has({{"config.json", ""}}, "import-empty-file"));
  CHECK_FALSE(has({{"picture.png", "\x89PNG"}}, "import-unknown-file"));
  CHECK_FALSE(has({{"pytorch_model.bin", "PK\x03\x04"}}, "import-pickle"));
  CHECK_FALSE(has({config(), {"other.json", config().head}}, "import-two-configs"));
  CHECK_FALSE(has({{"tokenizer.json", "{}"}}, "import-file-unused"));
  CHECK(has({config(), {"generation_config.json", "{}"}}, "import-file-unused"));
  CHECK_FALSE(has({{"config.json", config().head.substr(0, 40), 1000}}, "import-truncated"));
}

TEST_CASE("how much of a file is needed") {
  const auto need = [](const std::string& name, const std::string& head, double total) { return head_need({name, head, total}); };
  CHECK(need("config.json", "", 500).bytes == 9);
  CHECK(need("config.json", "{\"model_t", 500).bytes == 500);
  CHECK(need("config.json", "  \n      ", 500).bytes == 500);
  CHECK(need("x.safetensors", "", 500).bytes == 9);
  const std::string head = with_length("{\"a\":1}   ");
  CHECK(need("x.safetensors", head.substr(0, 9), 500).bytes == 18);
  CHECK(need("renamed", head.substr(0, 9), 500).bytes == 18);
  CHECK(need("x.safetensors", head.substr(0, 9), 17).error == std::string("import-truncated"));
  CHECK(need("x.safetensors", with_length("{", std::uint64_t(1) << 63), 1e18).error == std::string("import-header-length"));
  CHECK(need("x", "notes, not json", 500).error == std::string("import-unknown-file"));
  CHECK(need("x", "PK\3\4 pickled", 500).error == std::string("import-pickle"));
  CHECK(need("config.json", "{\"model_t", 1e12).error == std::string("import-json-too-large"));
  CHECK(need("config.json", "", 0).error == std::string("import-empty-file"));
}
