#include "vramfit/price_list.h"

#include "record.h"
#include "vramfit/share_string.h"

namespace vramfit {

std::optional<PriceList> read_price_list(Id text) {
  if (text.empty()) return {};
  Record lines{text};
  Record head{lines.text('\n')};
  PriceList list;
  list.provider = head.text();
  list.date = head.text();
  while (!lines.rest.empty()) {
    Record row{lines.text('\n')};
    ListedPrice price;
    price.gpu = find_gpu(row.text());
    const bool priced = parse_number(FieldKind::number, row.text(), price.usd_per_hour) && valid_price(price.usd_per_hour);
    const Id kind = row.text();
    const auto kinds = price_kinds();
    const auto at = std::find(kinds.begin(), kinds.end(), kind);
    if (price.gpu < 0 || !priced || at == kinds.end()) continue;
    price.kind = static_cast<PriceKind>(at - kinds.begin());
    list.prices.push_back(price);
  }
  return list;
}

}  // namespace vramfit
