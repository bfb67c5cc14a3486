// Where things are drawn, without drawing them.
#include <algorithm>
#include <cmath>
#include <set>

#include "support.h"
#include "text/describe.h"
#include "text/fit_table.h"
#include "view/bar_scale.h"
#include "view/curve.h"
#include "view/fit_order.h"
#include "view/layout.h"
#include "view/log_axis.h"
#include "vramfit/catalog.h"
#include "vramfit/estimate.h"
#include "vramfit/share_string.h"

using namespace vramfit;
using namespace vramfit::shell;
using namespace vramfit::shell::test;

namespace {

const LogAxis axes[] = {{1024, 131072, 40, 400}, {1, 256, 0, 300},    {1, 2, 10, 11},    {512, 1 << 28, 700, 20},
                        {60, 250, 500, 100},     {1000, 2e6, 3, 903}, {0.3, 7, 200, 20}, {1 << 27, 1 << 28, 0, 50}};

FitTable fit_table(std::string_view share_string) {
  ShareResult share = parse_share(share_string);
  const Result result = estimate(share.inputs, std::move(share.notices));
  return describe(share.inputs, result, text_in(Language::en)).fit;
}

WhatIf what_if_of(std::string_view share_string) {
  ShareResult share = parse_share(share_string);
  return what_if(share.inputs, std::move(share.notices));
}

constexpr const char* shares[] = {"",
                                  "gpus=all",
                                  "gpus=all&method=worksheet&model=llama-3.1-8b&weights=q4_k_m&context=100k&sequences=3",
                                  "gpus=all&model=deepseek-v3",
                                  "gpus=all&task=full&model=llama-3.1-8b&method=worksheet",
                                  "model=&params=7b&gpus=all",
                                  "model=llama-3.1-405b&weights=bf16&gpus=rtx-4090,h200:2,b200",
                                  "gpus=h200:1,b200:1,h100-sxm:1"};

}  // namespace

TEST_CASE("view: a value's place gives the value back") {
  for (const LogAxis& axis : axes) {
    CHECK(axis.at(axis.from) == doctest::Approx(axis.begin));
    CHECK(axis.at(axis.to) == doctest::Approx(axis.end));
    for (int i = 0; i <= 20; ++i) {
      const double value = axis.from * std::pow(axis.to / axis.from, i / 20.0);
      CHECK(axis.value(axis.at(value)) == doctest::Approx(value).epsilon(0.001));
    }
    // Beyond its ends the axis has no values.
    CHECK(axis.value(axis.begin - (axis.end - axis.begin)) == doctest::Approx(axis.from));
    CHECK(axis.value(axis.end + (axis.end - axis.begin)) == doctest::Approx(axis.to));
  }
}

TEST_CASE("view: ticks are few, in order and on the axis") {
  for (const LogAxis& axis : axes)
    for (int most = 2; most < 14; ++most) {
      const auto tokens = token_ticks(axis, most);
      const auto counts = count_ticks(axis, most);
      CHECK(static_cast<int>(tokens.size()) <= most);
      REQUIRE(tokens.size() == counts.size());
      for (std::size_t i = 0; i < tokens.size(); ++i) {
        CHECK(tokens[i].value == counts[i].value);
        CHECK(tokens[i].value >= axis.from * (1 - 1e-9));
        CHECK(tokens[i].value <= axis.to * (1 + 1e-9));
        if (i > 0) CHECK(tokens[i].value > tokens[i - 1].value);
        double read = 0;
        CHECK(parse_number(FieldKind::tokens, tokens[i].text, read));
        CHECK(read == tokens[i].value);
        CHECK(parse_number(FieldKind::number, counts[i].text, read));
        CHECK(read == counts[i].value);
      }
    }
  // The powers of ten stay, however close they are.
  CHECK(decimal_ticks({60, 250, 0, 200}, 14) == std::vector<double>{60, 70, 80, 90, 100, 200});
  CHECK(decimal_ticks({60, 250, 200, 0}, 15) == std::vector<double>{100, 200});
  CHECK(decimal_ticks({1, 1e3, 0, 1}, 8) == std::vector<double>{1, 10, 100, 1000});
  CHECK(decimal_ticks({60, 100, 0, 200}, 14) == std::vector<double>{60, 70, 80, 90, 100});
  CHECK(decimal_ticks({21, 35, 0, 100}, 14) == std::vector<double>{30});
  for (const LogAxis& axis : axes)
    for (const float apart : {5.0f, 15.0f, 40.0f}) {
      const auto ticks = decimal_ticks(axis, apart);
      for (std::size_t i = 0; i < ticks.size(); ++i) {
        CHECK((ticks[i] >= axis.from && ticks[i] <= axis.to));
        if (i == 0) continue;
        CHECK(ticks[i] > ticks[i - 1]);
        CHECK((std::fabs(axis.at(ticks[i]) - axis.at(ticks[i - 1])) >= apart || ticks[i] == 10 * ticks[i - 1]));
      }
    }
}

