// The canvas as a reader uses it: no window and no OpenGL, only events in and widgets, share string and draw data out.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <random>
#include <set>

#include "canvas.h"
#include "text/limits.h"
#include "vramfit/catalog.h"

using namespace vramfit;
using namespace vramfit::shell;
using namespace vramfit::shell::test;

namespace {

constexpr const char* shares[] = {
    "",
    "gpus=all&method=worksheet",
    "model=deepseek-v3&gpus=all&gpu=h200&count=8&method=worksheet",
    "task=full&model=llama-3.1-8b&gpus=all&method=worksheet",
    "task=qlora&model=llama-3.1-8b",
    "model=&params=7b",
    "model=llama-3.1-405b&weights=bf16&gpus=rtx-4090",
    "model=no-such-model",
    "weights=q4_k_m&method=worksheet&context=1m&sequences=64&gpus=h200:2,nothing,b200",
};

struct Size {
  float width, height;
};
constexpr Size sizes[] = {{320, 480}, {390, 844}, {620, 700}, {860, 640}, {1280, 860}, {1920, 1080}, {3840, 2160}};

bool ends_with_change(const Canvas& canvas, bool finished) {
  return !canvas.changes.empty() && canvas.changes.back().finished == finished && canvas.changes.back().share == canvas.share();
}

}  // namespace

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

TEST_CASE("canvas: the panel's lists") {
  Canvas canvas;
  canvas.choose("input/task", "qlora");
  CHECK(canvas.share() == "task=qlora");
  CHECK(ends_with_change(canvas, true));
  CHECK_FALSE(canvas.has("input/sequences"));
  canvas.choose("input/task", "serve");

  canvas.click("input/model");
  CHECK(canvas.app.list_open());
  CHECK(canvas.app.wants_text());
  canvas.type("QWEN3 next");
  REQUIRE_FALSE(canvas.ids("option/").empty());
  for (const Widget& w : canvas.widgets())
    if (w.id.starts_with("option/"))
      CHECK((w.label.find("Qwen3") != std::string::npos && w.label.find("Next") != std::string::npos));
  const std::string first = canvas.ids("option/").front().substr(7);
  canvas.key(ImGuiKey_Enter);
  CHECK_FALSE(canvas.app.list_open());
  CHECK(canvas.share() == "model=" + first);

  canvas.click("input/model");
  canvas.type("zzzzzz");
  CHECK(canvas.ids("option/").empty());
  canvas.key(ImGuiKey_Enter);
  canvas.key(ImGuiKey_Escape);
  CHECK_FALSE(canvas.app.list_open());
  CHECK(canvas.share() == "model=" + first);

  // The next one starts without what was searched for before.
  canvas.click("input/gpu");
  canvas.type("h100");
  CHECK(canvas.ids("option/").size() >= 2);
  for (const std::string& id : canvas.ids("option/")) CHECK(id.find("h100") != std::string::npos);
  canvas.click("option/h100-pcie");
  CHECK(canvas.share() == "model=" + first + "&gpu=h100-pcie");
  // A click elsewhere closes a list.
  canvas.click("input/weights");
  CHECK(canvas.app.list_open());
  canvas.point(1000, 20);
  canvas.button(true);
  canvas.button(false);
  CHECK_FALSE(canvas.app.list_open());
}

