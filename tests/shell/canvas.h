// The canvas with a reader at it who points, types and reads by name. Only one at a time: ImGui has one current context.
#pragma once

#include "app/app.h"
#include "support.h"

namespace vramfit::shell::test {

class Canvas {
 public:
  App app;

  explicit Canvas(std::string_view share = "", float width = 1280, float height = 860, float scale = 1, bool with_inputs = true,
                  bool alone = true, Language language = Language::en)
      : app(built_in_table(language), language, Units::own), scale_(scale) {
    app.resize(width * scale, height * scale, scale);
    app.arrange(with_inputs, alone);
    app.session.open(share);
    settle();
  }

  // --- frames ---
  void frame() {
    app.prepare();
    app.frame(0.016f);
    ++frames;
    if (auto change = app.session.take_change()) changes.push_back(*change);
  }
  // Until nothing would change any more.
  void settle() {
    int most = 400;
    do frame();
    while (app.restless() && --most > 0);
    REQUIRE(most > 0);
  }
  int frames = 0;
  std::vector<Session::Change> changes;  // all that were handed out

  std::string share() const { return app.session.share(); }

  // --- what is to be seen ---
  std::vector<Widget> widgets() { return app.widgets(); }
  std::optional<Widget> find(std::string_view id) {
    for (Widget& w : app.widgets())
      if (w.id == id) return std::move(w);
    return {};
  }
  bool has(std::string_view id) { return find(id).has_value(); }
  std::string label(std::string_view id) {
    const auto w = find(id);
    return w ? w->label : "(no " + std::string(id) + ")";
  }
  std::vector<std::string> ids(std::string_view prefix) {
    std::vector<std::string> out;
    for (const Widget& w : app.widgets())
      if (w.id.starts_with(prefix)) out.push_back(w.id);
    return out;
  }

  // --- pointer ---
  void point(float x, float y) {
    app.pointer_moved(x, y, false);
    settle();
  }
  void point(std::string_view id) {
    CAPTURE(id);
    const auto w = find(id);
    REQUIRE(w);
    point(w->rect.x + w->rect.w / 2, w->rect.y + w->rect.h / 2);
  }
  void button(bool down) {
    app.pointer_button(down, false);
    settle();
  }
  void click(std::string_view id) {
    point(id);
    button(true);
    button(false);
  }
  // Turns the wheel over something until something else is in sight, whole.
  void scroll(std::string_view over, std::string_view to) {
    point(over);
    for (const float way : {-1.0f, 1.0f})
      for (int i = 0; i < 150; ++i) {
        const auto w = find(to);
        if (w && w->rect.h >= 20 * scale_) return;
        app.wheel(0, way);
        settle();
      }
  }
  void choose(std::string_view combo, std::string_view option) {
    click(combo);
    const std::string id = "option/" + std::string(option);
    const auto seen = ids("option/");
    REQUIRE_FALSE(seen.empty());
    scroll(seen.front(), id);
    click(id);
  }

  // --- keyboard ---
  void key(ImGuiKey key, bool command = false) {
    app.modifiers(false, command);
    app.key_event(key, true);
    app.key_event(key, false);
    app.modifiers(false, false);
    settle();
  }
  void type(const char* text) {
    app.text(text);
    settle();
  }
  // Into a field that is pointed at first, in place of what stands there.
  void enter(std::string_view field, const char* text) {
    click(field);
    key(ImGuiKey_A, true);
    type(text);
    key(ImGuiKey_Enter);
  }
  // With the keys' help alone, until that is what they have reached.
  bool walk(ImGuiKey way, std::string_view label_start, int most = 200) {
    for (; most > 0; --most) {
      if (app.focused_label().starts_with(label_start)) return true;
      key(way);
    }
    return false;
  }

 private:
  float scale_;
};

// Configurations and sizes that show what may go wrong.
inline constexpr const char* shares[] = {
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
inline constexpr Size sizes[] = {{320, 480}, {390, 844}, {620, 700}, {860, 640}, {1280, 860}, {1920, 1080}, {3840, 2160}};

inline bool ends_with_change(const Canvas& canvas, bool finished) {
  return !canvas.changes.empty() && canvas.changes.back().finished == finished && canvas.changes.back().share == canvas.share();
}

}  // namespace vramfit::shell::test
