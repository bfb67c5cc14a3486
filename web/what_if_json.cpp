#include "json_writer.h"
#include "result_json.h"
#include "vramfit/what_if.h"

namespace vramfit {
namespace {

struct Writer : JsonWriter {
  template <class List, class F>
  void list(std::string_view k, const List& items, F&& write) {
    key(k);
    open('[');
    for (const auto& item : items) write(item);
    close(']');
  }

  void bytes(std::string_view k, const std::vector<Range>& ranges, double Range::*bound) {
    list(k, ranges, [&](const Range& r) { number(std::ceil(r.*bound)); });
  }

  void card(const WhatIfCard& c) {
    open('{');
    member("gpu", gpus()[c.gpu].id);
    member("name", gpus()[c.gpu].name);
    member("count", c.count);
    member("capacity_bytes", c.capacity_bytes);
    close('}');
  }

  void line(const WhatIfLine& l) {
    open('{');
    member("kv", l.kv);
    member("chosen", l.chosen);
    bytes("need_bytes", l.need, &Range::likely);
    if (l.need[0].low != l.need[0].high) {
      bytes("low_bytes", l.need, &Range::low);
      bytes("high_bytes", l.need, &Range::high);
    }
    list("limits", l.limits, [&](const WhatIfLimit& limit) {
      open('{');
      member("fits", limit.fits);
      member("runs", limit.runs);
      close('}');
    });
    close('}');
  }

  void axis(const WhatIfAxis& a) {
    open('{');
    member("field", field(a.field).key);
    member("value", a.value);
    list("values", a.values, [&](double v) { number(v); });
    list("lines", a.lines, [&](const WhatIfLine& l) { line(l); });
    close('}');
  }
};

}  // namespace

std::string what_if_json(std::string_view share_string, std::string_view prices) {
  ShareResult share = parse_share(share_string);
  const auto list = read_price_list(prices);
  const WhatIf what_if = vramfit::what_if(std::move(share.inputs), std::move(share.notices), list ? &*list : nullptr);
  Writer w;
  w.open('{');
  w.member("refused", what_if.refused);
  w.member("count", what_if.count);
  w.list("missing", what_if.missing, [&](Id id) { w.id(id); });
  w.list("cards", what_if.cards, [&](const WhatIfCard& c) { w.card(c); });
  w.list("axes", what_if.axes, [&](const WhatIfAxis& a) { w.axis(a); });
  w.close('}');
  return std::string(w.written());
}

}  // namespace vramfit
