// In place of the engine method, for the module that answers first: it says that it has none.
#include "engine.h"

namespace vramfit {

bool has_engine_method() { return false; }
bool reads_imported_models() { return false; }

MethodResult engine_method(const Request&, int, int, EngineReport&) {
  MethodResult none;
  none.id = "engine";
  return none;
}
Layout engine_layout(const Request&, int, int count) {
  Layout none;
  none.count = count;
  return none;
}
std::vector<FitRow> engine_fit(const Request&) { return {}; }
void engine_errors(const Request&, std::vector<Notice>& notices) {
  note(notices, Severity::error, "engine-not-loaded", "method");
}
void engine_notices(const Request&, int, int, Id, const EngineReport&, std::vector<Notice>&) {}

}  // namespace vramfit
