// Configurations: any bytes must end in a model that its own shape string gives again, or in a remark that says why not.
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "import/config.h"
#include "vramfit/kv_cache.h"
#include "vramfit/shape.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace vramfit;
  // A zero byte, which no JSON text has, stands between a configuration and a quantization file beside it.
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t zero = text.find('\0');
  const std::string_view beside = zero == std::string_view::npos ? std::string_view() : text.substr(zero + 1);
  const Imported imported = importer::import_config({"config.json", text.substr(0, zero)}, {"hf_quant_config.json", beside});
  bool error = false;
  for (const ImportRemark& remark : imported.remarks) {
    if (remark.id.empty() || remark.value.size() > 90) std::abort();
    error = error || remark.severity == Severity::error;
  }
  if (imported.ok == error) std::abort();
  if (!imported.ok) return 0;
  const ShapeResult again = parse_shape(imported.shape);
  if (!again.ok() || !(again.model == imported.model)) std::abort();
  const ParameterCount count = count_parameters(imported.model);
  if (!(count.total > 0) || !std::isfinite(count.total)) std::abort();
  sequence_cache(imported.model, *find_kv_format("bf16"), 4096, 8, StateDtype::checkpoint);
  return 0;
}
