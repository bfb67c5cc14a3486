// What building one frame of the canvas takes, without drawing it: medians on this machine, for comparison with each other.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "app/app.h"
#include "text/built_in.h"

using namespace vramfit;
using namespace vramfit::shell;

namespace {

double median_ms(int times, const std::function<void(int)>& work) {
  std::vector<double> ms;
  for (int i = 0; i < times; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work(i);
    ms.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }
  std::nth_element(ms.begin(), ms.begin() + times / 2, ms.end());
  return ms[times / 2];
}

void measure(const char* share) {
  App app(std::string(built_in_table(Language::en)), Language::en, Units::own);
  app.resize(1280, 860, 1);
  app.arrange(true, true);
  app.session.open(share);
  app.prepare();
  for (int i = 0; i < 10; ++i) app.frame(0.016f);
  const double frame = median_ms(500, [&](int) { app.frame(0.016f); });
  const double edited = median_ms(100, [&](int i) {
    app.session.enter(FieldId::context, 4096 + 256 * (i + 1));
    app.session.settle();
    app.frame(0.016f);
  });
  int vertices = ImGui::GetDrawData()->TotalVtxCount;
  std::printf("%-44s %7.3f ms a frame %7.3f ms with an edit %7d vertices\n", *share ? share : "(defaults)", frame, edited,
              vertices);
}

}  // namespace

int main() {
  for (const char* share :
       {"", "gpus=all", "gpus=all&method=worksheet", "gpus=all&method=worksheet&model=deepseek-v3&gpu=h200&count=8"})
    measure(share);
}
