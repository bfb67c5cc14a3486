#include "json_writer.h"
#include "result_json.h"
#include "vramfit/catalog.h"
#include "vramfit/fields.h"

namespace vramfit {
namespace {

Id group_id(FieldGroup g) {
  static constexpr Id ids[] = {"model", "precision", "workload", "training", "method", "hardware", "engine"};
  return ids[static_cast<int>(g)];
}
Id kind_id(FieldKind k) {
  static constexpr Id ids[] = {"choice", "number", "tokens", "params", "text", "gpu-list"};
  return ids[static_cast<int>(k)];
}

}  // namespace

std::string catalog_json() {
  JsonWriter w;
  w.open('{');
  w.member("version", Id(VRAMFIT_VERSION));
  w.member("date", catalog_date());
  w.key("fields");
  w.open('[');
  for (const Field& f : fields()) {
    w.open('{');
    w.member("key", f.key);
    w.member("kind", kind_id(f.kind));
    w.member("group", group_id(f.group));
    w.member("unit", f.unit);
    w.member("optional", f.optional);
    w.member("common", f.common);
    if (f.numeric()) {
      w.member("minimum", f.minimum);
      w.member("maximum", f.maximum);
      w.member("whole", f.whole);
      w.key("default");
      f.optional ? w.null() : w.number(f.default_number);
    } else {
      w.member("default", f.default_text);
      w.key("choices");
      w.open('[');
      for (const Id choice : choices_of(f)) w.id(choice);
      w.close(']');
    }
    w.close('}');
  }
  w.close(']');
  w.key("models");
  w.open('[');
  for (const ModelEntry& m : models()) {
    w.open('{');
    w.member("id", m.id);
    w.member("name", m.name);
    w.member("family", m.family);
    w.member("stated_params", m.stated_params);
    w.member("native", m.native);
    w.member("max_position_embeddings", m.max_position_embeddings);
    w.close('}');
  }
  w.close(']');
  w.key("gpus");
  w.open('[');
  for (const GpuEntry& g : gpus()) {
    w.open('{');
    w.member("id", g.id);
    w.member("name", g.name);
    w.member("vendor", g.vendor);
    w.member("form", form_id(g.form));
    w.member("link", g.link);
    w.member("marketed_gb", g.marketed.value);
    w.member("usable_mib", g.usable.value);
    w.member("usable_basis", basis_id(g.basis));
    w.member("bandwidth_gbs", g.bandwidth_gbs);
    w.member("max_per_node", g.max_per_node);
    w.key("sets");
    w.open('[');
    for (std::size_t i = 0; i < gpu_set_names().size(); ++i)
      if (g.sets >> i & 1) w.id(gpu_set_names()[i]);
    w.close(']');
    w.close('}');
  }
  w.close(']');
  w.close('}');
  return std::string(w.written());
}

}  // namespace vramfit