TEST_CASE("view: ticks are written as tokens are") {
  std::string written;
  for (const Tick& tick : token_ticks({512, 4 << 20, 0, 1}, 20)) written += tick.text + " ";
  CHECK(written == "512 1k 2k 4k 8k 16k 32k 64k 128k 256k 512k 1m 2m 4m ");
}

TEST_CASE("view: ticks stay where they are while an axis grows") {
  const auto places = [](double from, double to) {
    std::vector<double> out;
    for (const Tick& tick : token_ticks({from, to, 0, 1}, 4)) out.push_back(tick.value);
    return out;
  };
  CHECK(places(2048, 131072) == std::vector<double>{4096, 16384, 65536});
  CHECK(places(1024, 131072) == std::vector<double>{1024, 4096, 16384, 65536});
}

TEST_CASE("view: the bars' scale") {
  const BarScale scale{200e9, 10, 410};
  CHECK(scale.at(0) == 10);
  CHECK(scale.at(200e9) == 410);
  CHECK(scale.at(50e9) == 110);
  for (const double full : {0.4e9, 5e9, 47.9e9, 141e9, 2000e9, 7.3e12})
    for (const double unit : {bytes_per_gb, bytes_per_gib})
      for (int most = 2; most < 15; ++most) {
        const auto ticks = linear_ticks(full, unit, most);
        REQUIRE_FALSE(ticks.empty());
        CHECK(ticks.front() == 0);
        CHECK(static_cast<int>(ticks.size()) <= most);
        CHECK(ticks.back() <= full * (1 + 1e-9));
        for (std::size_t i = 1; i < ticks.size(); ++i) CHECK(ticks[i] - ticks[i - 1] == doctest::Approx(ticks[1]));
      }
}

TEST_CASE("view: snapping gives round numbers") {
  double last = 0;
  for (double value = 1; value < 3e8; value *= 1.003) {
    const double round = snapped(value);
    CHECK(round >= last);
    CHECK(round == std::floor(round));
    CHECK(snapped(round) == round);
    CHECK(std::fabs(round - value) <= std::max(0.5, value / 31.9));
    last = round;
  }
  CHECK(snapped(0.2) == 1);
  CHECK(snapped(131000) == 131072);
  CHECK(snapped(1000) == 992);
}

TEST_CASE("view: a step up and one down lead back") {
  for (double value = 1; value < 2e8; value = stepped(value, 1, 1, 1 << 28)) {
    const double up = stepped(value, 1, 1, 1 << 28);
    CHECK(up > value);
    CHECK(up == std::floor(up));
    CHECK(up <= value * 1.0626 + 1);
    CHECK(stepped(up, -1, 1, 1 << 28) == value);
    CHECK(snapped(up) == up);
  }
  for (const double crossing : {50478.0, 71680.0, 12345678.0, 12.5}) {
    CHECK(stepped(crossing, 1, 1, 1 << 28) > crossing);
    CHECK(stepped(crossing, -1, 1, 1 << 28) < crossing);
  }
  CHECK(stepped(1, -5, 1, 256) == 1);
  CHECK(stepped(250, 5, 1, 256) == 256);
  CHECK(stepped(4096, 3, 1, 1 << 20) == 4096 + 3 * 256);
  CHECK(stepped(0.1, -1, 0.1, 95) == 0.1);
}

