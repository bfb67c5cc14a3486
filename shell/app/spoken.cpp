// All that the canvas draws, as lines of text: what a screen reader finds beside it.
#include "../text/limits.h"
#include "app.h"

namespace vramfit::shell {
namespace {

void compartments(const Session& s, std::string& out) {
  const Breakdown& b = s.words().breakdown;
  out += b.title + "\n";
  for (const CompartmentRow& row : b.rows) {
    out += row.label + ": " + row.per_gpu.text();
    if (!row.range.empty()) out += " (" + row.range + ")";
    out += ", " + row.share + "\n";
    for (const TermLine& term : row.terms) out += term.text + " = " + term.bytes.text() + ". " + term.source + "\n";
  }
  for (const std::string& remark : {b.incomplete, b.split})
    if (!remark.empty()) out += remark + "\n";
}

void gpus_that_fit(const Session& s, std::string& out) {
  const Text& t = s.text();
  for (const GpuRow& row : s.words().fit.rows) {
    out += row.name + ": ";
    if (!row.smallest) out += t.say("page.fit.nothing");
    else {
      out += row.smallest->gpus + " " + t.say(concat({"verdict.", verdict_id(row.smallest->verdict)}));
      if (!row.smallest->room.empty()) out += ", " + row.smallest->free;
      if (!row.smallest->cost.empty()) out += ", " + row.smallest->cost.text();
    }
    out += "\n";
  }
  for (const std::string& note : s.words().fit.layout_notes) out += note + "\n";
}

void limits(const Session& s, std::string& out) {
  const Text& t = s.text();
  for (const WhatIfAxis& axis : s.what_if().axes)
    for (const WhatIfLine& line : axis.lines)
      for (std::size_t c = 0; c < line.limits.size(); ++c) {
        const WhatIfLimit& limit = line.limits[c];
        const double value = limit.fits > 0 ? limit.fits : limit.runs;
        if (value == 0) continue;
        out += field_label(field(axis.field), t) + ", " + s.names().counted(s.what_if().cards[c].count, s.what_if().cards[c].gpu);
        if (!line.kv.empty()) out += ", " + choice_label(field(FieldId::kv), line.kv, t);
        out += ": " + limit_text(axis.field, value, limit.fits == 0, t) + "\n";
      }
}

}  // namespace

std::string App::spoken() const {
  std::string out = session.words().answer.sentence + "\n";
  for (const NoticeLine& notice : session.words().notices)
    out += severity_label(notice.severity, session.text()) + ": " + notice.text + "\n";
  if (session.result().refused) return out;
  compartments(session, out);
  gpus_that_fit(session, out);
  limits(session, out);
  return out;
}

}  // namespace vramfit::shell