TEST_CASE("canvas: numbers are typed as people write them") {
  Canvas canvas;
  const auto context = [&] { return canvas.app.session.inputs().number(FieldId::context); };
  canvas.enter("input/context", "32k");
  CHECK(context() == 32768);
  CHECK(ends_with_change(canvas, true));
  canvas.enter("input/context", "1,5k");
  CHECK(context() == 1536);
  canvas.enter("input/context", "131.072");
  CHECK(context() == 131072);
  const std::size_t changes = canvas.changes.size();
  canvas.enter("input/context", "a lot");
  CHECK(context() == 131072);
  CHECK(canvas.changes.size() == changes);
  CHECK(canvas.label("message/context").size() > 10);
  canvas.enter("input/context", "8k");
  CHECK(context() == 8192);
  CHECK_FALSE(canvas.has("message/context"));
  canvas.enter("input/context", "nothing");
  CHECK(canvas.has("message/context"));
  canvas.app.session.open("context=9000");
  canvas.settle();
  CHECK_FALSE(canvas.has("message/context"));
  // Beyond its range it is as far as it goes.
  canvas.enter("input/sequences", "1000000");
  CHECK(canvas.app.session.inputs().number(FieldId::sequences) == field(FieldId::sequences).maximum);
  // Escape takes it back.
  canvas.click("input/context");
  canvas.type("77");
  canvas.key(ImGuiKey_Escape);
  CHECK(context() == 9000);
  // A click elsewhere does not.
  canvas.click("input/context");
  canvas.key(ImGuiKey_A, true);
  canvas.type("5000");
  canvas.click("compartment/weights");
  CHECK(context() == 5000);
  CHECK(ends_with_change(canvas, true));
}

TEST_CASE("canvas: an optional number left empty is the program's") {
  Canvas canvas("method=worksheet&gpu=h200&count=4");
  canvas.scroll("input/model", "group/4");
  canvas.click("group/4");
  canvas.scroll("group/4", "input/headroom");
  canvas.enter("input/headroom", "12,5");
  CHECK(canvas.app.session.inputs().number(FieldId::headroom) == 12.5);
  canvas.click("input/headroom");
  canvas.key(ImGuiKey_A, true);
  canvas.key(ImGuiKey_Delete);
  canvas.key(ImGuiKey_Enter);
  CHECK(canvas.app.session.inputs().number(FieldId::headroom) == 0);
}

TEST_CASE("canvas: sliders") {
  Canvas canvas;
  const auto slider = canvas.find("slider/context");
  REQUIRE(slider);
  const Rect r = slider->rect;
  canvas.point(r.x + r.w * 0.5f, r.y + r.h / 2);
  canvas.button(true);
  double last = 0;
  for (float share = 0.5f; share < 0.95f; share += 0.05f) {
    canvas.point(r.x + r.w * share, r.y + r.h / 2);
    const double value = canvas.app.session.inputs().number(FieldId::context);
    CHECK(value > last);
    CHECK(value == snapped(value));
    last = value;
  }
  for (const auto& change : canvas.changes) CHECK_FALSE(change.finished);
  // It ends wherever the pointer is by then.
  canvas.point(r.x + 600, r.y + 300);
  canvas.button(false);
  CHECK(ends_with_change(canvas, true));
  CHECK(canvas.app.session.inputs().number(FieldId::context) == 1 << 20);
  // A scale that reaches further because of its value does not shrink under the pointer.
  canvas.app.session.open("context=256m");
  canvas.settle();
  canvas.point(r.x + r.w * 0.7f, r.y + r.h / 2);
  canvas.button(true);
  const std::string share = canvas.share();
  for (int i = 0; i < 9; ++i) canvas.point(r.x + r.w * 0.7f, r.y + r.h / 2 + static_cast<float>(i % 2));
  CHECK(canvas.share() == share);
  canvas.button(false);
  CHECK(canvas.share() == share);
}

TEST_CASE("canvas: one's own list of GPUs") {
  Canvas canvas;
  canvas.choose("input/gpus", "");
  CHECK(canvas.share() == "");
  canvas.enter("input/own", "h200:1.5, l40s");
  CHECK(canvas.share() == "gpus=h200:1.5,%20l40s");
  CHECK(canvas.ids("gpu/").size() == 2);
  canvas.choose("input/gpus", "all");
  CHECK(canvas.share() == "gpus=all");
  CHECK_FALSE(canvas.has("input/own"));
  // A set that comes from outside is shown as one.
  canvas.choose("input/gpus", "");
  CHECK(canvas.has("input/own"));
  canvas.app.session.open("gpus=datacenter");
  canvas.settle();
  CHECK_FALSE(canvas.has("input/own"));
  canvas.app.session.open("gpus=h200,b200:3");
  canvas.settle();
  CHECK(canvas.has("input/own"));
  canvas.enter("input/own", "h200,nobodys-card");
  CHECK(canvas.has("message/gpus"));
}

