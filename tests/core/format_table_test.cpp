#include "vramfit/format_table.h"

#include <random>

#include "support.h"

using namespace vramfit;
using namespace vramfit::test;

namespace {

std::string error_of(std::string_view text) {
  const FormatTableResult r = parse_format_table(text);
  return r.ok() ? "" : std::string(r.error) + "@" + std::to_string(r.offset);
}

Id stored_in(std::string_view table, TensorClass cls, int layer) {
  const FormatTableResult r = parse_format_table(table);
  REQUIRE(r.ok());
  return info(section_of(r.stored, cls, layer).format).id;
}

}  // namespace

TEST_CASE("format table: the later of two sections counts, layers have gaps") {
  constexpr std::string_view table = "bf16;fp8-block:q.fd;fp32:fd~0-2,5,9-10;nvfp4:fd~10";
  CHECK(stored_in(table, TensorClass::token_embedding, 0) == "bf16");
  CHECK(stored_in(table, TensorClass::attention_query, 7) == "fp8-block");
  for (const int layer : {0, 1, 2, 5, 9}) CHECK(stored_in(table, TensorClass::ffn_down, layer) == "fp32");
  for (const int layer : {3, 4, 6, 8, 11}) CHECK(stored_in(table, TensorClass::ffn_down, layer) == "fp8-block");
  CHECK(stored_in(table, TensorClass::ffn_down, 10) == "nvfp4");
}

TEST_CASE("format table: groups, files for llama.cpp, what is left over") {
  const StoredFormats s = parse_format_table("bf16;int4-awq(32):q;int4-group:k;int8-gptq(0):v;rest-12345").stored;
  CHECK(section_of(s, TensorClass::attention_query, 0).group == 32);
  CHECK(section_of(s, TensorClass::attention_key, 0).group == 128);
  CHECK(section_of(s, TensorClass::attention_value, 0).group == 0);
  CHECK(s.rest_bytes == -12345);
  CHECK(!s.gguf);
  CHECK(parse_format_table("gguf;fp16;fp32:small;rest999999999999999").stored.rest_bytes == 999999999999999);
  CHECK(parse_format_table("gguf;fp16").stored.gguf);
}

TEST_CASE("format table: every class has a code of its own") {
  std::string table = "bf16";
  for (int c = 0; c < num_tensor_classes; ++c)
    table += std::string(";fp32:") + std::string(tensor_class_codes[c]) + "~" + std::to_string(c);
  const FormatTableResult r = parse_format_table(table);
  REQUIRE(r.ok());
  for (int c = 0; c < num_tensor_classes; ++c)
    for (int layer = 0; layer < num_tensor_classes; ++layer)
      CHECK((section_of(r.stored, static_cast<TensorClass>(c), layer).format == Format::fp32) == (c == layer));
  CHECK(write_format_table(r.stored) == table);
}

TEST_CASE("format table: every error names itself and its place") {
  CHECK(error_of("") == "formats-name@0");
  CHECK(error_of("bf17") == "formats-name@0");
  CHECK(error_of("bf16;fp8:q.kk") == "formats-name@11");
  CHECK(error_of("bf16;fp8:q.") == "formats-name@11");
  CHECK(error_of("bf16;fp8:q~") == "formats-number@11");
  CHECK(error_of("bf16;fp8:q~5-3") == "formats-number@11");
  CHECK(error_of("bf16;fp8:q~8192") == "formats-number@11");
  CHECK(error_of("bf16;fp8:q~1,,2") == "formats-number@13");
  CHECK(error_of("bf16;int4-awq(99999):q") == "formats-number@14");
  CHECK(error_of("bf16;int4-awq(32:q") == "formats-name@16");
  CHECK(error_of("bf16;fp8(32):q") == "formats-name@8");
  CHECK(error_of("bf16:q") == "formats-order@4");
  CHECK(error_of("bf16;fp8") == "formats-order@8");
  CHECK(error_of("bf16;;fp8:q") == "formats-name@5");
  CHECK(error_of("bf16;fp8:q!") == "formats-name@10");
  CHECK(error_of("bf16;rest5;fp8:q") == "formats-order@10");
  CHECK(error_of("bf16;rest") == "formats-number@9");
  CHECK(error_of("bf16;rest9999999999999999") == "formats-number@9");
  CHECK(error_of("rest5") == "formats-name@0");
  CHECK(error_of("gguf") == "formats-order@4");
  CHECK(error_of("bf16;gguf") == "formats-name@5");
  CHECK(error_of("q4_k") == "formats-gguf@0");
  CHECK(error_of("gguf;fp16;fp8:q") == "formats-gguf@10");
  std::string many = "bf16";
  for (int i = 0; i < StoredFormats::max_sections; ++i) many += ";fp8:q";
  CHECK(error_of(many) == "formats-limit@" + std::to_string(many.size() - 5));
  many = "bf16;fp8:q~0";
  for (std::size_t i = 1; i <= max_spans_of_section; ++i) many += ",1";
  CHECK(error_of(many) == "formats-limit@" + std::to_string(many.size() - 1));
}