TEST_CASE("view: parts lie on the canvas and beside each other") {
  for (const float width : {320, 390, 480, 560, 600, 768, 859, 860, 900, 1024, 1171, 1172, 1280, 1920, 2560, 3840})
    for (const float height : {480, 560, 600, 700, 844, 860, 1080, 1440, 2160})
      for (const bool panel : {false, true})
        for (const bool alone : {false, true})
          for (const float header : {60.0f, 160.0f})
            for (const float wanted : {200.0f, 420.0f})
              for (int current = 0; current < num_parts; ++current) {
                const shell::Layout l = lay_out(width, height, panel, alone, header, wanted, static_cast<Part>(current));
                CAPTURE(width);
                CAPTURE(height);
                std::vector<Area> areas;
                for (const Area& a : l.parts)
                  if (a.shown()) areas.push_back(a);
                const std::size_t parts = areas.size();
                if (l.header.shown()) areas.push_back(l.header);
                if (l.tab_bar.shown()) areas.push_back(l.tab_bar);
                for (std::size_t i = 0; i < areas.size(); ++i) {
                  const Area& a = areas[i];
                  CHECK(a.x >= 0);
                  CHECK(a.y >= 0);
                  CHECK(a.x + a.w <= width + 0.01f);
                  CHECK(a.y + a.h <= height + 0.01f);
                  for (std::size_t k = 0; k < i; ++k) {
                    const Area& b = areas[k];
                    CHECK((a.x + a.w <= b.x + 0.01f || b.x + b.w <= a.x + 0.01f || a.y + a.h <= b.y + 0.01f ||
                           b.y + b.h <= a.y + 0.01f));
                  }
                }
                CHECK(l.header.shown() == alone);
                CHECK(l.tabs == l.tab_bar.shown());
                if (l.tabs) {
                  CHECK(l.of(l.current).shown());
                  CHECK(parts == (l.of(Part::inputs).shown() && l.current != Part::inputs ? 2 : 1));
                  CHECK((l.current == static_cast<Part>(current) || (l.current == Part::breakdown && !l.inputs_tab)));
                } else {
                  CHECK(parts == (panel ? 4 : 3));
                }
                if (panel) CHECK((l.of(Part::inputs).shown() || l.inputs_tab));
                else CHECK_FALSE(l.inputs_tab);
                for (const Area& a : l.parts) {
                  if (!a.shown()) continue;
                  CHECK(a.w >= 250);
                  CHECK(a.h >= 150);
                }
              }
}

