// All that the canvas draws, as lines of text: what a screen reader finds beside it.
#include "../text/limits.h"
#include "app.h"

namespace vramfit::shell {
namespace {

void add(std::string& to, std::initializer_list<std::string_view> pieces) {
  for (const std::string_view piece : pieces) to += piece;
}

void compartments(const Session& s, std::string& out) {
  const Text& t = s.text();
  const Breakdown& b = s.words().breakdown;
  // What all GPUs hold together, where there are several.
  const auto all = [&](const Figure& figure) {
    if (b.count > 1) add(out, {", ", t.say("page.all_gpus", {{"count", b.count}}), ": ", figure.text()});
  };
  out += b.title;
  all(b.need_all);
  if (b.free) add(out, {"\n", t.say("page.free"), " ", b.free->figure.text(), " (", b.free->share, ")"});
  out += "\n";
  for (const CompartmentRow& row : b.rows) {
    add(out, {row.label, ": ", row.per_gpu.text()});
    if (!row.range.empty()) add(out, {" (", row.range, ")"});
    add(out, {", ", row.share});
    all(row.all_gpus);
    out += "\n";
    for (const TermLine& term : row.terms) add(out, {term.text, " = ", term.bytes.text(), ". ", term.source, "\n"});
  }
  for (const std::string& remark : {b.incomplete, b.split})
    if (!remark.empty()) add(out, {remark, "\n"});
}

void gpus_that_fit(const Session& s, std::string& out) {
  const Text& t = s.text();
  for (const GpuRow& row : s.words().fit.rows) {
    add(out, {row.name, ", ", row.marketed, ", ", row.usable});
    if (!row.price.empty()) add(out, {", ", t.say("page.fit.price"), " ", row.price.text()});
    out += ": ";
    if (!row.smallest) out += t.say("page.fit.nothing");
    else {
      add(out, {row.smallest->gpus, " ", t.word("verdict.", verdict_id(row.smallest->verdict))});
      if (!row.smallest->room.empty()) add(out, {", ", row.smallest->free});
      if (!row.smallest->cost.empty()) add(out, {", ", row.smallest->cost.text()});
    }
    out += "\n";
  }
  for (const std::string& note : s.words().fit.layout_notes) add(out, {note, "\n"});
}

void limits(const Session& s, std::string& out) {
  const Text& t = s.text();
  for (const WhatIfAxis& axis : s.what_if().axes)
    for (const WhatIfLine& line : axis.lines)
      for (std::size_t c = 0; c < line.limits.size(); ++c) {
        const WhatIfLimit& limit = line.limits[c];
        const double value = limit.fits > 0 ? limit.fits : limit.runs;
        if (value == 0) continue;
        const WhatIfCard& card = s.what_if().cards[c];
        add(out, {field_label(field(axis.field), t), ", ", s.names().counted(card.count, card.gpu)});
        if (!line.kv.empty()) add(out, {", ", choice_label(field(FieldId::kv), line.kv, t)});
        add(out, {": ", limit_text(axis.field, value, limit.fits == 0, t), "\n"});
      }
}

}  // namespace

std::string App::spoken() const {
  std::string out = concat({session.words().answer.sentence, "\n"});
  for (const NoticeLine& notice : session.words().notices)
    add(out, {severity_label(notice.severity, session.text()), ": ", notice.text, "\n"});
  if (session.result().refused) return out;
  compartments(session, out);
  gpus_that_fit(session, out);
  limits(session, out);
  return out;
}

}  // namespace vramfit::shell
