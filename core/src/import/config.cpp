#include "import/config.h"

#include <algorithm>
#include <cmath>

#include "import/config_build.h"
#include "import/quantization.h"
#include "vramfit/shape.h"

namespace vramfit::importer {
namespace {

// How many letters must change, be added or taken away to turn one name into the other.
int distance(std::string_view a, std::string_view c) {
  std::vector<int> row(c.size() + 1);
  for (std::size_t j = 0; j <= c.size(); ++j) row[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= c.size(); ++j) {
      const int changed = diagonal + (a[i - 1] != c[j - 1]);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, changed});
    }
  }
  return row[c.size()];
}

std::string nearest_types(std::string_view type) {
  type = type.substr(0, 40);
  std::vector<std::pair<int, std::string_view>> order;
  for (const std::string_view known : known_types()) order.emplace_back(distance(type, known), known);
  std::sort(order.begin(), order.end());
  std::string out;
  for (std::size_t i = 0; i < order.size() && i < 3; ++i) out += (i == 0 ? "" : ", ") + std::string(order[i].second);
  return out;
}

// Kinds of layers as the model numbers them. Returns -1 when there are more than it can hold.
template <class T>
int kind_of(T (&kinds)[Model::max_kinds], int& count, const T& kind) {
  for (int i = 0; i < count; ++i)
    if (kinds[i] == kind) return i;
  if (count == Model::max_kinds) return -1;
  kinds[count] = kind;
  return count++;
}

void finish_layers(Build& b) {
  Model& m = b.model;
  const auto too_many = [&] {
    add_error(b.out, "import-limit", b.text.file(), b.text.path("num_hidden_layers"), {}, {}, Model::max_runs);
  };
  for (const Layer& layer : b.layers) {
    const int mixer = kind_of(m.mixers, m.num_mixers, layer.mixer);
    const int feed_forward = kind_of(m.feed_forwards, m.num_feed_forwards, layer.feed_forward);
    if (mixer < 0 || feed_forward < 0) return too_many();
    LayerRun* last = m.num_runs > 0 ? &m.runs[m.num_runs - 1] : nullptr;
    if (last && last->mixer == mixer && last->feed_forward == feed_forward) {
      ++last->count;
      continue;
    }
    if (m.num_runs == Model::max_runs) return too_many();
    m.runs[m.num_runs++] = {static_cast<std::uint8_t>(mixer), static_cast<std::uint8_t>(feed_forward), 1};
  }
  if (b.num_mtp_layers == 0) return;
  const int mixer = kind_of(m.mixers, m.num_mixers, b.mtp.mixer);
  const int feed_forward = kind_of(m.feed_forwards, m.num_feed_forwards, b.mtp.feed_forward);
  if (mixer < 0 || feed_forward < 0) return too_many();
  m.num_mtp_layers = b.num_mtp_layers;
  m.mtp_mixer = mixer;
  m.mtp_feed_forward = feed_forward;
}

void count_classes(Imported& out) {
  double params[static_cast<int>(TensorClass::tower) + 1] = {};
  for_each_tensor(out.model, false, [&](const Tensor& t) { params[static_cast<int>(t.cls)] += t.elements(); });
  for (int c = 0; c <= static_cast<int>(TensorClass::tower); ++c)
    if (params[c] > 0) out.classes.push_back({static_cast<TensorClass>(c), params[c], 0});
}

// A bare model, or one that classifies, has no output matrix; its first architecture says so.
void read_architecture(Build& b) {
  std::string_view first;
  b.root.object().find("architectures").elements([&](JsonValue v) {
    if (first.empty()) first = v.string();
  });
  const auto has = [&](std::string_view part) { return first.find(part) != std::string_view::npos; };
  const bool bare = first.size() > 5 && first.substr(first.size() - 5) == "Model" && !has("For") && !has("LMHead");
  const bool classifies = has("ForSequenceClassification") || has("ForTokenClassification");
  if (b.model.no_head || !(bare || classifies) || b.traits.type == "chatglm") return;  // ChatGLMModel generates all the same
  b.model.no_head = true;
  b.text.rule("import-rule-no-head", std::string(first.substr(0, 80)));
}

// `name` is the model's, when the file says where it came from.
std::string name_in(const Fields& root) {
  const std::string_view path = root.object().find("_name_or_path").string();
  if (path.empty() || path[0] == '/' || path[0] == '.' || std::count(path.begin(), path.end(), '/') != 1) return {};
  return std::string(path.substr(0, 80));
}