TEST_CASE("view: the fit table in order") {
  // What a row goes by, least first; none at all comes last.
  const auto key = [](const GpuRow& row, SortBy by) -> std::optional<double> {
    if (by == SortBy::memory) return -gpus()[row.gpu].marketed.value;
    if (by == SortBy::fit) return 0;
    if (!row.smallest) return {};
    if (by == SortBy::headroom) return -row.smallest->free_bytes / row.capacity_bytes;
    if (row.smallest->usd_per_hour == no_price) return {};
    return row.smallest->usd_per_hour;
  };
  for (const char* share : shares) {
    const FitTable table = fit_table(share);
    const int count = static_cast<int>(table.rows.size());
    for (const SortBy by : {SortBy::fit, SortBy::headroom, SortBy::cost, SortBy::memory}) {
      std::vector<int> expected(table.rows.size());
      for (int i = 0; i < count; ++i) expected[i] = i;
      std::stable_sort(expected.begin(), expected.end(), [&](int a, int b) {
        const auto ka = key(table.rows[a], by), kb = key(table.rows[b], by);
        return ka && (!kb || *ka < *kb);
      });
      CHECK(shown_rows(table, by, false, {}) == expected);

      const std::vector<int> reversed = shown_rows(table, by, true, {});
      CHECK(std::set<int>(reversed.begin(), reversed.end()).size() == table.rows.size());
      for (int i = 1; i < count; ++i) {
        const GpuRow &before = table.rows[reversed[i - 1]], &after = table.rows[reversed[i]];
        if (by == SortBy::fit) {
          CHECK(before.smallest.has_value() >= after.smallest.has_value());
          CHECK((reversed[i - 1] > reversed[i] || !after.smallest));
        } else {
          const auto kb = key(before, by), ka = key(after, by);
          CHECK((kb || !ka));
          if (ka && kb) CHECK((*kb > *ka || (*kb == *ka && reversed[i - 1] < reversed[i])));
        }
      }
    }
  }
}

TEST_CASE("view: the fit table filtered") {
  for (const char* share : shares) {
    const FitTable table = fit_table(share);
    for (int f = 0; f < num_filters; ++f) {
      const auto by = static_cast<FilterBy>(f);
      std::set<std::string> expected;
      const auto value = [&](const GpuRow& row) -> std::string {
        const GpuEntry& gpu = gpus()[row.gpu];
        switch (by) {
          case FilterBy::vendor: return std::string(gpu.vendor);
          case FilterBy::form: return std::string(form_id(gpu.form));
          case FilterBy::memory: return format_number(FieldKind::number, gpu.marketed.value);
          case FilterBy::verdict: return row.smallest ? std::string(verdict_id(row.smallest->verdict)) : "";
        }
        return {};
      };
      const auto kept = [&](const GpuRow& row, const std::string& choice) {
        if (by == FilterBy::memory) return std::stod(value(row)) >= std::stod(choice);
        if (by == FilterBy::verdict && choice == "tight") return row.smallest.has_value();
        return value(row) == choice;
      };
      for (const GpuRow& row : table.rows) {
        const std::string choice = value(row);
        if (!choice.empty() &&
            !std::all_of(table.rows.begin(), table.rows.end(), [&](const GpuRow& r) { return kept(r, choice); }))
          expected.insert(choice);
      }
      const std::vector<std::string> choices = filter_choices(table, by, "");
      CHECK(std::set<std::string>(choices.begin(), choices.end()) == expected);
      CHECK(choices.size() == expected.size());
      CHECK(std::is_sorted(choices.begin(), choices.end(), [&](const auto& a, const auto& b) {
        return by == FilterBy::memory ? std::stod(a) < std::stod(b) : a < b;
      }));
      for (const std::string& choice : choices) {
        FitFilter filter;
        filter.of[f] = choice;
        std::vector<int> rows;
        for (int i = 0; i < static_cast<int>(table.rows.size()); ++i)
          if (kept(table.rows[i], choice)) rows.push_back(i);
        CHECK(shown_rows(table, SortBy::fit, false, filter) == rows);
      }
    }
  }
}

TEST_CASE("view: filters together, and those in force stay on offer") {
  const FitTable table = fit_table("gpus=h200,b200,mi300x");
  FitFilter filter;
  filter.of[static_cast<int>(FilterBy::vendor)] = "nvidia";
  filter.of[static_cast<int>(FilterBy::memory)] = "150";
  const auto rows = shown_rows(table, SortBy::fit, false, filter);
  REQUIRE(rows.size() == 1);
  CHECK(gpus()[table.rows[rows[0]].gpu].id == "b200");
  CHECK(filter_choices(table, FilterBy::memory, "150") == std::vector<std::string>{"150", "180", "192"});
  CHECK(filter_choices(table, FilterBy::vendor, "intel") == std::vector<std::string>{"amd", "intel", "nvidia"});
  CHECK(filter_choices(fit_table("gpus=h200"), FilterBy::verdict, "").empty());
  CHECK(filter_choices(fit_table("gpus=h200"), FilterBy::verdict, "tight") == std::vector<std::string>{"tight"});
}

