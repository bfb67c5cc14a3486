// Headers and indexes of safetensors files: what each packing is, and every way in which a header can lie.
#include <doctest/doctest.h>

#include "import/safetensors.h"
#include "import_support.h"
#include "vramfit/format_table.h"
#include "vramfit/shape.h"

using namespace vramfit;
using namespace vramfit::importer;
using namespace vramfit_test;

namespace {

using C = TensorClass;

struct Read {
  Safetensors files;
  std::vector<ImportRemark> remarks;

  explicit Read(const std::vector<HeldFile>& held, const std::string& index = {}) {
    for (const HeldFile& h : held) files.read_header(h.file());
    const HeldFile index_file("model.safetensors.index.json", index);
    if (!index.empty()) files.read_index(index_file.file());
    files.compare();
  }
  std::vector<StoredTensor> tensors(const Model* model = nullptr) {
    auto out = files.tensors(model);
    files.remarks.move_to(remarks);
    return out;
  }
  const ImportRemark* remark(const std::string& id) {
    files.remarks.move_to(remarks);
    return find_remark(remarks, id);
  }
};

StoredTensor only(const Header& header, const Model* model = nullptr) {
  Read read({{"model.safetensors", header}});
  const auto tensors = read.tensors(model);
  REQUIRE(tensors.size() == 1);
  return tensors[0];
}

// A header with this as its only tensor, whatever it is.
std::string one(const std::string& tensor) { return with_length("{\"t\":" + tensor + "}"); }

const ImportRemark* remark_on(const std::string& head, const std::string& id, double total, std::vector<ImportRemark>& keep) {
  Read read({{"model.safetensors", head, total}});
  read.remark(id);
  keep = read.remarks;
  return find_remark(keep, id);
}

}  // namespace

