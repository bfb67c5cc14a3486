// The answer in one sentence.
#pragma once

#include <cstdint>
#include <string>

#include "names.h"
#include "text.h"
#include "vramfit/fields.h"
#include "vramfit/result.h"

namespace vramfit::shell {

enum class AnswerState : std::uint8_t { fits, tight, none, refused };

struct Answer {
  AnswerState state = AnswerState::refused;
  std::string sentence;
};

Answer describe_answer(const Inputs& inputs, const Result& result, const GpuNames& names, const Text& text);

}  // namespace vramfit::shell