TEST_CASE("canvas: long lists survive being edited") {
  std::string list;
  for (int i = 0; list.size() < 8000; ++i)
    list += std::string(list.empty() ? "" : ",") + std::string(gpus()[i % gpus().size()].id);
  list.resize(8000);
  list.resize(list.rfind(','));
  Canvas canvas("gpus=" + list);
  const std::string before(canvas.app.session.inputs().text(FieldId::gpus));
  CHECK(before.size() > 7000);
  canvas.click("input/own");
  canvas.key(ImGuiKey_End);
  canvas.type(",h200");
  canvas.key(ImGuiKey_Enter);
  CHECK(canvas.app.session.inputs().text(FieldId::gpus) == before + ",h200");
  canvas.click("input/own");
  canvas.key(ImGuiKey_Home);
  canvas.type(std::string(9000, 'x').c_str());
  canvas.key(ImGuiKey_Enter);
  CHECK(canvas.share().size() <= max_share_length);
  CHECK(canvas.has("input/gpus"));
  // An empty one is none.
  canvas.app.session.open("gpus=h200");
  canvas.settle();
  canvas.click("input/own");
  canvas.key(ImGuiKey_A, true);
  canvas.key(ImGuiKey_Delete);
  canvas.key(ImGuiKey_Enter);
  CHECK(canvas.share() == "");
}

TEST_CASE("canvas: by keyboard alone") {
  Canvas canvas("", 1280, 860, 1, true, false);
  canvas.app.focus(true, true);
  canvas.settle();
  CHECK(canvas.app.focused_label().starts_with("Task"));
  // From the panel to the table, along it and to a chip.
  REQUIRE(canvas.walk(ImGuiKey_DownArrow, "More", 20));
  REQUIRE(canvas.walk(ImGuiKey_RightArrow, "1x ", 20));
  REQUIRE(canvas.walk(ImGuiKey_UpArrow, "1x H200", 20));
  canvas.key(ImGuiKey_DownArrow);
  CHECK(canvas.app.focused_label().starts_with("1x B200"));
  canvas.key(ImGuiKey_Enter);
  CHECK(canvas.share() == "gpu=b200&count=1");
  canvas.key(ImGuiKey_Space);
  CHECK(canvas.share() == "");
  CHECK(canvas.label("fit/remark").starts_with("1x B200"));
  // On a curve left and right are steps.
  REQUIRE(canvas.walk(ImGuiKey_RightArrow, "Context: ", 20));
  CHECK(canvas.app.focused_label() == "Context: 4,096 tokens");
  canvas.key(ImGuiKey_RightArrow);
  CHECK(canvas.share() == "context=4352");
  CHECK(canvas.app.focused_label() == "Context: 4,352 tokens");
  canvas.key(ImGuiKey_LeftArrow);
  canvas.key(ImGuiKey_LeftArrow);
  CHECK(canvas.share() == "context=3968");
}

TEST_CASE("canvas: an arrow key that moved onto a curve comes up again") {
  Canvas canvas("", 1280, 860, 1, true, false);
  canvas.app.focus(true, true);
  canvas.settle();
  REQUIRE(canvas.walk(ImGuiKey_DownArrow, "More", 20));
  REQUIRE(canvas.walk(ImGuiKey_RightArrow, "8x", 30));
  canvas.key(ImGuiKey_UpArrow);
  for (int i = 0; i < 3 && !canvas.app.focused_label().starts_with("Context: 4,096 tokens"); ++i) {
    canvas.app.key_event(ImGuiKey_RightArrow, true);
    canvas.settle();
    canvas.app.key_event(ImGuiKey_RightArrow, false);
    canvas.settle();
  }
  const std::string label = canvas.app.focused_label();
  REQUIRE(label.starts_with("Context: 4,096 tokens"));
  for (int i = 0; i < 60; ++i) canvas.frame();
  CHECK(canvas.app.focused_label() == label);
}