TEST_CASE("names say class and layer") {
  struct Row {
    const char* name;
    ClassSet classes;
    int layer;
  };
  const ClassSet qkv = class_set(C::attention_query, C::attention_key, C::attention_value);
  const Row rows[] = {
      {"model.embed_tokens.weight", class_set(C::token_embedding), -1},
      {"lm_head.weight", class_set(C::output_head), -1},
      {"model.norm.weight", class_set(C::small), -1},
      {"model.layers.31.self_attn.q_proj.weight", class_set(C::attention_query), 31},
      {"model.language_model.layers.7.self_attn.k_proj.weight", class_set(C::attention_key), 7},
      {"language_model.model.layers.7.mlp.gate_up_proj.weight", class_set(C::ffn_gate, C::ffn_up), 7},
      {"model.layers.0.self_attn.q_norm.weight", class_set(C::small), 0},
      {"model.layers.0.self_attn.q_proj.bias", class_set(C::small), 0},
      {"model.layers.3.self_attn.q_a_proj.weight", class_set(C::attention_down), 3},
      {"model.layers.3.self_attn.q_b_proj.weight", class_set(C::attention_query), 3},
      {"model.layers.3.self_attn.kv_b_proj.weight", class_set(C::attention_up), 3},
      {"model.layers.3.self_attn.indexer.wq_b.weight", class_set(C::attention_index), 3},
      {"model.layers.3.mlp.experts.255.down_proj.weight", class_set(C::expert_down), 3},
      {"model.layers.3.mlp.shared_experts.up_proj.weight", class_set(C::shared_up), 3},
      {"model.layers.3.mlp.gate.weight", class_set(C::router), 3},
      {"model.layers.3.mlp.gate.e_score_correction_bias", class_set(C::small), 3},
      {"model.layers.3.mlp.gate_proj.weight", class_set(C::ffn_gate), 3},
      {"model.layers.1.block_sparse_moe.experts.7.w3.weight", class_set(C::expert_up), 1},
      {"model.layers.1.mlp.experts.gate_up_proj_blocks", class_set(C::expert_gate, C::expert_up), 1},
      {"model.layers.1.mlp.experts.gate_up_proj_bias", class_set(C::expert_bias), 1},
      {"model.layers.1.mlp.router.weight", class_set(C::router), 1},
      {"model.layers.1.self_attn.sinks", class_set(C::small), 1},
      {"model.layers.1.linear_attn.in_proj_qkvz.weight", class_set(C::recurrent), 1},
      {"model.layers.1.linear_attn.in_proj_ba.weight", class_set(C::side), 1},
      {"model.layers.1.linear_attn.A_log", class_set(C::small), 1},
      {"model.layers.1.linear_attn.conv1d.weight", class_set(C::small), 1},
      {"backbone.layers.12.mixer.in_proj.weight", class_set(C::recurrent), 12},
      {"backbone.layers.13.mixer.experts.3.up_proj.weight", class_set(C::expert_up), 13},
      {"transformer.h.4.attn.c_attn.weight", qkv, 4},
      {"transformer.h.4.attn.c_proj.weight", class_set(C::attention_output), 4},
      {"transformer.h.4.mlp.c_proj.weight", class_set(C::ffn_down), 4},
      {"transformer.wte.weight", class_set(C::token_embedding), -1},
      {"gpt_neox.layers.2.attention.query_key_value.weight", qkv, 2},
      {"gpt_neox.layers.2.attention.dense.weight", class_set(C::attention_output), 2},
      {"embed_out.weight", class_set(C::output_head), -1},
      {"bert.encoder.layer.5.intermediate.dense.weight", class_set(C::ffn_gate, C::ffn_up), 5},
      {"bert.encoder.layer.5.output.dense.weight", class_set(C::ffn_down), 5},
      {"bert.encoder.layer.5.attention.output.dense.weight", class_set(C::attention_output), 5},
      {"bert.encoder.layer.5.attention.self.query.weight", class_set(C::attention_query), 5},
      {"layers.9.feed_forward.w2.weight", class_set(C::ffn_down), 9},
      {"tok_embeddings.weight", class_set(C::token_embedding), -1},
      {"output.weight", class_set(C::output_head), -1},
      {"vision_tower.vision_model.encoder.layers.3.self_attn.q_proj.weight", class_set(C::tower), -1},
      {"model.visual.blocks.3.attn.qkv.bias", class_set(C::tower), -1},
      {"multi_modal_projector.linear_1.weight", class_set(C::tower), -1},
      {"model.embed_tokens_per_layer.weight", class_set(C::per_layer_embedding), -1},
      {"model.layers.2.altup.modality_router.weight", class_set(C::small), 2},
      {"model.altup_projections.0.weight", class_set(C::side), -1},
      {"layers.4.attn.wo_a.weight", class_set(C::attention_group_output), 4},
      {"layers.4.attn.compressor.wkv.weight", class_set(C::side), 4},
      {"layers.4.ffn.shared_experts.w1.weight", class_set(C::shared_gate), 4},
      {"model.layers.0.something_new.weight", 0, 0},
  };
  TensorNames cached;
  for (const Row& row : rows) {
    const TensorName read = read_tensor_name(row.name);
    INFO(row.name);
    CHECK(read.classes == row.classes);
    CHECK(read.layer == row.layer);
    for (int turn = 0; turn < 2; ++turn) {  // the second from memory
      const TensorName again = cached(row.name);
      CHECK(again.classes == row.classes);
      CHECK(again.layer == row.layer);
      CHECK(again.base == read.base);
    }
  }
  CHECK(read_tensor_name("mtp.layers.0.self_attn.q_proj.weight").mtp);
  CHECK(cached("model.layers.45.self_attn.q_proj.weight").layer == 45);
  CHECK(read_tensor_name("a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s.t.u.v.w.x.y.z").classes == 0);
  CHECK(read_tensor_name("").classes == 0);
  CHECK(read_tensor_name("model.layers.99999999999999.mlp.up_proj.weight").layer == -1);
}

