// The canvas's views as a reader uses them: no window and no OpenGL, only events in and widgets and share string out.
#include <algorithm>
#include <set>

#include "canvas.h"
#include "vramfit/catalog.h"

using namespace vramfit;
using namespace vramfit::shell;
using namespace vramfit::shell::test;

TEST_CASE("canvas: everything has a name of its own and a place on the canvas") {
  for (const Size& size : sizes)
    for (const float scale : {1.0f, 1.75f})
      for (const char* share : shares)
        for (const bool whole : {false, true}) {
          if (scale > 1 && (size.width > 1300 || !whole)) continue;
          CAPTURE(size.width);
          CAPTURE(std::string(share));
          Canvas canvas(share, size.width, size.height, scale, whole, whole);
          const auto check = [&] {
            std::set<std::string> seen;
            for (const Widget& w : canvas.widgets()) {
              CAPTURE(w.id);
              CHECK(seen.insert(w.id).second);
              CHECK((w.rect.x >= 0 && w.rect.y >= 0));
              CHECK(w.rect.right() <= size.width * scale + 0.5f);
              CHECK(w.rect.bottom() <= size.height * scale + 0.5f);
            }
            CHECK_FALSE(seen.empty());
          };
          check();
          for (const std::string& tab : canvas.ids("tab/")) {
            canvas.click(tab);
            check();
          }
        }
}

TEST_CASE("canvas: areas do not overlap") {
  for (const Size& size : sizes)
    for (const char* share : shares) {
      Canvas canvas(share, size.width, size.height);
      CAPTURE(size.width);
      CAPTURE(std::string(share));
      auto widgets = canvas.widgets();
      // Texts may hold areas.
      std::erase_if(widgets, [](const Widget& w) { return w.id == "answer" || w.id == "refusal"; });
      for (std::size_t i = 0; i < widgets.size(); ++i)
        for (std::size_t k = 0; k < i; ++k) {
          const Widget &a = widgets[i], &b = widgets[k];
          // Pieces of a bar meet where they are thinner than a pixel.
          if (a.id.starts_with("bar/") && b.id.starts_with("bar/")) continue;
          const bool apart = a.rect.right() <= b.rect.x + 0.5f || b.rect.right() <= a.rect.x + 0.5f ||
                             a.rect.bottom() <= b.rect.y + 0.5f || b.rect.bottom() <= a.rect.y + 0.5f;
          CAPTURE(a.id);
          CAPTURE(b.id);
          CHECK(apart);
        }
    }
}

TEST_CASE("canvas: all compartments and a way to each count are there at every size") {
  for (const Size& size : {Size{320, 480}, Size{620, 700}, Size{1280, 860}})
    for (const char* share : shares) {
      Canvas canvas(share, size.width, size.height);
      CAPTURE(size.width);
      CAPTURE(std::string(share));
      if (canvas.app.session.result().refused) {
        CHECK(canvas.has("refusal"));
        continue;
      }
      const auto show = [&](const char* tab) {
        if (canvas.has(tab)) canvas.click(tab);
      };
      show("tab/breakdown");
      for (const CompartmentRow& row : canvas.app.session.words().breakdown.rows) {
        const std::string id(row.id);
        // Scrolled to, where there is so little room.
        if (!canvas.has("compartment/" + id)) canvas.scroll("bar/1/weights", "compartment/" + id);
        canvas.click("compartment/" + id);
        canvas.app.pointer_left();
        canvas.settle();
        if (!canvas.has("terms/" + id)) canvas.scroll("compartment/" + id, "terms/" + id);
        CHECK(canvas.has("terms/" + id));
      }
      show("tab/fit");
      CHECK(canvas.ids("gpu/").size() >= 1);
      for (const Widget& w : canvas.widgets())
        if (w.id.starts_with("gpu/"))
          for (int n = 1; n <= max_gpu_count; ++n) CHECK(canvas.has(w.id.substr(4) + "/" + std::to_string(n)));
      show("tab/what_if");
      CHECK(canvas.ids("curve/").size() == 2);
      show("tab/inputs");
      CHECK(canvas.has("input/model"));
    }
}

TEST_CASE("canvas: a count is picked by its chip, and given up by the same") {
  Canvas canvas;
  canvas.click("b200/2");
  CHECK(canvas.share() == "gpu=b200&count=2");
  CHECK(ends_with_change(canvas, true));
  CHECK(canvas.label("answer").find("2x B200") != std::string::npos);
  canvas.click("b200/2");
  CHECK(canvas.share() == "");
  CHECK(ends_with_change(canvas, true));
  // The program's own choice becomes the reader's.
  canvas.click("h200/1");
  CHECK(canvas.share() == "gpu=h200&count=1");
  canvas.click("h200/3");
  CHECK(canvas.share() == "gpu=h200&count=1");
  CHECK(canvas.label("fit/remark").find("64 attention heads do not divide by 3") != std::string::npos);
}

