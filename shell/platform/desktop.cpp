// The canvas in a window of its own: GLFW 3.3 and OpenGL 3.
//
//   vramfit-desktop [--lang en|es|pt-BR|es-MX|...] [--theme light|dark] [--units GB|GiB] [--size WxH] [--screenshot FILE.ppm]
//   ['SHARE-STRING']
//
// Sleeps until something happens. With --screenshot it draws until nothing changes any more, writes the picture and ends.
#include <GLFW/glfw3.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string>
#include <vector>

#include "../app/app.h"
#include "../text/built_in.h"
#include "imgui_impl_opengl3.h"

namespace vramfit::shell {
namespace {

struct Options {
  Language language = Language::en;
  std::string region;  // the tag whose region writes the figures
  Units units = Units::own;
  bool dark = false;
  int width = 1280, height = 860;
  std::string screenshot;
  std::string share;
};

Text text_in(Language language) { return Text(built_in_table(language), language, Units::own); }

[[noreturn]] void wrong_usage(const std::string& problem, const Text& text) {
  std::fprintf(stderr, "%s\n%s\n", problem.c_str(), text.say("cli.window.usage").c_str());
  std::exit(64);
}

bool is_spoken(std::string_view tag) { return match_language(tag, Language::en) == match_language(tag, Language::es); }

// The tag of what is said about the options themselves: the one asked for, wherever it stands, else the system's ("es_MX.UTF-8").
std::string tag_of(int argc, char** argv) {
  const char* system = std::getenv("LANG");
  std::string out = system && is_spoken(system) ? system : "en";
  for (int i = 1; i + 1 < argc; ++i)
    if (std::strcmp(argv[i], "--lang") == 0 && is_spoken(argv[i + 1])) out = argv[i + 1];
  out = out.substr(0, out.find_first_of(".@"));
  std::replace(out.begin(), out.end(), '_', '-');
  return out;
}

// A link's own keys (lang, theme, units) count where no option says otherwise.
Options read_options(int argc, char** argv) {
  Options out;
  out.region = tag_of(argc, argv);
  out.language = match_language(out.region, Language::en);
  const Text text = text_in(out.language);
  std::string lang, theme, units;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument.rfind("--", 0) != 0) {
      out.share = argument;
      continue;
    }
    constexpr std::string_view known[] = {"--lang", "--theme", "--units", "--size", "--screenshot"};
    if (std::find(std::begin(known), std::end(known), argument) == std::end(known))
      wrong_usage(text.say("cli.bad_option", {{"option", argument}}), text);
    if (i + 1 == argc) wrong_usage(text.say("cli.needs_value", {{"option", argument}}), text);
    const char* value = argv[++i];
    const auto among = [&](std::initializer_list<std::string_view> choices) {
      if (std::find(choices.begin(), choices.end(), std::string_view(value)) == choices.end())
        wrong_usage(text.say("cli.bad_option", {{"option", argument + " " + value}}), text);
      return std::string(value);
    };
    if (argument == "--lang" && !is_spoken(value)) wrong_usage(text.say("cli.bad_lang", {{"lang", value}}), text);
    if (argument == "--lang") lang = value;
    else if (argument == "--theme") theme = among({"light", "dark"});
    else if (argument == "--units") units = among({"GB", "GiB"});
    else if (argument == "--screenshot") out.screenshot = value;
    else {
      char* rest = nullptr;
      out.width = static_cast<int>(std::strtol(value, &rest, 10));
      out.height = *rest == 'x' ? static_cast<int>(std::strtol(rest + 1, &rest, 10)) : 0;
      if (*rest || out.width < 320 || out.height < 240 || out.width > 8192 || out.height > 8192)
        wrong_usage(text.say("cli.window.size"), text);
    }
  }
  for (const auto& [name, value] : parse_share(out.share).view) {
    if (name == "lang" && lang.empty() && is_spoken(value)) out.region = lang = value;
    if (name == "theme" && theme.empty()) theme = value;
    if (name == "units" && units.empty()) units = value;
  }
  out.language = match_language(out.region, Language::en);
  out.units = match_units(units);
  out.dark = theme == "dark";
  return out;
}

