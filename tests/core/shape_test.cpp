#include <random>

#include "support.h"

using namespace vramfit;
using namespace vramfit::test;

namespace {
std::string error_of(std::string_view text) {
  const ShapeResult r = parse_shape(text);
  return r.ok() ? "" : std::string(r.error) + "@" + std::to_string(r.offset);
}
}  // namespace

TEST_CASE("shape: layers, kinds and groups") {
  const ShapeResult r = parse_shape("hidden64,vocab100,tied;slide16,q4,kv2,dim16;full,q4,kv2,dim16,qknorm;dense,i128;2(3aAbA)aA");
  REQUIRE(r.ok());
  CHECK(r.model.num_layers() == 9);
  CHECK(r.model.num_runs == 5);
  CHECK(r.model.tied_embeddings);
  CHECK(r.model.mixers[0].kind == MixerKind::sliding);
  CHECK(r.model.mixers[0].window == 16);
  CHECK(r.model.mixers[1].qk_norm == QkNorm::per_head);
  CHECK(r.model.mixers[1].v_head_dim == 16);
}

TEST_CASE("shape: every error names itself and its place") {
  CHECK(error_of("") == "shape-empty@0");
  CHECK(error_of("hidden64,vocab100") == "shape-missing@17");
  CHECK(error_of("hidden,vocab100;full,q1,kv1,dim8;dense,i8;1aA") == "shape-number@0");
  CHECK(error_of("hidden64,colour3;full,q1,kv1,dim8;dense,i8;1aA") == "shape-name@9");
  CHECK(error_of("hidden64,vocab100;full,q4,kv2;dense,i8;1aA") == "shape-missing@18");
  CHECK(error_of("hidden64,vocab100;full,q4,kv2,dim16;dense,i8;1aB") == "shape-layers@46");
  CHECK(error_of("hidden64,vocab100;full,q4,kv2,dim16;dense,i8;0aA") == "shape-layers@46");
  CHECK(error_of("hidden64,vocab100;full,q4,kv2,dim16;dense,i8;2(aA") == "shape-layers@49");
  CHECK(error_of("hidden64,vocab100;full,q4,kv2,dim16;dense,i8;99(aAaAaAaA)") == "shape-limit@56");
  CHECK(error_of("hidden64,vocab100;;dense,i8;1aA") == "shape-name@18");
  CHECK(error_of("hidden99999999999999999999,vocab100;1aA") == "shape-name@0");
  CHECK(error_of("hidden64,vocab100,tied4;full,q4,kv2,dim16;dense,i8;1aA") == "shape-number@18");
  CHECK(error_of("hidden64,vocab100;full,q4,kv2,dim16;dense,i8;1aA;1aA") == "shape-layers@49");
  CHECK(error_of("hidden64,vocab100;moe,experts4,top8,i8;nomix;1aA") == "shape-missing@18");
  CHECK(error_of("hidden64,vocab100;shortconv,inner64;dense,i8;1aA") == "shape-missing@18");
}

TEST_CASE("shape: mutated text is parsed or refused, never worse") {
  std::mt19937 random(7);
  const std::string_view alphabet = "abcdefghijklmnopqrstuvwxyzABC0123456789,;()";
  int refused = 0;
  for (const ModelEntry& m : models()) {
    for (int i = 0; i < 40; ++i) {
      std::string text(m.shape);
      for (unsigned edits = random() % 3 + 1; edits > 0; --edits) {
        const std::size_t at = random() % text.size();
        if (random() % 2) text[at] = alphabet[random() % alphabet.size()];
        else text.erase(at, 1);
      }
      const ShapeResult r = parse_shape(text);
      if (r.ok()) CHECK(count_parameters(r.model).total > 0);
      else ++refused;
    }
  }
  CHECK(refused > 100);
}