// The language model's part of a file, and its class. Null: a remark says why.
const Traits* traits_of(const Fields& root, const Wrapper* wrapper, Fields& text) {
  std::string_view type = root.text("model_type");
  if (type.empty()) {
    if (!root.has("model_type") || root.find("model_type").is_string()) root.missing("model_type", "llama, qwen3, mistral");
    return nullptr;
  }
  if (wrapper) {
    std::string_view inner;
    if (!wrapper->text.empty() && root.find(wrapper->text).is_object()) {
      text = root.inside(wrapper->text);
      inner = text.text("model_type");
    }
    type = wrapper->default_type;
    if (wrapper->own_text) type = wrapper->default_type;
    else if (find_traits(inner)) type = inner;
    else if (const Wrapper* second = find_wrapper(inner)) type = second->default_type;
    else if (!inner.empty()) text.rule("import-rule-text-class", std::string(inner.substr(0, 80)) + " = " + std::string(type));
  }
  const Traits* traits = find_traits(type);
  if (!traits) root.error("import-unknown-type", "model_type", root.find("model_type"), nearest_types(type));
  return traits;
}

void import_object(Imported& out, std::string_view file, JsonValue object, JsonValue quantization,
                   std::string_view quantization_file) {
  const Fields root(out, std::string(file), object, {});
  Fields text(out, std::string(file), object, {});
  const bool params = is_params_json(root);
  if (params) out.origin = "params";
  out.type = params ? "params" : std::string(object.find("model_type").string().substr(0, 80));
  const Wrapper* wrapper = params ? params_wrapper(root) : find_wrapper(out.type);
  const Traits* traits = params ? params_traits(root) : traits_of(root, wrapper, text);
  if (!traits) return;

  Build b{out, root, text, *traits, {}, {}, {}, {}, 0};
  if (traits->build) traits->build(b);
  else build_decoder(b);
  if (b.failed()) return;
  if (wrapper && wrapper->tower) {
    const double tower = wrapper->tower(b);
    if (b.failed()) return;
    if (tower > 0) {
      b.model.tower_params = tower;
      root.rule("import-rule-tower", params ? "vision_encoder" : "vision_config");
    } else if (root.has("vision_config|audio_config|vision_encoder|thinker_config")) {
      b.warn("import-tower-unknown", root.has("vision_config")  ? "vision_config"
                                     : root.has("audio_config") ? "audio_config"
                                                                : "thinker_config");
    }
    if (!(tower >= 0 && tower < 1e15)) return add_error(out, "import-out-of-range", file, "vision_config", {}, {}, 1e15);
  }
  if (!wrapper) read_architecture(b);
  finish_layers(b);
  if (b.failed()) return;
  out.model = b.model;
  out.model.max_position_embeddings = static_cast<int>(out.max_position_embeddings);
  out.name = name_in(root);
  JsonValue section = root.find("quantization_config|compression_config|quantization");
  if (section.is_null()) section = text.find("quantization_config|compression_config");
  const std::string_view dtype = root.has("dtype|torch_dtype") ? root.text("dtype|torch_dtype") : text.text("dtype|torch_dtype");
  out.formats = quantization_formats(out, file, section, quantization, quantization_file, dtype,
                                     root.object().find("expert_dtype").string());
  if (b.failed()) return;
  out.shape = write_shape(out.model);
  // Sums of fields may be larger than one field can be.
  if (const ShapeResult again = parse_shape(out.shape); !again.ok()) {
    std::string_view part = std::string_view(out.shape).substr(std::min(again.offset, out.shape.size()));
    part = part.substr(0, part.find_first_of(",;"));
    add_error(out, "import-out-of-range", file, {}, std::string(part.substr(0, 80)), {}, Fields::max_number);
    out.shape.clear();
    return;
  }
  count_classes(out);
  out.ok = true;
}

bool parse(Imported& out, const ConfigFile& file, Json& json) {
  if (!json.parse(file.text)) {
    add_error(out, json.error, file.name, {}, json.error_value.substr(0, 80), {}, static_cast<double>(json.error_offset));
    return false;
  }
  if (json.root().is_object()) return true;
  add_error(out, "import-not-object", file.name, {}, json.root().written(), {});
  return false;
}

}  // namespace

Imported import_config(const ConfigFile& config, const ConfigFile& quantization) {
  Imported out;
  out.origin = "config";
  Json json, beside;
  if (!parse(out, config, json)) return out;
  if (!quantization.text.empty() && !parse(out, quantization, beside)) return out;
  import_object(out, config.name, json.root(), beside.root(), quantization.name);
  return out;
}

}  // namespace vramfit::importer
