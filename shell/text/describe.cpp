#include "describe.h"

namespace vramfit::shell {

Description describe(const Inputs& inputs, const Result& result, const Text& text) {
  const GpuNames names(result.fit);
  Description out;
  out.answer = describe_answer(inputs, result, names, text);
  for (const Notice& notice : result.notices) out.notices.push_back({notice.severity, notice.field, notice_text(notice, text)});
  if (result.refused) return out;
  out.breakdown = describe_compartments(inputs, result, names, text);
  out.fit = describe_fit(inputs, result, names, text);
  return out;
}

}  // namespace vramfit::shell
