#include "nearest.h"

#include <algorithm>
#include <bitset>

#include "vramfit/catalog.h"

namespace vramfit::shell {
namespace {

constexpr int num_letters = 36;  // a to z, 0 to 9

// The pairs of neighbouring letters in a text, other characters left out.
using Pairs = std::bitset<num_letters * num_letters>;

Pairs pairs_of(std::string_view text) {
  Pairs pairs;
  int before = -1;
  for (const char c : text) {
    const int letter = c >= 'a' && c <= 'z' ? c - 'a' : c >= 'A' && c <= 'Z' ? c - 'A' : c >= '0' && c <= '9' ? 26 + c - '0' : -1;
    if (letter < 0) continue;
    if (before >= 0) pairs.set(static_cast<std::size_t>(before * num_letters + letter));
    before = letter;
  }
  return pairs;
}

double likeness(const Pairs& a, const Pairs& b) {
  const std::size_t all = a.count() + b.count();
  return all > 0 ? static_cast<double>(2 * (a & b).count()) / static_cast<double>(all) : 0;
}

template <class Entry>
std::vector<Id> nearest(std::string_view typed, std::span<const Entry> entries) {
  constexpr std::size_t most = 3;
  constexpr double least_likeness = 0.45;
  const Pairs wanted = pairs_of(typed);
  struct {
    Id id;
    double score = 0;
  } best[most];
  std::size_t found = 0;
  for (const Entry& entry : entries) {
    const double score = std::max(likeness(wanted, pairs_of(entry.id)), likeness(wanted, pairs_of(entry.name)));
    if (score < least_likeness) continue;
    std::size_t place = std::min(found, most);
    for (; place > 0 && score > best[place - 1].score; --place)
      if (place < most) best[place] = best[place - 1];
    if (place < most) best[place] = {entry.id, score};
    if (found < most) ++found;
  }
  std::vector<Id> ids;
  for (std::size_t i = 0; i < found; ++i) ids.push_back(best[i].id);
  return ids;
}

}  // namespace

std::vector<Id> nearest_models(std::string_view typed) { return nearest(typed, models()); }
std::vector<Id> nearest_gpus(std::string_view typed) { return nearest(typed, gpus()); }

}  // namespace vramfit::shell
