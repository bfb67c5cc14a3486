// Whatever headers and indexes of safetensors say, alone or with a configuration: no crash, no memory beyond what their length allows,
// and an answer that holds together.
//
// The input is a byte of flags, then one to three files: for each a length in two bytes (the last takes what is left) and how much
// longer than its beginning the file is, as a power of two. Flags: 1 with a configuration, 2 the length before the header is set
// right, 4 the first is an index, 24 how many files.
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "checks.h"
#include "import_support.h"

using namespace vramfit;
using namespace vramfit_test;

namespace {

const std::string config =
    R"({"model_type":"llama","architectures":["LlamaForCausalLM"],"hidden_size":256,"intermediate_size":512,"num_hidden_layers":3,)"
    R"("num_attention_heads":8,"num_key_value_heads":2,"head_dim":32,"vocab_size":1000,"max_position_embeddings":4096,"rms_norm_eps":1e-5,)"
    R"("torch_dtype":"bfloat16","hidden_act":"silu","tie_word_embeddings":true})";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  const int flags = static_cast<unsigned char>(rest[0]);
  const int count = 1 + (flags >> 3 & 3) % 3;
  rest.remove_prefix(1);
  const char* const names[] = {"model-00001-of-00003.safetensors", "model-00002-of-00003.safetensors", "model-00003-of-00003.safetensors"};
  std::vector<HeldFile> held;
  for (int i = 0; i < count && rest.size() >= 3; ++i) {
    std::size_t length = static_cast<unsigned char>(rest[0]) | static_cast<unsigned char>(rest[1]) << 8;
    const int more = static_cast<unsigned char>(rest[2]) % 64;
    rest.remove_prefix(3);
    if (i == count - 1 || length > rest.size()) length = rest.size();
    const std::string text(rest.substr(0, length));
    rest.remove_prefix(length);
    const double longer = more == 0 ? 0 : std::ldexp(1.0, more);
    if (i == 0 && flags & 4) held.emplace_back("model.safetensors.index.json", text);
    else if (flags & 2) held.emplace_back(names[i], with_length(text), double(text.size()) + 8 + longer);
    else held.emplace_back(names[i], text, double(text.size()) + longer);
  }
  if (flags & 1) held.emplace_back("config.json", config);
  for (const HeldFile& file : held) check_need(file.file());
  check_imported(import_of(held));
  return 0;
}
