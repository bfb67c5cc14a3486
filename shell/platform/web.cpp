// The canvas in a page: GLFW makes the WebGL context (browser_library.js leaves the rest of it out), shell/canvas/*.mjs brings
// the events. Text crosses as bytes: what comes in lies in Module.incoming, what goes out is put into Module.outgoing. The page's
// calculator answers, through Module.answer, and brings the catalogue: neither is in this module.
#include <GLES3/gl3.h>
#include <GLFW/glfw3.h>
#include <emscripten.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "../app/app.h"
#include "../host/read_answers.h"
#include "imgui_impl_opengl3.h"

// clang-format off
EM_JS(void, take_incoming, (char* to), { HEAPU8.set(Module['incoming'], to); });
EM_JS(void, give_outgoing, (const char* from, int length), { Module['outgoing'] = UTF8ToString(from, length); });
EM_JS(void, host_copy, (const char* text), { Module['copy'](UTF8ToString(text)); });
EM_JS(int, host_answer, (bool what_if, const char* share, int length), {
  Module['incoming'] = Module['answer'](what_if, UTF8ToString(share, length));
  return Module['incoming'].length;
});
// clang-format on

namespace vramfit::shell {
namespace {

GLFWwindow* window = nullptr;
std::unique_ptr<App> app;
double last_frame_ms = 0;
bool lost = false;

HostCatalog catalog;

std::string incoming(int length) {
  std::string text(static_cast<std::size_t>(length), '\0');
  take_incoming(text.data());
  return text;
}

std::vector<char> answer(bool what_if, const std::string& share) {
  std::vector<char> text(static_cast<std::size_t>(host_answer(what_if, share.data(), static_cast<int>(share.size()))));
  take_incoming(text.data());
  return text;
}

void outgoing(std::string_view text) { give_outgoing(text.data(), static_cast<int>(text.size())); }

// DOM key names that mean something here.
struct KeyName {
  std::string_view dom;
  ImGuiKey key;
};
constexpr KeyName key_names[] = {
    {"ArrowLeft", ImGuiKey_LeftArrow},
    {"ArrowRight", ImGuiKey_RightArrow},
    {"ArrowUp", ImGuiKey_UpArrow},
    {"ArrowDown", ImGuiKey_DownArrow},
    {"Enter", ImGuiKey_Enter},
    {" ", ImGuiKey_Space},
    {"Escape", ImGuiKey_Escape},
    {"Backspace", ImGuiKey_Backspace},
    {"Delete", ImGuiKey_Delete},
    {"Home", ImGuiKey_Home},
    {"End", ImGuiKey_End},
    {"a", ImGuiKey_A},
    {"c", ImGuiKey_C},
    {"x", ImGuiKey_X},
    {"y", ImGuiKey_Y},
    {"z", ImGuiKey_Z},
};

void draw_to_screen() {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  glViewport(0, 0, static_cast<int>(size.x), static_cast<int>(size.y));
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

}  // namespace

Answers answers_to(const std::string& share, const std::string&) {
  Answers out;
  out.estimate_text = answer(false, share);
  out.what_if_text = answer(true, share);
  read_answers(out);
  return out;
}

}  // namespace vramfit::shell

namespace vramfit {

std::span<const ModelEntry> models() { return shell::catalog.models; }
std::span<const GpuEntry> gpus() { return shell::catalog.gpus; }
std::span<const Id> gpu_set_names() { return shell::catalog.sets; }
std::span<const Id> price_books() { return shell::catalog.books; }

}  // namespace vramfit

using namespace vramfit::shell;

extern "C" {

// Before everything else. Incoming: the page's catalogue, as read_catalog() takes it. False when it is not that.
EMSCRIPTEN_KEEPALIVE bool vramfit_catalog(int length) {
  catalog.text.resize(static_cast<std::size_t>(length));
  take_incoming(catalog.text.data());
  return read_catalog(catalog);
}

// False where there is no WebGL 2. Incoming: the table of messages.
EMSCRIPTEN_KEEPALIVE bool vramfit_start(int table_length, int language, int units) {
  if (!glfwInit()) return false;
  glfwWindowHint(GLFW_ALPHA_BITS, 0);
  glfwWindowHint(GLFW_DEPTH_BITS, 0);
  glfwWindowHint(GLFW_STENCIL_BITS, 0);
  window = glfwCreateWindow(16, 16, "", nullptr, nullptr);
  if (!window) return false;
  glfwMakeContextCurrent(window);
  app = std::make_unique<App>(incoming(table_length), static_cast<Language>(language), static_cast<Units>(units));
  ImGui::GetIO().SetClipboardTextFn = [](void*, const char* text) { host_copy(text); };
  return ImGui_ImplOpenGL3_Init("#version 300 es");
}

EMSCRIPTEN_KEEPALIVE void vramfit_stop() {
  if (!lost) ImGui_ImplOpenGL3_Shutdown();
  app.reset();
  glfwTerminate();
}

EMSCRIPTEN_KEEPALIVE void vramfit_speak(int table_length, int language, int units) {
  app->session.speak(incoming(table_length), static_cast<Language>(language), static_cast<Units>(units));
}

EMSCRIPTEN_KEEPALIVE void vramfit_open(int length) { app->session.open(incoming(length)); }
// The page's calculator would answer otherwise: by other prices, or because it has loaded what it was missing.
EMSCRIPTEN_KEEPALIVE void vramfit_ask_again() { app->session.price({}); }

// Outgoing: the names of the colours, in the order that vramfit_paint takes them.
EMSCRIPTEN_KEEPALIVE void vramfit_ink_names() {
  std::string names;
  for (const std::string_view name : ink_names) names.append(name).append("\n");
  outgoing(names);
}

// Incoming: four bytes a colour, red first. A colour without opacity is one that the host has not given: the built-in one for
// surfaces as light or dark as the first colour.
EMSCRIPTEN_KEEPALIVE void vramfit_paint() {
  Palette palette;
  take_incoming(reinterpret_cast<char*>(palette.abgr));
  const std::uint32_t surface = palette.abgr[0];
  const bool dark = (surface & 0xff) * 3 + (surface >> 8 & 0xff) * 6 + (surface >> 16 & 0xff) < 1280;
  for (int i = 0; i < num_inks; ++i)
    if (palette.abgr[i] >> 24 == 0) palette.abgr[i] = built_in_palette(dark).abgr[i];
  app->paint(palette);
}

EMSCRIPTEN_KEEPALIVE void vramfit_arrange(bool with_inputs, bool alone) { app->arrange(with_inputs, alone); }
EMSCRIPTEN_KEEPALIVE void vramfit_resize(float width_px, float height_px, float scale) {
  app->resize(width_px, height_px, scale);
}
EMSCRIPTEN_KEEPALIVE void vramfit_pointer_moved(float x, float y, bool touch) { app->pointer_moved(x, y, touch); }
EMSCRIPTEN_KEEPALIVE void vramfit_pointer_left() { app->pointer_left(); }
EMSCRIPTEN_KEEPALIVE void vramfit_pointer_button(bool down, bool touch) { app->pointer_button(down, touch); }
EMSCRIPTEN_KEEPALIVE void vramfit_wheel(float dx, float dy) { app->wheel(dx, dy); }
EMSCRIPTEN_KEEPALIVE void vramfit_text(int length) {
  app->modifiers(false, false);  // what was held for an earlier key would keep text out
  app->text(incoming(length).c_str());
}
EMSCRIPTEN_KEEPALIVE void vramfit_focus(bool gained, bool by_keyboard) { app->focus(gained, by_keyboard); }

// Incoming: a DOM key name. False when it means nothing here beyond the modifiers.
EMSCRIPTEN_KEEPALIVE bool vramfit_key(int length, bool down, bool shift, bool command) {
  const std::string name = incoming(length);
  app->modifiers(shift, command);
  for (const KeyName& k : key_names) {
    if (k.dom != name) continue;
    app->key_event(k.key, down);
    return true;
  }
  return false;
}

// Draws. Bits of what it returns: 1 another frame would differ, 2 a text field is being edited, 4 a list is open, 8 the share
// string was edited, 16 and that edit is finished, 32 there is text to copy.
EMSCRIPTEN_KEEPALIVE int vramfit_frame(double now_ms) {
  if (lost) return 0;
  const bool fonts_changed = app->prepare();
  ImGui_ImplOpenGL3_NewFrame();
  if (fonts_changed) {
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
  }
  app->frame(static_cast<float>((now_ms - last_frame_ms) / 1000));
  last_frame_ms = now_ms;
  draw_to_screen();
  const auto change = app->session.take_change();
  if (change) outgoing(change->share);
  return app->restless() | app->wants_text() << 1 | app->list_open() << 2 | change.has_value() << 3 |
         (change && change->finished) << 4 | app->wants_copy() << 5;
}

EMSCRIPTEN_KEEPALIVE void vramfit_share() { outgoing(app->session.share()); }
EMSCRIPTEN_KEEPALIVE void vramfit_cursor() { outgoing(app->cursor()); }
EMSCRIPTEN_KEEPALIVE void vramfit_focused_label() { outgoing(app->focused_label()); }
EMSCRIPTEN_KEEPALIVE void vramfit_copied() { outgoing(app->take_copy()); }
EMSCRIPTEN_KEEPALIVE void vramfit_spoken() { outgoing(app->spoken()); }

// Outgoing: a line per widget, `id<TAB>x<TAB>y<TAB>width<TAB>height<TAB>label`, in whole device pixels.
EMSCRIPTEN_KEEPALIVE void vramfit_widgets() {
  std::string lines;
  for (const Widget& w : app->widgets()) {
    lines += w.id;
    for (const float v : {w.rect.x, w.rect.y, w.rect.w, w.rect.h}) lines += "\t" + plain_digits(std::max(0.0f, std::floor(v)));
    lines += "\t" + w.label + "\n";
  }
  outgoing(lines);
}

// Milliseconds that building one frame takes, without drawing it: the mean of `frames`.
EMSCRIPTEN_KEEPALIVE double vramfit_frame_ms(int frames) {
  const double start = emscripten_get_now();
  for (int i = 0; i < frames; ++i) app->frame(0.016f);
  return (emscripten_get_now() - start) / frames;
}

EMSCRIPTEN_KEEPALIVE void vramfit_context_lost() {
  ImGui_ImplOpenGL3_Shutdown();  // what it deletes is gone already
  lost = true;
}
EMSCRIPTEN_KEEPALIVE void vramfit_context_restored() { lost = !ImGui_ImplOpenGL3_Init("#version 300 es"); }

}  // extern "C"

int main() {}