struct Keys {
  int glfw;
  ImGuiKey imgui;
};
constexpr Keys keys[] = {
    {GLFW_KEY_LEFT, ImGuiKey_LeftArrow},
    {GLFW_KEY_RIGHT, ImGuiKey_RightArrow},
    {GLFW_KEY_UP, ImGuiKey_UpArrow},
    {GLFW_KEY_DOWN, ImGuiKey_DownArrow},
    {GLFW_KEY_ENTER, ImGuiKey_Enter},
    {GLFW_KEY_KP_ENTER, ImGuiKey_Enter},
    {GLFW_KEY_SPACE, ImGuiKey_Space},
    {GLFW_KEY_ESCAPE, ImGuiKey_Escape},
    {GLFW_KEY_BACKSPACE, ImGuiKey_Backspace},
    {GLFW_KEY_DELETE, ImGuiKey_Delete},
    {GLFW_KEY_HOME, ImGuiKey_Home},
    {GLFW_KEY_END, ImGuiKey_End},
    {GLFW_KEY_TAB, ImGuiKey_Tab},
    {GLFW_KEY_A, ImGuiKey_A},
    {GLFW_KEY_C, ImGuiKey_C},
    {GLFW_KEY_V, ImGuiKey_V},
    {GLFW_KEY_X, ImGuiKey_X},
    {GLFW_KEY_Y, ImGuiKey_Y},
    {GLFW_KEY_Z, ImGuiKey_Z},
};

App& app_of(GLFWwindow* window) { return *static_cast<App*>(glfwGetWindowUserPointer(window)); }

// Pointer positions come in screen coordinates, which on some systems are not pixels.
float pixels_per_coordinate(GLFWwindow* window) {
  int window_width, height, frame_width;
  glfwGetWindowSize(window, &window_width, &height);
  glfwGetFramebufferSize(window, &frame_width, &height);
  return window_width > 0 ? static_cast<float>(frame_width) / static_cast<float>(window_width) : 1;
}

void measure(GLFWwindow* window) {
  int width, height;
  float scale, unused;
  glfwGetFramebufferSize(window, &width, &height);
  glfwGetWindowContentScale(window, &scale, &unused);
  if (width > 0 && height > 0) app_of(window).resize(static_cast<float>(width), static_cast<float>(height), scale);
}

void listen(GLFWwindow* window) {
  glfwSetFramebufferSizeCallback(window, [](GLFWwindow* w, int, int) { measure(w); });
  glfwSetWindowContentScaleCallback(window, [](GLFWwindow* w, float, float) { measure(w); });
  glfwSetWindowRefreshCallback(window, [](GLFWwindow* w) { measure(w); });
  glfwSetCursorPosCallback(window, [](GLFWwindow* w, double x, double y) {
    const float ratio = pixels_per_coordinate(w);
    app_of(w).pointer_moved(static_cast<float>(x) * ratio, static_cast<float>(y) * ratio, false);
  });
  glfwSetCursorEnterCallback(window, [](GLFWwindow* w, int entered) {
    if (!entered) app_of(w).pointer_left();
  });
  glfwSetMouseButtonCallback(window, [](GLFWwindow* w, int button, int action, int) {
    if (button == GLFW_MOUSE_BUTTON_LEFT) app_of(w).pointer_button(action == GLFW_PRESS, false);
  });
  glfwSetScrollCallback(
      window, [](GLFWwindow* w, double dx, double dy) { app_of(w).wheel(static_cast<float>(dx), static_cast<float>(dy)); });
  glfwSetCharCallback(window, [](GLFWwindow* w, unsigned code) { app_of(w).character(code); });
  glfwSetWindowFocusCallback(window, [](GLFWwindow* w, int gained) { app_of(w).focus(gained, false); });
  glfwSetKeyCallback(window, [](GLFWwindow* w, int key, int, int action, int modifiers) {
    for (const Keys& k : keys) {
      if (k.glfw != key) continue;
      app_of(w).modifiers(modifiers & GLFW_MOD_SHIFT, modifiers & (GLFW_MOD_CONTROL | GLFW_MOD_SUPER));
      app_of(w).key_event(k.imgui, action != GLFW_RELEASE);
    }
  });
}

