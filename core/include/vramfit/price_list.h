// A price list of whoever shows the answer: where one is given it is the only price book. What it does not list has no price, and
// only a price typed with the GPU goes before it.
#pragma once

#include <optional>
#include <vector>

#include "vramfit/catalog.h"
#include "vramfit/fields.h"

namespace vramfit {

struct ListedPrice {
  int gpu = 0;  // index into gpus()
  double usd_per_hour = 0;
  PriceKind kind = PriceKind::publisher;
};

struct PriceList {
  Id provider;
  Id date;                          // ISO
  std::vector<ListedPrice> prices;  // the first of a GPU counts
};

// The text that web/price_list.mjs makes of a publisher's JSON: `provider<TAB>date`, then a line `gpu id<TAB>USD<TAB>kind` a row.
// No list in an empty text. Rows that are not like that are left out; reporting them is the business of whoever made the text.
// The list points into `text`, and results made with it do too.
std::optional<PriceList> read_price_list(Id text);

// Whether a field matters: next to a price list the choice of a price book does not.
inline bool applies(const Field& field, const Inputs& inputs, bool listed_prices) {
  return field.applies(inputs) && !(listed_prices && field.key == "prices");
}

}  // namespace vramfit