TEST_CASE("companions belong to their matrix") {
  const StoredTensor gptq = only(Header{}
                                     .add("model.layers.0.mlp.up_proj.qweight", "I32", {512, 11008})
                                     .add("model.layers.0.mlp.up_proj.qzeros", "I32", {32, 1376})
                                     .add("model.layers.0.mlp.up_proj.scales", "F16", {32, 11008})
                                     .add("model.layers.0.mlp.up_proj.g_idx", "I32", {4096}));
  CHECK(gptq.format == Format::int4_gptq);
  CHECK(gptq.group == 128);
  CHECK(gptq.rows == 11008);
  CHECK(gptq.cols == 4096);
  CHECK(gptq.bytes == tensor_bytes(Format::int4_gptq, 11008, 4096, 128));

  const StoredTensor eight = only(Header{}
                                      .add("model.layers.0.mlp.up_proj.qweight", "I32", {1024, 11008})
                                      .add("model.layers.0.mlp.up_proj.qzeros", "I32", {32, 2752})
                                      .add("model.layers.0.mlp.up_proj.scales", "F16", {32, 11008})
                                      .add("model.layers.0.mlp.up_proj.g_idx", "I32", {4096}));
  CHECK(eight.format == Format::int8_gptq);
  CHECK(eight.bytes == tensor_bytes(Format::int8_gptq, 11008, 4096, 128));

  const StoredTensor awq = only(Header{}
                                    .add("model.layers.0.mlp.up_proj.qweight", "I32", {4096, 1376})
                                    .add("model.layers.0.mlp.up_proj.qzeros", "I32", {32, 1376})
                                    .add("model.layers.0.mlp.up_proj.scales", "F16", {32, 11008}));
  CHECK(awq.format == Format::int4_awq);
  CHECK(awq.rows == 11008);
  CHECK(awq.cols == 4096);
  CHECK(awq.bytes == tensor_bytes(Format::int4_awq, 11008, 4096, 128));

  const StoredTensor block = only(Header{}
                                      .add("model.layers.0.mlp.up_proj.weight_scale_inv", "F32", {144, 56})  // before its matrix
                                      .add("model.layers.0.mlp.up_proj.weight", "F8_E4M3", {18432, 7168}));
  CHECK(block.format == Format::fp8_block);
  CHECK(block.bytes == tensor_bytes(Format::fp8_block, 18432, 7168, 0));
  CHECK(block.params() == 18432.0 * 7168);

  const StoredTensor tensor = only(Header{}
                                       .add("model.layers.0.mlp.up_proj.weight", "F8_E5M2", {11008, 4096})
                                       .add("model.layers.0.mlp.up_proj.weight_scale", "F32", {})
                                       .add("model.layers.0.mlp.up_proj.input_scale", "F32", {}));
  CHECK(tensor.format == Format::fp8);
  CHECK(tensor.bytes == tensor_bytes(Format::fp8, 11008, 4096, 0) + 4);

  const StoredTensor nvfp4 = only(Header{}
                                      .add("model.layers.0.mlp.up_proj.weight", "U8", {11008, 2048})
                                      .add("model.layers.0.mlp.up_proj.weight_scale", "F8_E4M3", {11008, 256})
                                      .add("model.layers.0.mlp.up_proj.weight_scale_2", "F32", {}));
  CHECK(nvfp4.format == Format::nvfp4);
  CHECK(nvfp4.cols == 4096);
  CHECK(nvfp4.bytes == tensor_bytes(Format::nvfp4, 11008, 4096, 0));

  const StoredTensor mxfp4 = only(Header{}
                                      .add("model.layers.0.mlp.experts.gate_up_proj_blocks", "U8", {32, 5760, 90, 16})
                                      .add("model.layers.0.mlp.experts.gate_up_proj_scales", "U8", {32, 5760, 90}));
  CHECK(mxfp4.format == Format::mxfp4);
  CHECK(mxfp4.count == 32);
  CHECK(mxfp4.rows == 5760);
  CHECK(mxfp4.cols == 2880);
  CHECK(mxfp4.bytes == 32 * tensor_bytes(Format::mxfp4, 5760, 2880, 0));

  const StoredTensor packed_fp4 = only(Header{}
                                           .add("layers.3.ffn.experts.0.w1.weight", "I8", {2048, 2048})
                                           .add("layers.3.ffn.experts.0.w1.scale", "F8_E8M0", {2048, 128}));
  CHECK(packed_fp4.format == Format::mxfp4);
  CHECK(packed_fp4.cols == 4096);

  const StoredTensor nf4 = only(Header{}
                                    .add("model.layers.0.mlp.up_proj.weight", "U8", {22544384, 1})
                                    .add("model.layers.0.mlp.up_proj.weight.absmax", "U8", {704512})
                                    .add("model.layers.0.mlp.up_proj.weight.nested_absmax", "F32", {2752})
                                    .add("model.layers.0.mlp.up_proj.weight.nested_quant_map", "F32", {256})
                                    .add("model.layers.0.mlp.up_proj.weight.quant_map", "F32", {16})
                                    .add("model.layers.0.mlp.up_proj.weight.quant_state.bitsandbytes__nf4", "U8", {84}));
  CHECK(nf4.format == Format::nf4_dq);
  CHECK(nf4.params() == 11008.0 * 4096);
  CHECK(nf4.bytes == tensor_bytes(Format::nf4_dq, 11008, 4096, 0) + 1024 + 64 + 84);

  const StoredTensor int8 = only(Header{}
                                     .add("model.layers.0.mlp.up_proj.weight", "I8", {11008, 4096})
                                     .add("model.layers.0.mlp.up_proj.SCB", "F32", {11008})
                                     .add("model.layers.0.mlp.up_proj.weight_format", "U8", {}));
  CHECK(int8.format == Format::int8_bnb);
  CHECK(int8.bytes == tensor_bytes(Format::int8_bnb, 11008, 4096, 0) + 1);

  // Packed without zero points: how many bits the numbers have, the model's width says.
  const ShapeResult shape = parse_shape("hidden4096,vocab32000;full,q32,kv32,dim128;dense,i11008;32aA");
  REQUIRE(shape.ok());
  const StoredTensor group = only(Header{}
                                      .add("model.layers.0.mlp.up_proj.weight_packed", "I32", {11008, 512})
                                      .add("model.layers.0.mlp.up_proj.weight_scale", "BF16", {11008, 32})
                                      .add("model.layers.0.mlp.up_proj.weight_shape", "I64", {2}),
                                  &shape.model);
  CHECK(group.format == Format::int4_group);
  CHECK(group.group == 128);
  CHECK(group.bytes == tensor_bytes(Format::int4_group, 11008, 4096, 128) + 16);

  // A matrix whose file is not there.
  const StoredTensor orphan = only(Header{}.add("model.layers.0.mlp.up_proj.weight_scale_inv", "F32", {144, 56}));
  CHECK_FALSE(orphan.sized);
  CHECK(orphan.params() == 0);
  CHECK(orphan.bytes == 144 * 56 * 4);
}

