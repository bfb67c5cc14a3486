// From a GGUF file's metadata and its tensors' shapes to the layers of a model. Where both say something, they must agree.
#pragma once

#include <array>
#include <vector>

#include "import/gguf.h"
#include "import/gguf_architectures.h"
#include "import/gguf_names.h"
#include "import/remarks.h"
#include "import/tensor_table.h"

namespace vramfit::importer {

constexpr double max_number = 1e9;  // what the shape's own numbers may be

// A number of a layer; -1 where there is none.
inline int at(const std::vector<int>& numbers, int layer) { return layer < int(numbers.size()) ? numbers[layer] : -1; }

// A tensor with what its name says.
struct NamedTensor {
  const GgufTensor* tensor = nullptr;
  GgufName name;
};

// What one layer's tensors are, by role.
struct GgufLayer {
  std::array<const GgufTensor*, int(GgufRole::count)> weights = {};
  std::array<const GgufTensor*, int(GgufRole::count)> biases = {};
  double wide_norms = 0;   // norms as wide as the model
  double inner_norms = 0;  // elements of norms inside a state mixer
  int experts = 0;         // where each is stored by itself
  bool any = false;

  const GgufTensor* weight(GgufRole role) const { return weights[int(role)]; }
  const GgufTensor* bias(GgufRole role) const { return biases[int(role)]; }
  bool has(GgufRole role) const { return weights[int(role)] != nullptr; }
};

class GgufModel {
 public:
  GgufModel(const GgufHeader& metadata, std::string_view file, const std::vector<NamedTensor>& tensors, Imported& out,
            Remarks& remarks);

  // Fills the model; false: a remark says why not.
  bool build();
  // What the tensor is in the table that all importers share. Fused matrices become several.
  void store(const NamedTensor& named, std::vector<StoredTensor>& table) const;

 private:
  using R = GgufRole;

  bool refuse(const char* id, std::string_view where, std::string_view value = {}, std::string_view wanted = {},
              double number = 0);
  bool contradiction(const GgufTensor& tensor, double found, const std::string& key, double wanted);
  void infer(const char* id, std::string where);

  std::string key(std::string_view name) const;
  bool whole_number(const std::string& key, const GgufValue& value, std::uint64_t index, int& target);
  // A number, or one for each layer; -1 where the file gives none.
  bool optional_number(std::string_view name, int& target);
  bool required_number(std::string_view name, int& target);
  bool layer_numbers(std::string_view name, std::vector<int>& target);

  bool sort_layers();
  bool read_general();
  bool read_windows();
  bool read_outside();
  bool layer_mixer(int layer, const GgufLayer& l, Mixer& x);
  bool attention(int layer, const GgufLayer& l, Mixer& x);
  bool latent(int layer, const GgufLayer& l, Mixer& x);
  bool compressed(int layer, const GgufLayer& l, Mixer& x);
  bool gated_delta_net(const GgufLayer& l, Mixer& x);
  bool kimi_delta(int layer, const GgufLayer& l, Mixer& x);
  bool mamba1(const GgufLayer& l, Mixer& x);
  bool mamba2(const GgufLayer& l, Mixer& x);
  bool short_conv(const GgufLayer& l, Mixer& x);
  bool indexer(const GgufLayer& l, Mixer& x);
  bool layer_feed_forward(int layer, const GgufLayer& l, FeedForward& f);
  bool expect_rows(const GgufTensor* tensor, double rows, std::string_view name, double number);
  bool expect_cols(const GgufTensor* tensor, double cols, std::string_view name, double number);

  bool build_layers();
  bool build_prediction_layers();
  void count_norms();
  int mixer_index(const Mixer& x);
  int feed_forward_index(const FeedForward& f);
  bool add_layer(const Mixer& x, const FeedForward& f);
  int model_layer(const NamedTensor& named) const;

  const GgufHeader& metadata_;
  std::string_view file_;
  const std::vector<NamedTensor>& tensors_;
  Imported& out_;
  Model& model_;
  Remarks& remarks_;
  GgufArchitecture architecture_;
  std::vector<GgufLayer> layers_;
  GgufLayer outside_;
  int num_layers_ = 0;  // without those for multi-token prediction
  std::vector<int> heads_, kv_heads_, key_lengths_, value_lengths_, feed_forward_lengths_, expert_lengths_, experts_used_;
  std::vector<int> compress_ratios_;
  std::vector<bool> windowed_;
  int window_ = 0, key_length_swa_ = -1, value_length_swa_ = -1, first_shared_ = 0;
  int latent_key_ = -1, latent_value_ = -1, rope_ = -1, kv_rank_ = -1;
};

}  // namespace vramfit::importer
