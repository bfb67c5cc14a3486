// The canvas as a whole: by keyboard alone, idle, edited from outside, refusing, speaking; and whatever else may happen to it.
#include <map>
#include <random>
#include <set>

#include "canvas.h"
#include "text/limits.h"

using namespace vramfit;
using namespace vramfit::shell;
using namespace vramfit::shell::test;

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
  canvas.app.session.speak(built_in_table(Language::es), Language::es, Units::gib);
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
            canvas.app.session.speak(built_in_table(language), language, static_cast<Units>(below(3)));
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

TEST_CASE("canvas: goes by the prices it is given, and by the catalogue's again") {
  Canvas canvas("gpus=h200,l40s:0.5,b200&prices=hyperstack", 1280, 860);
  const auto price = [&](Id name) {
    for (const GpuRow& row : canvas.app.session.words().fit.rows)
      if (gpus()[row.gpu].id == name) return row.price.text() + " " + row.price_note;
    return std::string("(no row)");
  };
  const auto said = [&](const char* words) { return canvas.app.spoken().find(words) != std::string::npos; };
  canvas.scroll("input/model", "group/5");
  canvas.click("group/5");
  canvas.scroll("group/5", "input/prices");
  const std::string before = price("h200");
  CHECK(before.find("$3.99/h Hyperstack") == 0);
  CHECK(said("Price per GPU $3.99/h"));

  canvas.app.session.price("Nube \xC3\x91, S.A.\t2026-11-30\nh200\t3.2\ton-demand\nl40s\t9\tspot\n");
  CHECK(canvas.app.restless());
  canvas.settle();
  CHECK(price("h200") == "$3.20/h Nube \xC3\x91, S.A., Nov 30, 2026");
  CHECK(price("l40s") == "$0.50/h Your price");
  CHECK(price("b200") == " ");
  CHECK(said("Price per GPU $3.20/h"));
  CHECK_FALSE(said("Price per GPU $3.99/h"));
  CHECK_FALSE(canvas.has("input/prices"));
  CHECK(canvas.has("input/gpus"));

  // Whatever else changes.
  canvas.app.session.choose(FieldId::weights, "bf16");
  canvas.settle();
  CHECK(price("h200") == "$3.20/h Nube \xC3\x91, S.A., Nov 30, 2026");
  canvas.app.session.open("gpus=all");
  canvas.settle();
  CHECK(price("l40s") == "$9.00/h Nube \xC3\x91, S.A., spot, Nov 30, 2026");
  canvas.app.session.speak(std::string(built_in_table(Language::es)), Language::es, Units::own);
  canvas.settle();
  CHECK(shown(price("l40s")).find("spot, 30 nov 2026") != std::string::npos);
  canvas.app.session.speak(std::string(built_in_table(Language::en)), Language::en, Units::own);

  canvas.app.session.open("gpus=h200,l40s:0.5,b200&prices=hyperstack");
  canvas.app.session.price("");
  canvas.settle();
  CHECK(price("h200") == before);
  CHECK(canvas.has("input/prices"));
  CHECK(canvas.changes.size() == 1);
}
