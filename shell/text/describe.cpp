#include "describe.h"

namespace vramfit::shell {

Description describe(const Inputs& inputs, const Result& result, const Text& text) {
  const GpuNames names(result.fit);
  Description out{
      describe_answer(inputs, result, names, text),
      std::vector<NoticeLine>(result.notices.size()),
      result.refused ? Breakdown() : describe_compartments(inputs, result, names, text),
      result.refused ? FitTable() : describe_fit(inputs, result, names, text),
  };
  for (std::size_t i = 0; i < out.notices.size(); ++i) {
    const Notice& notice = result.notices[i];
    out.notices[i].severity = notice.severity;
    out.notices[i].field = notice.field;
    out.notices[i].text = notice_text(notice, text);
  }
  return out;
}

}  // namespace vramfit::shell
