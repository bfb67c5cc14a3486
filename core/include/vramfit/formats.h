// Number formats with their exact block metadata, and the recipes that map tensor classes to formats.
#pragma once

#include <cstdint>
#include <span>

#include "vramfit/model.h"
#include "vramfit/tensors.h"

namespace vramfit {

enum class Format : std::uint8_t {
  fp32,
  bf16,
  fp16,
  fp8,         // e4m3, one float32 scale per tensor
  fp8_block,   // e4m3, one float32 scale per 128 x 128 block
  int8,        // W8A8: one float32 scale per output channel
  int8_bnb,    // bitsandbytes LLM.int8: one float32 scale per output channel
  int8_gptq,   // 8-bit with float16 scales and 8-bit zero points per group, an int32 group index per input channel
  int4_flat,   // four bits and nothing else: a rule of thumb, not a storage format
  int4_awq,    // 4-bit with float16 scales and 4-bit zero points per group
  int4_gptq,   // the same plus an int32 group index per input channel
  int4_group,  // 4-bit, symmetric, one 16-bit scale per group
  nf4,         // one float32 absmax per 64
  nf4_dq,      // absmax itself in 8 bits, with a float32 per 256 of them
  mxfp4,       // one 8-bit exponent per 32
  nvfp4,       // one fp8 scale per 16 and a float32 per tensor
  // ggml types, sized by block.
  q8_0,
  q6_k,
  q5_k,
  q5_1,
  q5_0,
  q4_k,
  q4_1,
  q4_0,
  q3_k,
  q2_k,
  iq4_nl,
  iq4_xs,
  iq3_s,
  iq3_xxs,
  iq2_s,
  iq2_xs,
  iq2_xxs,
  iq1_m,
  iq1_s,
  ggml_mxfp4,
  tq2_0,
  tq1_0,
  // Found in files, asked for by no recipe.
  ggml_nvfp4,  // one fp8 scale per 16, four to a block
  q2_0,
  q1_0,
  q8_1,
  q8_k,
  fp64,
  i8,
  i16,
  i32,
  i64,
};

constexpr bool is_ggml(Format format) { return format >= Format::q8_0; }

// Whether elements share a scale in groups whose size the checkpoint chooses.
constexpr bool has_groups(Format format) {
  return format == Format::int8_gptq || format == Format::int4_awq || format == Format::int4_gptq || format == Format::int4_group;
}

struct FormatInfo {
  Id id;
  double nominal_bits;  // what the name says, before metadata
  int block_elements;   // 0 when the metadata is not per block of one row
  int block_bytes;
  Id source;
};

const FormatInfo& info(Format format);
std::span<const FormatInfo> format_infos();  // in the order of Format

// Bytes of one rows x cols matrix. `group_size` applies to int8_gptq, int4_awq, int4_gptq, int4_group; 0 means one group per row.
double tensor_bytes(Format format, double rows, double cols, int group_size);

// A recipe is what the user chooses as `weights`.
enum class RecipeKind : std::uint8_t {
  uniform,          // every tensor in one format
  linears,          // linear layers in the format; embeddings, head, router, norms and towers stay in 16 bits
  feed_forwards,    // dense feed-forwards but the first and last layer's in the format, all else in 16 bits
  experts_only,     // routed experts in the format, all else in 16 bits (dense models: as `linears`)
  experts_and_fp8,  // routed experts in the format, other linears in fp8_block
  ggml_mix,         // llama.cpp's rules, tensor by tensor
  native,           // whatever the checkpoint was published in
};

struct Recipe {
  Id id;
  RecipeKind kind;
  Format format;
  double nominal_bits;  // bits a parameter that the rule of thumb counts
  bool takes_group_size;
  Id source;
};

std::span<const Recipe> recipes();
const Recipe* find_recipe(Id id);  // null when unknown

// The recipe that comes closest to what the model's files are stored in, by elements; of those for llama.cpp if and only if the
// files are. What kernels an engine needs, and what the rule of thumb counts, follow from it.
const Recipe& closest_recipe(const Model& model);

// Whether this program knows models that are not the catalogue's. The page's small module does not: chosen with the engine
// method.
bool reads_imported_models();

// Format that `recipe` gives to one layer's copy of `tensor`: where the model's stored formats are known, those.
Format format_of(const Recipe& recipe, const Model& model, const Tensor& tensor, int layer);

// How one layer's copy of a tensor is kept.
struct Storage {
  Format format;
  int group;  // as in tensor_bytes
};
// `group_size`: the input's, for recipes that take one.
Storage storage_of(const Recipe& recipe, int group_size, const Model& model, const Tensor& tensor, int layer);

struct WeightBytes {
  double total = 0;
  double quantized_elements = 0;  // elements in the recipe's format ...
  double quantized_bytes = 0;     // ... and their bytes, metadata included
  double kept_elements = 0;       // elements the recipe leaves in a wider format ...
  double kept_bytes = 0;
  double embedding_bytes = 0;   // token table, part of the above
  double head_bytes = 0;        // output matrix, part of the above; 0 when tied
  double replicated_bytes = 0;  // norms, routers, latent down-projections ...: on every tensor-parallel rank, part of the above
};

// GGUF recipes leave out vision and audio towers: they are a file of their own.
WeightBytes weight_bytes(const Model& model, const Recipe& recipe, int group_size);

// Whose KV cache a format is one step of, where precisions are compared side by side: 16, 8 and 4 bits of each.
enum class KvLadder : std::uint8_t { none, serving_engines, llama_cpp, both };

// KV-cache element formats.
struct KvFormat {
  Id id;
  double bits;                  // per element, block metadata included
  double scale_bytes_per_head;  // per token and head, for K and for V each
  Id source;
  KvLadder ladder;
};

std::span<const KvFormat> kv_formats();
const KvFormat* find_kv_format(Id id);  // null when unknown

}  // namespace vramfit