TEST_CASE("canvas: the arrow keys reach everything") {
  for (const char* share : {"gpus=all&method=worksheet", "model=no-such-model"})
    for (const Size& size : {Size{1280, 860}, Size{390, 844}}) {
      CAPTURE(size.width);
      CAPTURE(std::string(share));
      Canvas canvas(share, size.width, size.height);
      std::set<std::string> left;
      for (const Widget& w : canvas.widgets())
        for (const char* kind : {"copy", "tab/", "input/", "slider/", "group/", "compartment/", "sort", "filter/", "gpu/",
                                 "page/", "curve/", "context/", "sequences/"})
          if (w.id.starts_with(kind)) left.insert(w.id);
      canvas.app.focus(true, true);
      canvas.settle();
      // From each place by all ways in turn: that leads everywhere that can be reached.
      constexpr ImGuiKey ways[] = {ImGuiKey_DownArrow, ImGuiKey_RightArrow, ImGuiKey_UpArrow, ImGuiKey_LeftArrow};
      std::map<std::string, unsigned> turns;
      for (int i = 0; i < 4000 && !left.empty(); ++i) {
        std::string from = canvas.app.focused_label();
        CHECK(from != "");
        // A curve or slider is the same at any value.
        if (from.find("token") != std::string::npos || from.find("sequence") != std::string::npos ||
            from.starts_with("Context: ") || from.starts_with("Sequences at once: "))
          std::erase_if(from, [](char c) { return c == ',' || (c >= '0' && c <= '9'); });
        canvas.app.key_event(ways[turns[from]++ % 4], true);
        canvas.frame();
        canvas.frame();
        const std::string label = canvas.app.focused_label();
        canvas.app.session.open(share);
        for (const Widget& w : canvas.widgets())
          if (w.label == label || label.starts_with(w.label + ": ")) left.erase(w.id);
      }
      for (const std::string& id : left) CHECK(id == "");
    }
}

TEST_CASE("canvas: lists by keyboard") {
  Canvas canvas("", 1280, 860, 1, true, false);
  canvas.app.focus(true, true);
  canvas.settle();
  canvas.key(ImGuiKey_Enter);
  CHECK(canvas.app.list_open());
  CHECK(canvas.app.focused_label() == "Serve (inference)");
  canvas.key(ImGuiKey_DownArrow);
  canvas.key(ImGuiKey_Enter);
  CHECK_FALSE(canvas.app.list_open());
  CHECK(canvas.share() == "task=full");
  CHECK(canvas.app.focused_label().starts_with("Task"));
  canvas.key(ImGuiKey_Enter);
  canvas.key(ImGuiKey_Escape);
  CHECK_FALSE(canvas.app.list_open());
  CHECK(canvas.share() == "task=full");
  // A searched list: typed, then down into what is left.
  CHECK(canvas.walk(ImGuiKey_DownArrow, "Model", 5));
  canvas.key(ImGuiKey_Enter);
  CHECK(canvas.app.list_open());
  canvas.type("llama 3.1");
  const auto options = canvas.ids("option/");
  REQUIRE(options.size() >= 3);
  canvas.key(ImGuiKey_DownArrow);
  canvas.key(ImGuiKey_DownArrow);
  canvas.key(ImGuiKey_DownArrow);
  canvas.key(ImGuiKey_UpArrow);
  canvas.key(ImGuiKey_UpArrow);
  canvas.key(ImGuiKey_Enter);
  CHECK_FALSE(canvas.app.list_open());
  CHECK(canvas.share() == "task=full&model=" + options[0].substr(7));
}