bool write_picture(const std::string& path, int width, int height) {
  std::vector<unsigned char> pixels(static_cast<std::size_t>(width) * height * 3);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, pixels.data());
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (!file) return false;
  bool written = std::fprintf(file, "P6\n%d %d\n255\n", width, height) > 0;
  // OpenGL counts rows from below.
  for (int y = height - 1; y >= 0; --y)
    written =
        std::fwrite(pixels.data() + static_cast<std::size_t>(y) * width * 3, static_cast<std::size_t>(width) * 3, 1, file) == 1 &&
        written;
  return std::fclose(file) == 0 && written;
}

void draw(GLFWwindow* window, App& app, double& last_seconds) {
  if (app.prepare()) ImGui_ImplOpenGL3_DestroyFontsTexture(), ImGui_ImplOpenGL3_CreateFontsTexture();
  ImGui_ImplOpenGL3_NewFrame();
  const double now = glfwGetTime();
  app.frame(static_cast<float>(now - last_seconds));
  last_seconds = now;
  int width, height;
  glfwGetFramebufferSize(window, &width, &height);
  glViewport(0, 0, width, height);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

int run(const Options& options) {
  glfwSetErrorCallback([](int, const char* what) { std::fprintf(stderr, "GLFW: %s\n", what); });
  if (!glfwInit()) return 1;
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 2);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  if (options.screenshot.empty()) glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
  GLFWwindow* window = glfwCreateWindow(options.width, options.height, "vramfit", nullptr, nullptr);
  if (!window) return 1;
  glfwMakeContextCurrent(window);
  glfwSwapInterval(1);
  int result = 0;
  {
    App app(built_in_table(options.language, options.region), options.language, options.units);
    glfwSetWindowUserPointer(window, &app);
    ImGui::GetIO().SetClipboardTextFn = [](void* w, const char* text) {
      glfwSetClipboardString(static_cast<GLFWwindow*>(w), text);
    };
    ImGui::GetIO().GetClipboardTextFn = [](void* w) { return glfwGetClipboardString(static_cast<GLFWwindow*>(w)); };
    ImGui::GetIO().ClipboardUserData = window;
    app.copy_caption = "canvas.copy";
    app.paint(built_in_palette(options.dark));
    app.arrange(true, true);
    app.session.open(options.share);
    ImGui_ImplOpenGL3_Init("#version 150");
    listen(window);
    measure(window);
    double last_seconds = 0;
    while (!glfwWindowShouldClose(window)) {
      draw(window, app, last_seconds);
      if (app.wants_copy()) glfwSetClipboardString(window, app.take_copy().c_str());
      app.session.take_change();
      if (!options.screenshot.empty() && !app.restless()) {
        int width, height;
        glfwGetFramebufferSize(window, &width, &height);
        if (!write_picture(options.screenshot, width, height)) {
          std::fprintf(stderr, "%s\n", app.session.text().say("cli.window.write", {{"file", options.screenshot}}).c_str());
          result = 1;
        }
        break;
      }
      glfwSwapBuffers(window);
      if (app.restless()) glfwPollEvents();
      else glfwWaitEvents();
    }
    ImGui_ImplOpenGL3_Shutdown();
  }
  glfwTerminate();
  return result;
}

}  // namespace
}  // namespace vramfit::shell

int main(int argc, char** argv) { return vramfit::shell::run(vramfit::shell::read_options(argc, argv)); }