TEST_CASE("every type of the format is known, others are named") {
  for (const char* dtype : {"BOOL", "U8", "I8", "F8_E4M3", "F8_E5M2", "F8_E8M0", "F8_E4M3FNUZ", "F8_E5M2FNUZ", "I16", "F16",
                            "BF16", "I32", "U32", "F32", "F64", "I64", "U64"}) {
    INFO(dtype);
    Read read({{"model.safetensors", Header{}.add("model.layers.0.mlp.up_proj.weight", dtype, {8, 4})}});
    CHECK(read.tensors().size() == 1);
    CHECK(read.remarks.empty());
    CHECK(read.files.tensor_bytes() == 8 * 4 * Header::bits(dtype) / 8);
  }
  std::vector<ImportRemark> keep;
  const std::string odd = one(R"({"dtype":"F3_X","shape":[2],"data_offsets":[0,1]})");
  const ImportRemark* r = remark_on(odd, "import-unknown-dtype", double(odd.size()) + 1, keep);
  REQUIRE(r);
  CHECK(r->where == "t");
  CHECK(r->value == "F3_X");
  CHECK(r->severity == Severity::warning);
}

TEST_CASE("a header that lies is named, with the tensor") {
  std::vector<ImportRemark> keep;
  const auto found = [&](const std::string& head, const char* id, double total = -1) {
    const ImportRemark* r = remark_on(head, id, total < 0 ? double(head.size()) + 64 : total, keep);
    const std::string instead = keep.empty() ? std::string() : keep[0].id;
    CAPTURE(id);
    CAPTURE(instead);
    REQUIRE(r);
    CHECK(r->file == "model.safetensors");
    return *r;
  };
  CHECK(found(one(R"({"dtype":"F32","shape":[4],"data_offsets":[16,0]})"), "import-reversed-offsets").where == "t");
  const ImportRemark mismatch = found(one(R"({"dtype":"F32","shape":[4],"data_offsets":[0,64]})"), "import-size-mismatch");
  CHECK(mismatch.value == "64");
  CHECK(mismatch.wanted == "16");
  found(one(R"({"dtype":"F32","shape":[9007199254740993,9007199254740993],"data_offsets":[0,64]})"), "import-shape-overflow");
  found(one(R"({"dtype":"F32","shape":[18446744073709551615,2,2],"data_offsets":[0,64]})"), "import-shape-overflow");
  found(one(R"({"dtype":"F32","shape":[-4],"data_offsets":[0,16]})"), "import-bad-shape");
  found(one(R"({"dtype":"F32","shape":[4.5],"data_offsets":[0,16]})"), "import-bad-shape");
  found(one(R"({"dtype":"F32","shape":[1e400],"data_offsets":[0,16]})"), "import-json-syntax");
  found(one(R"({"dtype":"F32","shape":["4"],"data_offsets":[0,16]})"), "import-bad-shape");
  found(one(R"({"dtype":"F32","shape":[1,1,1,1,1,1,1,1,1],"data_offsets":[0,4]})"), "import-bad-shape");
  found(one(R"({"dtype":"F32","shape":[4]})"), "import-bad-offsets");
  found(one(R"({"dtype":"F32","shape":[4],"data_offsets":[0]})"), "import-bad-offsets");
  found(one(R"({"dtype":"F32","shape":[4],"data_offsets":[0,16,32]})"), "import-bad-offsets");
  found(one(R"({"dtype":"F32","shape":[4],"data_offsets":[-16,0]})"), "import-bad-offsets");
  found(one(R"({"shape":[4],"data_offsets":[0,16]})"), "import-no-dtype");
  found(one(R"(7)"), "import-bad-header");
  found(one(R"([1])"), "import-bad-header");
  found(one(R"({"dtype":{},"shape":[4],"data_offsets":[0,16]})"), "import-bad-header");
  const std::string good = R"({"dtype":"F32","shape":[16],"data_offsets":[0,64]})";
  found(one(good).substr(0, 30), "import-truncated");
  found(one(good), "import-beyond-file", double(one(good).size()) + 10);
  found(with_length("{\"a\":" + good + ",\"b\":" + good + "}"), "import-overlap");
  CHECK(found(one(R"({"dtype":"F32","shape":[4],"data_offsets":[48,64]})"), "import-hole").number == 48);
  CHECK(found(one(R"({"dtype":"F32","shape":[4],"data_offsets":[0,16]})"), "import-hole").number == 48);
  CHECK(found(with_length("{\"a\":" + good + ",\"a\":" + good + "}"), "import-duplicate-tensor").where == "a");
  found(with_length("{\"a\":" + good + "} x"), "import-json-syntax");
  found(with_length(std::string("{}\0\0", 4)), "import-json-syntax");
  found(with_length("{\"a\xFF\":" + good + "}"), "import-json-encoding");
  found(with_length("{\"\\uD800\":" + good + "}"), "import-json-encoding");
  found(with_length(""), "import-json-empty");
  found(with_length("[]"), "import-bad-header");
  std::string deep = "{\"t\":{\"x\":";
  for (int i = 0; i < 100000; ++i) deep += "[";
  found(with_length(deep), "import-json-depth");
  const ImportRemark length = found(with_length("{}", 1ull << 63), "import-header-length");
  CHECK(length.value == "9.223372e18");
  found(with_length("{}", 1000), "import-truncated");
  found("1234", "import-truncated", 4);
  found(std::string("{}"), "import-truncated", 2);
}