TEST_CASE("canvas: what is typed counts when the keyboard goes elsewhere") {
  Canvas canvas;
  canvas.click("input/context");
  canvas.key(ImGuiKey_A, true);
  canvas.type("16k");
  canvas.app.focus(false, false);
  canvas.settle();
  CHECK(canvas.share() == "context=16384");
  CHECK(ends_with_change(canvas, true));
  CHECK_FALSE(canvas.app.wants_text());
  CHECK(canvas.app.focused_label() == "");
  // Even in the same moment.
  canvas.app.focus(true, false);
  canvas.click("input/context");
  canvas.key(ImGuiKey_A, true);
  canvas.app.text("24k");
  canvas.app.focus(false, false);
  canvas.settle();
  CHECK(canvas.share() == "context=24576");
  canvas.click("input/model");
  CHECK(canvas.app.list_open());
  canvas.app.focus(false, false);
  canvas.settle();
  CHECK_FALSE(canvas.app.list_open());
}

TEST_CASE("canvas: a finished idle canvas draws nothing") {
  Canvas canvas("gpus=all&method=worksheet");
  CHECK_FALSE(canvas.app.restless());
  canvas.click(canvas.ids("gpu/").back());
  CHECK_FALSE(canvas.app.restless());
  for (int i = 0; i < 5; ++i) canvas.frame();
  CHECK_FALSE(canvas.app.restless());
  canvas.click("input/context");
  CHECK_FALSE(canvas.app.restless());
  canvas.frames = 0;
  canvas.app.pointer_moved(500, 500, false);
  CHECK(canvas.app.restless());
  canvas.settle();
  CHECK(canvas.frames <= 4);
  // What comes from outside has to be drawn.
  canvas.app.session.open("gpus=all");
  CHECK(canvas.app.restless());
  canvas.settle();
  canvas.app.session.open("gpus=all");
  CHECK_FALSE(canvas.app.restless());
}

TEST_CASE("canvas: the last frame shows the last event's effect") {
  Canvas canvas;
  const auto more = canvas.find("context/more");
  REQUIRE(more);
  // All at once: ImGui takes them one by one.
  canvas.app.pointer_moved(more->rect.x + 5, more->rect.y + 5, false);
  for (int i = 0; i < 6; ++i) {
    canvas.app.pointer_button(true, false);
    canvas.app.pointer_button(false, false);
  }
  canvas.settle();
  CHECK(canvas.share() == "context=5632");
  CHECK(canvas.label("curve/context").find("5,632") != std::string::npos);
}

TEST_CASE("canvas: what comes from outside is not handed back") {
  Canvas canvas;
  for (const char* share : shares) {
    canvas.app.session.open(share);
    canvas.settle();
  }
  CHECK(canvas.changes.empty());
  // While somebody is typing.
  canvas.app.session.open("");
  canvas.settle();
  canvas.click("input/context");
  canvas.key(ImGuiKey_A, true);
  canvas.type("12");
  canvas.app.session.open("context=99&gpus=all");
  canvas.settle();
  canvas.type("k");
  canvas.key(ImGuiKey_Enter);
  CHECK(canvas.share() == "context=12288&gpus=all");
  CHECK(canvas.changes.size() == 1);
  // A field that goes away meanwhile takes its text with it.
  canvas.app.session.open("model=&params=7b");
  canvas.settle();
  canvas.enter("input/params", "8b");
  canvas.click("input/params");
  canvas.type("9");
  canvas.app.session.open("");
  canvas.settle();
  canvas.app.session.open("model=&params=7b");
  canvas.settle();
  canvas.enter("input/params", "6b");
  CHECK(canvas.share() == "params=6b");
}

TEST_CASE("canvas: a drag that open() interrupts") {
  Canvas canvas;
  const auto curve = canvas.find("curve/context");
  REQUIRE(curve);
  canvas.point(curve->rect.x + 100, curve->rect.y + 50);
  canvas.button(true);
  canvas.app.session.open("model=no-such-model");
  canvas.settle();
  canvas.button(false);
  canvas.changes.clear();
  canvas.app.session.open("");
  canvas.settle();
  CHECK(canvas.changes.empty());
  CHECK(canvas.share() == "");
}