TEST_CASE("view: curves") {
  for (const char* share : shares) {
    const WhatIf w = what_if_of(share);
    for (const WhatIfAxis& axis : w.axes) {
      const LogAxis across = across_of(axis, 50, 650);
      const CurvePicture p = picture_of(w, axis, across, 20, 320);
      REQUIRE(p.lines.size() == axis.lines.size());
      CHECK(axis.lines[p.chosen_line].chosen);
      for (const auto& line : p.lines) {
        REQUIRE(line.size() == axis.values.size());
        for (std::size_t i = 0; i < line.size(); ++i) {
          CHECK((line[i].x >= 49.99f && line[i].x <= 650.01f && line[i].y >= 19.99f && line[i].y <= 320.01f));
          if (i > 0) CHECK(line[i].x > line[i - 1].x);
        }
      }
      REQUIRE(p.capacity_y.size() == w.cards.size());
      for (const float y : p.capacity_y) CHECK((y >= 20 && y <= 320));
      CHECK(p.low.size() == p.high.size());
      for (std::size_t i = 0; i < p.low.size(); ++i) CHECK(p.low[i].y >= p.high[i].y);

      // A crossing for each limit that is on the axis, those of the chosen line first.
      std::size_t expected = 0;
      for (const WhatIfLine& line : axis.lines)
        for (const WhatIfLimit& limit : line.limits) {
          const double value = limit.fits > 0 ? limit.fits : limit.runs;
          expected += value >= across.from && value <= across.to;
        }
      CHECK(p.crossings.size() == expected);
      bool others = false;
      for (const Crossing& c : p.crossings) {
        const WhatIfLine& line = axis.lines[c.line];
        const WhatIfLimit& limit = line.limits[c.card];
        CHECK(c.value == (c.tight ? limit.runs : limit.fits));
        CHECK(c.tight == (limit.fits == 0));
        CHECK(c.at.x == doctest::Approx(across.at(c.value)));
        // On its line, as far as half a pixel shows.
        const auto& points = p.lines[c.line];
        const auto after = std::find_if(points.begin(), points.end(), [&](const Point& q) { return q.x >= c.at.x - 0.001f; });
        if (after != points.end() && after != points.begin()) {
          CHECK(c.at.y <= std::max(after->y, (after - 1)->y) + 0.5f);
          CHECK(c.at.y >= std::min(after->y, (after - 1)->y) - 0.5f);
        }
        if (c.line != p.chosen_line) others = true;
        else CHECK_FALSE(others);
        if (c.line != p.chosen_line) continue;
        // Pointed at, it is what is meant, unless a neighbour is as near.
        const double meant = value_meant(p, c.at.x, 6);
        CHECK(std::fabs(across.at(meant) - c.at.x) < 0.01f);
        CHECK(value_meant(p, c.at.x + 3, 0) == snapped(across.value(c.at.x + 3)));
      }
      CHECK(p.current.x == doctest::Approx(across.at(axis.value)));
    }
  }
}

TEST_CASE("view: between its samples a line is straight") {
  WhatIfAxis axis;
  axis.values = {1, 2, 4};
  WhatIfLine line;
  line.need = {Range{9, 10, 11}, Range{19, 20, 21}, Range{59, 60, 61}};
  CHECK(need_at(axis, line, 0.5) == 10);
  CHECK(need_at(axis, line, 1) == 10);
  CHECK(need_at(axis, line, 1.5) == 15);
  CHECK(need_at(axis, line, 3) == 40);
  CHECK(need_at(axis, line, 9) == 60);
}