TEST_CASE("canvas: a row's name chooses the GPU and leaves the count to the program") {
  Canvas canvas("gpu=h200&count=4");
  canvas.click("gpu/l40s");
  CHECK(canvas.share() == "gpu=l40s");
  CHECK(canvas.label("fit/remark").find("L40S") == 0);
}

TEST_CASE("canvas: the fit table's heads sort, again the other way round") {
  Canvas canvas("gpus=all", 1920);
  const auto order = [&](SortBy by, bool reversed) {
    std::vector<std::string> out;
    const FitTable& table = canvas.app.session.words().fit;
    for (const int i : shown_rows(table, by, reversed, {})) out.push_back("gpu/" + std::string(gpus()[table.rows[i].gpu].id));
    out.resize(canvas.ids("gpu/").size());
    return out;
  };
  const std::pair<const char*, SortBy> heads[] = {{"sort/cost", SortBy::cost},
                                                  {"sort/headroom", SortBy::headroom},
                                                  {"sort/memory", SortBy::memory},
                                                  {"sort/fit", SortBy::fit}};
  CHECK(canvas.ids("gpu/") == order(SortBy::fit, false));
  for (const auto& head : heads) {
    CAPTURE(head.first);
    canvas.click(head.first);
    CHECK(canvas.ids("gpu/") == order(head.second, false));
    canvas.click(head.first);
    CHECK(canvas.ids("gpu/") == order(head.second, true));
  }
  canvas.choose("sort", "cost");
  CHECK(canvas.ids("gpu/") == order(SortBy::cost, false));
  CHECK(canvas.changes.empty());
}

TEST_CASE("canvas: filters") {
  Canvas canvas("gpus=all", 1280);
  const std::size_t all = canvas.ids("gpu/").size();
  REQUIRE(all >= 5);
  canvas.choose("filter/vendor", "intel");
  for (const std::string& id : canvas.ids("gpu/")) CHECK(gpus()[find_gpu(id.substr(4))].vendor == "intel");
  CHECK(canvas.label("filter/vendor").find("Intel") != std::string::npos);
  canvas.choose("filter/form", "laptop");
  CHECK(canvas.ids("gpu/").empty());
  CHECK(canvas.label("fit/empty") == "No card passes these filters.");
  // What is in force stays, though no row has it any more.
  canvas.app.session.open("gpus=h200");
  canvas.settle();
  CHECK(canvas.has("filter/vendor"));
  CHECK(canvas.has("fit/empty"));
  canvas.choose("filter/vendor", "");
  canvas.choose("filter/form", "");
  CHECK_FALSE(canvas.has("filter/vendor"));
  CHECK(canvas.ids("gpu/") == std::vector<std::string>{"gpu/h200"});
  canvas.app.session.open("gpus=all");
  canvas.settle();
  canvas.choose("filter/memory", "192");
  for (const std::string& id : canvas.ids("gpu/")) CHECK(gpus()[find_gpu(id.substr(4))].marketed.value >= 192);
  canvas.choose("filter/memory", "");
  canvas.choose("filter/verdict", "fits");
  for (const std::string& id : canvas.ids("gpu/")) CHECK(canvas.label(id).find(": fits") != std::string::npos);
  CHECK(canvas.changes.empty());
}

TEST_CASE("canvas: pages of the fit table") {
  Canvas canvas("gpus=all");
  std::set<std::string> seen;
  std::vector<std::string> page = canvas.ids("gpu/");
  const std::vector<std::string> first = page;
  for (int i = 0; i < 100; ++i) {
    seen.insert(page.begin(), page.end());
    canvas.click("page/next");
    const auto next = canvas.ids("gpu/");
    CHECK(next.size() == first.size());
    if (next == page) break;
    page = next;
  }
  CHECK(seen.size() == canvas.app.session.words().fit.rows.size());
  for (int i = 0; i < 100; ++i) canvas.click("page/previous");
  CHECK(canvas.ids("gpu/") == first);
  // A choice out of sight comes into sight.
  canvas.app.session.open("gpus=all&gpu=tesla-t4");
  canvas.settle();
  const int gpu = canvas.app.session.result().chosen.gpu;
  if (gpu >= 0) CHECK(canvas.has("gpu/" + std::string(gpus()[gpu].id)));
  // The wheel turns pages, but not those below an open list.
  canvas.point(canvas.ids("gpu/")[2]);
  const auto before = canvas.ids("gpu/");
  canvas.app.wheel(0, before.front() == first.front() ? -1.0f : 1.0f);
  canvas.settle();
  const auto turned = canvas.ids("gpu/");
  CHECK(turned != before);
  for (int i = 0; i < 12; ++i) {
    canvas.app.wheel(0, -0.1f);
    canvas.settle();
  }
  CHECK(canvas.ids("gpu/") != turned);
  canvas.app.wheel(0, 1.2f);
  canvas.settle();
  canvas.click("sort");
  const auto option = canvas.find("option/memory");
  REQUIRE(option);
  canvas.point("option/memory");
  canvas.app.wheel(0, -1);
  canvas.settle();
  canvas.key(ImGuiKey_Escape);
  CHECK(canvas.ids("gpu/") == turned);
}

