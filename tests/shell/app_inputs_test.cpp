// The canvas's panel of inputs: lists, typed numbers, sliders, one's own GPUs.
#include "canvas.h"
#include "vramfit/catalog.h"

using namespace vramfit;
using namespace vramfit::shell;
using namespace vramfit::shell::test;

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
  CHECK(canvas.label("input/context").ends_with(": a lot"));  // it stays to be mended
  canvas.enter("input/context", "8k");
  CHECK(context() == 8192);
  CHECK(canvas.label("input/context").ends_with(": 8192"));
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
  CHECK(canvas.share() == "gpus=h200:1.5,l40s");
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
  CHECK(canvas.app.session.inputs().text(FieldId::gpus).size() <= max_share_length);
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
