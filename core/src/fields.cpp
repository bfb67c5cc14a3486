#include "vramfit/fields.h"

#include "vramfit/catalog.h"
#include "vramfit/formats.h"

namespace vramfit {
namespace {

constexpr Id tasks[] = {"serve", "full", "lora", "qlora"};
constexpr Id methods[] = {"rule", "worksheet"};
constexpr Id situations[] = {"auto", "batch1", "serving", "production", "long-context", "benchmark"};
constexpr Id state_recipes[] = {"18-byte", "16-byte", "8-byte"};
constexpr Id checkpointing_choices[] = {"full", "none"};
constexpr Id group_sizes[] = {"32", "64", "128", "channel"};

bool always(const Inputs&) { return true; }
bool bare(const Inputs& in) { return in.bare_size(); }
bool serving(const Inputs& in) { return !in.training(); }
bool training(const Inputs& in) { return in.training(); }
bool adapters(const Inputs& in) { return in.is(FieldId::task, "lora") || in.is(FieldId::task, "qlora"); }
bool full_training(const Inputs& in) { return in.is(FieldId::task, "full"); }
bool worksheet_serving(const Inputs& in) { return in.is(FieldId::method, "worksheet") && !in.training(); }
bool chunked_prefill(const Inputs& in) {
  const Recipe* recipe = find_recipe(in.text(FieldId::weights));
  return worksheet_serving(in) && recipe && recipe->kind != RecipeKind::ggml_mix;
}
bool worksheet(const Inputs& in) { return in.is(FieldId::method, "worksheet"); }
bool grouped_format(const Inputs& in) {
  const Recipe* recipe = find_recipe(in.text(FieldId::weights));
  return !in.training() && recipe && recipe->takes_group_size;
}

using K = FieldKind;
using G = FieldGroup;

// In FieldId's order, which is also the canonical order of the share string.
constexpr Field table[num_fields] = {
    {"task", K::choice, G::workload, "", 0, 0, 0, false, "serve", false, tasks, always, true},
    {"model", K::choice, G::model, "", 0, 0, 0, false, "llama-3.1-70b", true, {}, always, true},
    {"params", K::params, G::model, "params", 1e6, 1e14, 7e9, false, "", false, {}, bare, true},
    {"num_layers", K::number, G::model, "layers", 1, 4096, 0, true, "", true, {}, bare},
    {"hidden_size", K::number, G::model, "", 1, 1 << 20, 0, true, "", true, {}, bare},
    {"intermediate_size", K::number, G::model, "", 1, 1 << 22, 0, true, "", true, {}, bare},
    {"vocab_size", K::number, G::model, "", 1, 1 << 24, 0, true, "", true, {}, bare},
    {"num_heads", K::number, G::model, "", 1, 4096, 0, true, "", true, {}, bare},
    {"num_kv_heads", K::number, G::model, "", 1, 4096, 0, true, "", true, {}, bare},
    {"head_dim", K::number, G::model, "", 1, 8192, 0, true, "", true, {}, bare},
    {"weights", K::choice, G::precision, "", 0, 0, 0, false, "fp8", false, {}, serving, true},
    {"group_size", K::choice, G::precision, "", 0, 0, 0, false, "128", false, group_sizes, grouped_format},
    {"kv", K::choice, G::precision, "", 0, 0, 0, false, "bf16", false, {}, serving},
    {"context", K::tokens, G::workload, "tokens", 1, 1 << 28, 4096, true, "", false, {}, always, true},
    {"sequences", K::number, G::workload, "sequences", 1, 65536, 1, true, "", false, {}, serving, true},
    {"states", K::choice, G::training, "", 0, 0, 0, false, "18-byte", false, state_recipes, full_training},
    {"checkpointing", K::choice, G::training, "", 0, 0, 0, false, "full", false, checkpointing_choices, training},
    {"micro_batch", K::number, G::training, "sequences", 1, 4096, 1, true, "", false, {}, training},
    {"lora_rank", K::number, G::training, "", 1, 4096, 16, true, "", false, {}, adapters},
    {"method", K::choice, G::method, "", 0, 0, 0, false, "rule", false, methods, always},
    {"situation", K::choice, G::method, "", 0, 0, 0, false, "auto", false, situations, worksheet_serving},
    {"headroom", K::number, G::method, "percent", 0.1, 95, 0, false, "", true, {}, worksheet},
    {"batched_tokens", K::tokens, G::method, "tokens", 1, 1 << 20, 8192, true, "", false, {}, chunked_prefill},
    {"gpus", K::gpu_list, G::hardware, "", 0, 0, 0, false, "article", false, {}, always, true},
    {"gpu", K::choice, G::hardware, "", 0, 0, 0, false, "", true, {}, always, true},
    {"count", K::number, G::hardware, "gpus", 1, 8, 0, true, "", true, {}, always},
    {"prices", K::choice, G::hardware, "", 0, 0, 0, false, "market", false, {}, always},
};

}  // namespace

std::span<const Field> fields() { return table; }
const Field& field(FieldId id) { return table[static_cast<int>(id)]; }

const Field* find_field(Id key) {
  for (const Field& f : table)
    if (f.key == key) return &f;
  return nullptr;
}

std::vector<Id> choices_of(const Field& f) {
  std::vector<Id> ids;
  const auto add_all = [&](std::span<const Id> list) {
    for (const Id id : list) ids.push_back(id);
  };
  add_all(f.choices);
  if (f.key == "weights")
    for (const Recipe& recipe : recipes()) ids.push_back(recipe.id);
  if (f.key == "kv")
    for (const KvFormat& format : kv_formats()) ids.push_back(format.id);
  if (f.key == "prices") add_all(price_books());
  if (f.key == "gpus") {
    ids.push_back("all");
    add_all(gpu_set_names());
  }
  return ids;
}

Inputs::Inputs() {
  for (int i = 0; i < num_fields; ++i) {
    values[i].number = table[i].default_number;
    values[i].text.assign(table[i].default_text);
  }
}

bool Inputs::is_default(FieldId id) const {
  const Field& f = field(id);
  const Value& v = values[static_cast<int>(id)];
  return v.number == f.default_number && v.text == f.default_text;
}

}  // namespace vramfit