TEST_CASE("canvas: the arithmetic follows the pointer and stays with a selection") {
  Canvas canvas("method=worksheet");
  const auto shown = [&] { return canvas.ids("terms/").front(); };
  CHECK(shown() == "terms/weights");
  canvas.point("compartment/kv_cache");
  CHECK(shown() == "terms/kv_cache");
  canvas.point("bar/1/headroom");
  CHECK(shown() == "terms/headroom");
  canvas.app.pointer_left();
  canvas.settle();
  CHECK(shown() == "terms/weights");
  canvas.click("compartment/activations");
  canvas.app.pointer_left();
  canvas.settle();
  CHECK(shown() == "terms/activations");
  // As long as there is one.
  canvas.app.session.open("method=rule");
  canvas.settle();
  CHECK(shown() == "terms/weights");
  // Each term is there in full.
  const Breakdown& b = canvas.app.session.words().breakdown;
  for (const CompartmentRow& row : b.rows) {
    canvas.point("compartment/" + std::string(row.id));
    for (const TermLine& term : row.terms)
      CHECK(canvas.label("terms/" + std::string(row.id)).find(term.text + " = " + term.bytes.text()) != std::string::npos);
  }
}

TEST_CASE("canvas: a drag along a curve is many changes and one that is finished") {
  for (const char* id : {"curve/context", "curve/sequences"}) {
    Canvas canvas("gpus=all&method=worksheet");
    const auto curve = canvas.find(id);
    REQUIRE(curve);
    const Rect r = curve->rect;
    canvas.point(r.x + r.w * 0.3f, r.y + 20);
    CHECK(canvas.changes.empty());
    canvas.button(true);
    double last = 0;
    for (float share = 0.3f; share < 0.7f; share += 0.02f) {
      canvas.point(r.x + r.w * share, r.y + 30 + 100 * share);
      const double value =
          canvas.app.session.inputs().number(id == std::string("curve/context") ? FieldId::context : FieldId::sequences);
      CHECK(value >= last);
      last = value;
    }
    CHECK(canvas.changes.size() > 5);
    for (const auto& change : canvas.changes) CHECK_FALSE(change.finished);
    const std::size_t unfinished = canvas.changes.size();
    // Beside the plot it is still the same drag.
    canvas.point(r.x - 30, r.y + r.h + 20);
    canvas.button(false);
    CHECK(canvas.changes.size() <= unfinished + 2);
    CHECK(ends_with_change(canvas, true));
    CHECK(std::count_if(canvas.changes.begin(), canvas.changes.end(), [](const auto& c) { return c.finished; }) == 1);
  }
}

TEST_CASE("canvas: a curve held still at its end does not run away") {
  for (const float at : {0.999f, 0.001f}) {
    Canvas canvas("context=128k");
    const auto curve = canvas.find("curve/context");
    REQUIRE(curve);
    canvas.point(curve->rect.x + curve->rect.w * at, curve->rect.y + 40);
    canvas.button(true);
    const std::string share = canvas.share();
    for (int i = 0; i < 20; ++i) canvas.point(curve->rect.x + curve->rect.w * at, curve->rect.y + 40 + static_cast<float>(i % 2));
    CHECK(canvas.share() == share);
    canvas.button(false);
    CHECK(canvas.share() == share);
  }
}

TEST_CASE("canvas: near a crossing the limit itself is meant") {
  Canvas canvas("gpus=h200,b200");
  const WhatIf& w = canvas.app.session.what_if();
  const WhatIfAxis& axis = w.axes[1];
  const auto curve = canvas.find("curve/sequences");
  REQUIRE(curve);
  const LogAxis across = across_of(axis, curve->rect.x, curve->rect.right());
  const CurvePicture p = picture_of(w, axis, across, curve->rect.y, curve->rect.bottom());
  REQUIRE_FALSE(p.crossings.empty());
  const Crossing crossing = p.crossings.front();
  REQUIRE(crossing.line == p.chosen_line);
  canvas.point(crossing.at.x + 3, crossing.at.y + 10);
  canvas.button(true);
  canvas.button(false);
  CHECK(canvas.app.session.inputs().number(FieldId::sequences) == crossing.value);
  CHECK(ends_with_change(canvas, true));
}

TEST_CASE("canvas: buttons step an input") {
  Canvas canvas;
  canvas.click("context/more");
  CHECK(canvas.share() == "context=4352");
  canvas.click("context/less");
  CHECK(canvas.share() == "");
  canvas.click("sequences/less");
  CHECK(canvas.share() == "");
  canvas.click("sequences/more");
  CHECK(canvas.share() == "sequences=2");
}