TEST_CASE("canvas: a refusal is drawn, and what is wrong is said where it is") {
  for (const bool alone : {false, true})
    for (const Size& size : sizes) {
      Canvas canvas("model=no-such-model", size.width, size.height, 1, true, alone);
      CHECK(canvas.has("refusal"));
      CHECK(canvas.ids("gpu/").empty());
      CHECK(canvas.ids("curve/").empty());
      CHECK(canvas.app.spoken().find("no-such-model") != std::string::npos);
    }
}

TEST_CASE("canvas: language and units leave the question alone") {
  Canvas canvas("gpus=all&gpu=h200");
  canvas.choose("filter/vendor", "nvidia");
  canvas.click("compartment/margin");
  const std::string share = canvas.share();
  canvas.app.session.speak(std::string(built_in_table(Language::es)), Language::es, Units::gib);
  CHECK(canvas.app.restless());
  canvas.settle();
  CHECK(canvas.share() == share);
  CHECK(canvas.changes.empty());
  CHECK(canvas.label("reset") == "Empezar de nuevo");
  CHECK(canvas.label("filter/vendor").find("NVIDIA") != std::string::npos);
  CHECK(canvas.has("terms/margin"));
  CHECK(canvas.app.spoken().find("GiB") != std::string::npos);
}

TEST_CASE("canvas: the share string is copied, and all starts over") {
  Canvas canvas("gpu=h200&count=2&who=knows");
  canvas.click("copy");
  REQUIRE(canvas.app.wants_copy());
  CHECK(canvas.app.take_copy() == "gpu=h200&count=2&who=knows");
  CHECK_FALSE(canvas.app.wants_copy());
  canvas.click("reset");
  CHECK(canvas.share() == "");
  CHECK(ends_with_change(canvas, true));
}

TEST_CASE("canvas: what is spoken is what is described") {
  for (const Language language : {Language::en, Language::es, Language::pt_br})
    for (const char* share : shares) {
      Canvas canvas(share, 1280, 860, 1, true, true, language);
      const Session& s = canvas.app.session;
      const Description d = describe(s.inputs(), s.result(), s.text());
      const std::string spoken = canvas.app.spoken();
      const auto says = [&](const std::string& line) {
        CAPTURE(line);
        CHECK(("\n" + spoken).find("\n" + line) != std::string::npos);
      };
      says(d.answer.sentence);
      for (const NoticeLine& notice : d.notices) CHECK(spoken.find(notice.text) != std::string::npos);
      if (s.result().refused) continue;
      says(d.breakdown.title);
      if (d.breakdown.count > 1) CHECK(spoken.find(d.breakdown.need_all.text()) != std::string::npos);
      if (d.breakdown.free) says(s.text().say("page.free") + " " + d.breakdown.free->figure.text());
      for (const CompartmentRow& row : d.breakdown.rows) {
        says(row.label + ": " + row.per_gpu.text() + (row.range.empty() ? "" : " (" + row.range + ")") + ", " + row.share);
        for (const TermLine& term : row.terms) says(term.text + " = " + term.bytes.text() + ". " + term.source);
      }
      for (const GpuRow& row : d.fit.rows) {
        std::string card = row.name + ", " + row.marketed + ", " + row.usable;
        if (!row.price.empty()) card += ", " + s.text().say("page.fit.price") + " " + row.price.text();
        if (!row.smallest) {
          says(card + ": " + s.text().say("page.fit.nothing"));
          continue;
        }
        says(card + ": " + row.smallest->gpus);
        if (!row.smallest->room.empty()) CHECK(spoken.find(row.smallest->free) != std::string::npos);
        if (!row.smallest->cost.empty()) CHECK(spoken.find(row.smallest->cost.text()) != std::string::npos);
      }
      std::size_t limits = 0;
      for (const WhatIfAxis& axis : s.what_if().axes)
        for (const WhatIfLine& line : axis.lines)
          for (const WhatIfLimit& limit : line.limits) {
            const double value = limit.fits > 0 ? limit.fits : limit.runs;
            if (value == 0) continue;
            ++limits;
            CHECK(spoken.find(": " + limit_text(axis.field, value, limit.fits == 0, s.text()) + "\n") != std::string::npos);
          }
      CHECK((limits > 0 || std::string_view(share).find("rtx-4090") != std::string_view::npos));
    }
}

