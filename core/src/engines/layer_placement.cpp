#include "layer_placement.h"

#include <algorithm>
#include <cmath>

#include "memo.h"
#include "vramfit/formats.h"
#include "vramfit/tensors.h"

namespace vramfit {
namespace {

struct Module {
  double quantized_bytes = 0, kept_bytes = 0;
  double bytes() const { return quantized_bytes + kept_bytes; }
};

std::vector<PlacedWeights> place_layers(const EngineContext& c) {
  const bool own_head = has_own_head(c.r);
  const Model& model = c.r.model;
  const Recipe& recipe = *c.r.recipe;
  const int layers = model.num_layers();
  // In their order: tables and towers, the layers, the end with the head.
  std::vector<Module> modules(layers + 2);
  for_each_tensor(model, false, [&](const Tensor& t) {
    const bool before =
        t.cls == TensorClass::token_embedding || t.cls == TensorClass::per_layer_embedding || t.cls == TensorClass::tower;
    const int first = before ? 0 : t.cls == TensorClass::output_head ? layers + 1 : std::min(t.first_layer, layers) + 1;
    for (int i = 0; i < t.num_layers; ++i) {
      const auto [format, group] = storage_of(recipe, c.r.group_size, model, t, t.first_layer + i);
      const double bytes = tensor_bytes(format, t.rows, t.cols, group) * t.count;
      (info(format).nominal_bits > recipe.nominal_bits ? modules[first + i].kept_bytes : modules[first + i].quantized_bytes) +=
          bytes;
    }
  });
  for (int i = 1; i <= layers; ++i)
    modules[i].kept_bytes = std::max(-modules[i].quantized_bytes, modules[i].kept_bytes + model.stored.rest_bytes / layers);
  if (own_head) modules[layers + 1].kept_bytes += 2.0 * model.vocab_size * model.hidden_size;

  double total = 0, largest = 0, largest_layer = 0;
  for (int m = 0; m < layers + 2; ++m) {
    total += modules[m].bytes();
    largest = std::max(largest, modules[m].bytes());
    if (m > 0 && m <= layers) largest_layer = std::max(largest_layer, modules[m].bytes());
  }
  // Even shares with room for one and a quarter layers more; the first card keeps room for the largest module, the last takes the
  // rest.
  const double room = total / c.count + 1.25 * largest_layer;
  std::vector<PlacedWeights> cards(c.count);
  int card = 0;
  double used = 0;
  for (int m = 0; m < layers + 2; ++m) {
    while (card < c.count - 1 && used > 0 && used + modules[m].bytes() > room - (card == 0 ? largest : 0)) {
      ++card;
      used = 0;
    }
    used += modules[m].bytes();
    PlacedWeights& out = cards[card];
    out.quantized_bytes += modules[m].quantized_bytes;
    out.kept_bytes += modules[m].kept_bytes;
    if (m == 0) out.has_embedding = true;
    if (m == layers + 1) out.has_head = true;
    if (m == 0 || m > layers) continue;
    if (out.last == 0) out.first = m - 1;
    out.last = m;
  }
  // A tied head stays with its table.
  if (model.tied_embeddings && !own_head)
    for (PlacedWeights& each : cards) each.has_head = each.has_embedding;
  return cards;
}

}  // namespace

bool has_own_head(const Request& r) {
  const Format f = r.recipe->format;
  return (f == Format::fp8 || f == Format::fp8_block) && r.model.tied_embeddings;
}

PlacedWeights placed_on(const EngineContext& c, int rank) {
  if (!c.r.memo) return place_layers(c)[rank];
  std::vector<PlacedWeights>& cards = c.r.memo->placed[c.count];
  if (cards.empty()) cards = place_layers(c);
  return cards[rank];
}

}  // namespace vramfit
