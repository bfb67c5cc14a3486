#include "curve.h"

#include <algorithm>
#include <cmath>

namespace vramfit::shell {

double need_at(const WhatIfAxis& axis, const WhatIfLine& line, double value) {
  const auto& v = axis.values;
  const auto after = std::lower_bound(v.begin(), v.end(), value);
  if (after == v.begin()) return line.need.front().likely;
  if (after == v.end()) return line.need.back().likely;
  const std::size_t i = static_cast<std::size_t>(after - v.begin());
  const double share = (value - v[i - 1]) / (v[i] - v[i - 1]);
  return line.need[i - 1].likely + share * (line.need[i].likely - line.need[i - 1].likely);
}

LogAxis across_of(const WhatIfAxis& axis, float left, float right) {
  return {axis.values.front(), std::max(axis.values.back(), axis.values.front() * 2), left, right};
}

CurvePicture picture_of(const WhatIf& what_if, const WhatIfAxis& axis, const LogAxis& across, float top, float bottom) {
  CurvePicture p;
  p.across = across;
  double least = 1e300, most = 0;
  for (const WhatIfLine& line : axis.lines)
    for (const Range& need : line.need) {
      least = std::min(least, need.likely);
      most = std::max(most, need.likely);
    }
  for (const WhatIfCard& card : what_if.cards) {
    least = std::min(least, card.capacity_bytes);
    most = std::max(most, card.capacity_bytes);
  }
  p.up = {std::max(1.0, least * 0.75), std::max(2.0, most * 1.25), bottom, top};
  for (std::size_t i = 0; i < axis.lines.size(); ++i) {
    const WhatIfLine& line = axis.lines[i];
    std::vector<Point>& points = p.lines.emplace_back();
    for (std::size_t k = 0; k < axis.values.size(); ++k)
      points.push_back({p.across.at(axis.values[k]), p.up.at(line.need[k].likely)});
    if (!line.chosen) continue;
    p.chosen_line = static_cast<int>(i);
    for (std::size_t k = 0; k < axis.values.size(); ++k) {
      p.low.push_back({p.across.at(axis.values[k]), p.up.at(line.need[k].low)});
      p.high.push_back({p.across.at(axis.values[k]), p.up.at(line.need[k].high)});
    }
  }
  const auto spread = [&](std::size_t k) { return p.low[k].y - p.high[k].y; };
  float widest = 0;
  for (std::size_t k = 0; k < p.low.size(); ++k) widest = std::max(widest, spread(k));
  if (widest < 1) p.low.clear(), p.high.clear();
  for (const WhatIfCard& card : what_if.cards) p.capacity_y.push_back(p.up.at(card.capacity_bytes));
  if (axis.lines.empty()) return p;

  const auto cross = [&](int i) {
    const WhatIfLine& line = axis.lines[static_cast<std::size_t>(i)];
    for (std::size_t c = 0; c < line.limits.size(); ++c) {
      const WhatIfLimit& limit = line.limits[c];
      const bool tight = limit.fits == 0;
      const double value = tight ? limit.runs : limit.fits;
      if (value < p.across.from || value > p.across.to) continue;
      p.crossings.push_back({i, static_cast<int>(c), value, tight, {p.across.at(value), p.up.at(need_at(axis, line, value))}});
    }
  };
  cross(p.chosen_line);
  for (int i = 0; i < static_cast<int>(axis.lines.size()); ++i)
    if (i != p.chosen_line) cross(i);
  const double value = std::clamp(axis.value, p.across.from, p.across.to);
  p.current = {p.across.at(value), p.up.at(need_at(axis, axis.lines[static_cast<std::size_t>(p.chosen_line)], value))};
  return p;
}

double value_meant(const CurvePicture& picture, float x, float reach) {
  const Crossing* nearest = nullptr;
  for (const Crossing& c : picture.crossings)
    if (c.line == picture.chosen_line && std::fabs(c.at.x - x) <= reach &&
        (!nearest || std::fabs(c.at.x - x) < std::fabs(nearest->at.x - x)))
      nearest = &c;
  return nearest ? nearest->value : snapped(picture.across.value(x));
}

}  // namespace vramfit::shell