TEST_CASE("of many faults a few are shown and the rest counted") {
  std::string json = "{";
  for (int i = 0; i < 1000; ++i)
    json += (i ? ",\"" : "\"") + std::to_string(i) + R"(":{"dtype":"F32","shape":[1],"data_offsets":[4,0]})";
  Read read({{"model.safetensors", with_length(json + "}")}});
  read.tensors();
  REQUIRE(read.remarks.size() == Remarks::shown + 1);
  CHECK(read.remarks.back().id == "import-more");
  CHECK(read.remarks.back().value == "import-reversed-offsets");
  CHECK(read.remarks.back().number == 1000 - Remarks::shown);
}

TEST_CASE("an empty header and one with unknown keys are fine") {
  Read read({{"model.safetensors", with_length("{}")}});
  CHECK(read.tensors().empty());
  CHECK(read.remarks.empty());
  Read other(
      {{"a.safetensors",
        with_length(
            R"({"__metadata__":{"a":{"b":[1,[2]]},"c":null},"t":{"x":{"y":[{}]},"dtype":"F32","shape":[],"data_offsets":[0,4],"z":1}}   )"),
        156}});
  CHECK(other.tensors().size() == 1);
  CHECK(other.files.tensor_bytes() == 4);
}

TEST_CASE("index and headers are held against each other") {
  const Header first = Header{}.add("model.layers.0.mlp.up_proj.weight", "BF16", {8, 4});
  const Header second = Header{}.add("model.layers.1.mlp.up_proj.weight", "BF16", {8, 4});
  const std::string index =
      R"({"metadata":{"total_size":128},"weight_map":{"model.layers.0.mlp.up_proj.weight":"model-00001-of-00002.safetensors",)"
      R"("model.layers.1.mlp.up_proj.weight":"model-00002-of-00002.safetensors"}})";
  const HeldFile a("model-00001-of-00002.safetensors", first), b("weights/model-00002-of-00002.safetensors", second);
  {
    Read read({a, b}, index);
    CHECK(read.tensors().size() == 2);
    CHECK(read.remarks.empty());
    CHECK(read.files.complete());
    CHECK(read.files.tensor_bytes() == 128);
  }
  {
    Read read({a}, index);
    REQUIRE(read.remark("import-missing-shard"));
    CHECK(read.remark("import-missing-shard")->value == "model-00002-of-00002.safetensors");
    CHECK_FALSE(read.files.complete());
  }
  {
    Read read({a});
    REQUIRE(read.remark("import-missing-shard"));
    CHECK(read.remark("import-missing-shard")->number == 1);
  }
  {
    Read read(
        {a, HeldFile("model-00002-of-00002.safetensors", Header{}.add("model.layers.1.mlp.gate_proj.weight", "BF16", {8, 4}))},
        index);
    REQUIRE(read.remark("import-index-absent"));
    CHECK(read.remark("import-index-absent")->number == 1);
    CHECK(read.remark("import-index-unnamed")->number == 1);
  }
  {
    Read read({a, HeldFile("other.safetensors", first)}, index);
    CHECK(read.remark("import-unnamed-shard"));
    CHECK(read.remark("import-duplicate-tensor"));
  }
  {
    Read read(
        {a, b},
        R"({"metadata":{"total_size":127},"weight_map":{"model.layers.0.mlp.up_proj.weight":"model-00001-of-00002.safetensors","model.layers.1.mlp.up_proj.weight":"model-00002-of-00002.safetensors"}})");
    REQUIRE(read.remark("import-total-size"));
    CHECK(read.remark("import-total-size")->value == "127");
    CHECK(read.remark("import-total-size")->wanted == "128");
  }
  for (const char* wrong : {R"({"weight_map":7})", R"({"weight_map":[]})", R"({"metadata":{}})", R"({"weight_map":{"a":null}})",
                            R"({"weight_map":{"a":{}}})"}) {
    INFO(wrong);
    Read read({}, wrong);
    CHECK(read.remark(std::string(wrong) == R"({"weight_map":7})" ? "import-bad-index" : "import-bad-index"));
  }
  CHECK(Read({}, R"({"weight_map":{"a":"x","a":"x"}})").remark("import-duplicate-tensor"));
  CHECK(Read({}, R"({"metadata":{"total_size":-1},"weight_map":{}})").remark("import-bad-total-size"));
  CHECK(Read({}, R"({"weight_map":{"a":"x")").remark("import-json-syntax"));
}