TEST_CASE("format table: what is written is read again, whatever it says") {
  std::mt19937 random(11);
  const auto below = [&](unsigned n) { return static_cast<int>(random() % n); };
  for (int round = 0; round < 500; ++round) {
    StoredFormats s;
    s.gguf = below(2);
    const auto any_format = [&] {
      const int count = static_cast<int>(format_infos().size());
      const int ggml = static_cast<int>(Format::q8_0);
      return static_cast<Format>(s.gguf ? below(2) ? ggml + below(count - ggml) : below(3) : below(ggml));
    };
    for (int sections = below(40) + 1; sections > 0; --sections) {
      const Format format = any_format();
      StoredFormats::Span spans[8];
      const bool first = s.num_sections == 0;
      const int num_spans = first ? 0 : below(8);
      for (int i = 0; i < num_spans; ++i) {
        spans[i].first = static_cast<std::uint16_t>(below(100));
        spans[i].last = static_cast<std::uint16_t>(spans[i].first + below(20));
      }
      REQUIRE(add_section(s, format, has_groups(format) ? below(300) : 0,
                          first ? all_classes : 1 + (random() & (all_classes - 1)) % all_classes,
                          {spans, static_cast<std::size_t>(num_spans)}));
    }
    s.rest_bytes = below(3) ? below(1000000) - 500000.0 : 0;
    const std::string text = write_format_table(s);
    const FormatTableResult again = parse_format_table(text);
    REQUIRE_MESSAGE(again.ok(), text);
    CHECK(write_format_table(again.stored) == text);
    CHECK(again.stored.rest_bytes == s.rest_bytes);
    CHECK(again.stored.num_spans == s.num_spans);
    for (int c = 0; c < num_tensor_classes; ++c) {
      const auto cls = static_cast<TensorClass>(c);
      const int layer = below(120);
      CHECK(section_of(again.stored, cls, layer).format == section_of(s, cls, layer).format);
      CHECK(section_of(again.stored, cls, layer).group == section_of(s, cls, layer).group);
    }
  }
}

TEST_CASE("format table: mutated text is read or refused, never worse") {
  std::mt19937 random(5);
  constexpr std::string_view alphabet = "abcdefgqkvourest0123456789-_.,:;~()";
  constexpr std::string_view whole = "bf16;fp8-block:q.o.down.up~0-3,7;int4-awq(64):eg.eu.ed~3-60;fp32:small.router;rest-2048";
  int refused = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text(whole);
    for (unsigned edits = random() % 3 + 1; edits > 0; --edits) {
      const std::size_t at = random() % text.size();
      if (random() % 2) text[at] = alphabet[random() % alphabet.size()];
      else text.erase(at, 1 + random() % 4);
    }
    const FormatTableResult r = parse_format_table(text);
    if (r.ok()) CHECK(r.stored.num_sections > 0);
    refused += !r.ok();
    CHECK(r.offset <= text.size());
  }
  CHECK(refused > 5000);
}
