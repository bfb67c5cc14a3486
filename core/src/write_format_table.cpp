// Only importers write tables: apart, so that programs without them do not carry it.
#include "vramfit/format_table.h"
#include "vramfit/share_string.h"

namespace vramfit {
namespace {

struct Writer {
  const StoredFormats& stored;
  std::string out;

  void number(double value) { out += format_number(FieldKind::number, value); }

  void section(const StoredFormats::Section& s, const StoredFormats::Span* spans, bool first) {
    if (!out.empty()) out += ';';
    out += info(s.format).id;
    if (has_groups(s.format) && s.group != default_group) {
      out += '(';
      number(s.group);
      out += ')';
    }
    if (first) return;
    char mark = ':';
    for (int c = 0; c < num_tensor_classes; ++c) {
      if (!(s.classes >> c & 1)) continue;
      out += mark;
      out += tensor_class_codes[c];
      mark = '.';
    }
    mark = '~';
    for (int i = 0; i < s.num_spans; ++i) {
      out += mark;
      number(spans[i].first);
      if (spans[i].last > spans[i].first) {
        out += '-';
        number(spans[i].last);
      }
      mark = ',';
    }
  }

  void table() {
    if (stored.gguf) out = "gguf";
    const StoredFormats::Span* spans = stored.spans;
    for (int i = 0; i < stored.num_sections; spans += stored.sections[i++].num_spans) section(stored.sections[i], spans, i == 0);
    if (stored.rest_bytes == 0) return;
    out += stored.rest_bytes < 0 ? ";rest-" : ";rest";
    number(stored.rest_bytes < 0 ? -stored.rest_bytes : stored.rest_bytes);
  }
};

}  // namespace

std::string write_format_table(const StoredFormats& stored) {
  Writer writer{stored, {}};
  writer.table();
  return writer.out;
}

}  // namespace vramfit