TEST_CASE("canvas: whatever happens, it stands") {
  constexpr ImGuiKey keys[] = {ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_UpArrow, ImGuiKey_DownArrow, ImGuiKey_Enter,
                               ImGuiKey_Escape,    ImGuiKey_Space,      ImGuiKey_Tab,     ImGuiKey_Backspace, ImGuiKey_A};
  constexpr const char* texts[] = {"3", "k", "h100", ",", "é", "\xff", "1.5b", " "};
  constexpr Language languages[] = {Language::en, Language::es, Language::pt_br};
  std::mt19937 random(20260311);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  static int blocks = 0;  // that ImGui holds
  ImGui::SetAllocatorFunctions([](std::size_t size, void*) { return ++blocks, std::malloc(size); },
                               [](void* block, void*) { blocks -= block != nullptr, std::free(block); });
  Canvas canvas;
  for (int round = 0; round < 8; ++round) {
    for (int i = 0; i < 1000; ++i) {
      switch (below(14)) {
        case 0: canvas.app.pointer_moved(static_cast<float>(below(1300)), static_cast<float>(below(900)), below(4) == 0); break;
        case 1: canvas.app.pointer_button(below(2) == 0, below(4) == 0); break;
        case 2:
        case 3: {
          const auto widgets = canvas.widgets();
          if (widgets.empty()) break;
          const Widget& w = widgets[static_cast<std::size_t>(below(static_cast<int>(widgets.size())))];
          canvas.app.pointer_moved(w.rect.x + w.rect.w / 2, w.rect.y + w.rect.h / 2, false);
          canvas.app.pointer_button(true, false);
          canvas.app.pointer_button(false, false);
          break;
        }
        case 4: canvas.app.wheel(0, static_cast<float>(below(5) - 2)); break;
        case 5:
        case 6: {
          const ImGuiKey key = keys[below(10)];
          canvas.app.modifiers(below(4) == 0, below(4) == 0);
          canvas.app.key_event(key, true);
          if (below(5) > 0) canvas.app.key_event(key, false);
          break;
        }
        case 7: canvas.app.text(texts[below(8)]); break;
        case 8: canvas.app.focus(below(2) == 0, below(2) == 0); break;
        case 9: canvas.app.session.open(shares[below(9)]); break;
        case 10:
          if (below(4) == 0) {
            const Size& size = sizes[below(6)];
            canvas.app.resize(size.width, size.height, 1);
          }
          break;
        case 11:
          if (below(10) == 0) {
            const Language language = languages[below(3)];
            canvas.app.session.speak(std::string(built_in_table(language)), language, static_cast<Units>(below(3)));
          }
          if (below(10) == 0) canvas.app.arrange(below(2) == 0, below(2) == 0);
          break;
        case 12: canvas.app.pointer_left(); break;
        default: canvas.settle();
      }
      canvas.frame();
      // What it holds can always be written and read again.
      if (i % 50 == 0)
        CHECK(format_share(parse_share(canvas.share()).inputs, parse_share(canvas.share()).unknown) == canvas.share());
    }
    // Back to where it started.
    for (const ImGuiKey key : keys) canvas.app.key_event(key, false);
    canvas.app.modifiers(false, false);
    canvas.app.pointer_button(false, false);
    canvas.app.pointer_left();
    canvas.app.focus(false, false);
    canvas.app.resize(1280, 860, 1);
    canvas.app.arrange(true, true);
    canvas.app.session.open("");
    canvas.settle();
    CHECK_FALSE(canvas.app.list_open());
    // ImGui keeps what each list needed, once; one block for every hundred events would be a leak.
    CHECK(blocks < 450);
  }
}
