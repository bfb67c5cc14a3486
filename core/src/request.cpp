#include "request.h"

#include <algorithm>
#include <cmath>

#include "vramfit/format_table.h"
#include "vramfit/shape.h"
#include "vramfit/share_string.h"

namespace vramfit {
namespace {

constexpr int max_name_bytes = 80;

struct Resolver {
  Request& r;
  std::vector<Notice>& notices;
  const PriceList* listed;
  int stored_group = -1;  // elements that share a scale, where the model's files say it
  std::vector<int> place_of_gpu = std::vector<int>(gpus().size());

  void unknown_choice(FieldId id) { note(notices, Severity::error, "unknown-choice", field(id).key, r.in.text(id)); }

  void fixed_choices() {
    for (int i = 0; i < num_fields; ++i) {
      const Field& f = fields()[i];
      if (f.choices.empty()) continue;
      const Id typed = r.in.text(static_cast<FieldId>(i));
      if (std::find(f.choices.begin(), f.choices.end(), typed) == f.choices.end()) unknown_choice(static_cast<FieldId>(i));
    }
  }

  void catalogue_model() {
    const ModelEntry* entry = find_model(r.in.text(FieldId::model));
    if (!entry) {
      note(notices, Severity::error, "unknown-model", "model", r.in.text(FieldId::model));
      return;
    }
    r.model = parse_shape(entry->shape, true).model;
    r.has_layers = true;
    r.has_cache_shape = true;
    r.summary.id = entry->id;
    r.summary.name = entry->name;
    r.summary.stated_params = entry->stated_params;
    r.summary.max_position_embeddings = entry->max_position_embeddings;
    if (r.in.is(FieldId::weights, "native")) r.recipe = find_recipe(entry->native);
  }

  // Of a text that is not understood: from where on, and how it goes on there.
  void refuse(FieldId id, const char* error, std::size_t offset) {
    constexpr std::size_t shown = 24;
    note(notices, Severity::error, error, field(id).key, r.in.text(id).substr(offset, shown), double(offset + 1));
  }

  // Cut where a character of UTF-8 begins.
  Id name() {
    const Id typed = r.in.text(FieldId::name);
    std::size_t length = max_name_bytes;
    if (typed.size() <= length) return typed;
    note(notices, Severity::warning, "name-cut", "name", typed, max_name_bytes);
    while ((static_cast<unsigned char>(typed[length]) & 0xC0) == 0x80) --length;
    return typed.substr(0, length);
  }

  // A model of the reader's own.
  void imported_model() {
    if (!reads_imported_models()) return note(notices, Severity::error, "engine-not-loaded", "shape");
    const ShapeResult shape = parse_shape(r.in.text(FieldId::shape));
    if (!shape.ok()) return refuse(FieldId::shape, shape.error, shape.offset);
    r.model = shape.model;
    r.has_layers = true;
    r.has_cache_shape = true;
    r.summary.name = name();
    const double stated = r.model.stated_params;
    r.summary.stated_params = stated > 0 ? stated : count_parameters(r.model).total;
    r.summary.max_position_embeddings = r.model.max_position_embeddings;
    if (r.in.is(FieldId::weights, "native")) r.recipe = find_recipe("bf16");
    const Id table = r.in.text(FieldId::formats);
    if (table.empty()) return;
    const FormatTableResult read = parse_format_table(table);
    if (!read.ok()) return refuse(FieldId::formats, read.error, read.offset);
    if (!r.in.is(FieldId::weights, "native") || r.in.training()) return;
    r.model.stored = read.stored;
    r.recipe = &closest_recipe(r.model);
    for (int i = 0; i < read.stored.num_sections; ++i)
      if (read.stored.sections[i].format == r.recipe->format) stored_group = read.stored.sections[i].group;
    // Shared over the most ranks there can be, none would be left with less than nothing.
    const double explained = weight_bytes(r.model, *r.recipe, 0).total - read.stored.rest_bytes;
    if (read.stored.rest_bytes < -explained / max_gpu_count)
      refuse(FieldId::formats, "formats-rest", std::min(table.rfind("rest"), table.size()));
  }

  // A bare size, with as much of a shape as was typed: grouped-query layers over a gated feed-forward.
  void typed_model() {
    r.summary.stated_params = r.in.number(FieldId::params);
    const auto number = [&](FieldId id) { return static_cast<int>(r.in.number(id)); };
    const int layers = number(FieldId::num_layers);
    const int kv_heads = number(FieldId::num_kv_heads);
    const int head_dim = number(FieldId::head_dim);
    Model& m = r.model;
    Mixer& x = m.mixers[0];
    x.num_heads = number(FieldId::num_heads);
    if (layers > 0 && kv_heads > 0 && head_dim > 0) {
      r.has_cache_shape = true;
      x.kind = MixerKind::full;
      x.num_kv_heads = kv_heads;
      x.head_dim = x.v_head_dim = head_dim;
      m.num_mixers = m.num_runs = m.num_feed_forwards = 1;
      m.runs[0] = {0, 0, static_cast<std::uint16_t>(layers)};
    }
    m.hidden_size = number(FieldId::hidden_size);
    m.vocab_size = number(FieldId::vocab_size);
    m.feed_forwards[0].intermediate_size = number(FieldId::intermediate_size);
    r.has_layers =
        r.has_cache_shape && x.num_heads > 0 && m.hidden_size > 0 && m.vocab_size > 0 && m.feed_forwards[0].intermediate_size > 0;
    if (r.has_layers) m.feed_forwards[0].kind = FeedForwardKind::dense;
    if (r.in.is(FieldId::weights, "native")) note(notices, Severity::error, "native-needs-model", "weights", "native");
  }

  void formats() {
    if (!r.recipe) r.recipe = find_recipe(r.in.text(FieldId::weights));
    if (!r.recipe) {
      unknown_choice(FieldId::weights);
      r.recipe = find_recipe("bf16");
    }
    if (r.in.training()) r.recipe = find_recipe(r.in.is(FieldId::task, "qlora") ? "nf4-dq" : "bf16");
    r.kv = find_kv_format(r.in.text(FieldId::kv));
    if (!r.kv) {
      unknown_choice(FieldId::kv);
      r.kv = find_kv_format("bf16");
    }
    const Id group = r.in.text(FieldId::group_size);
    r.group_size = stored_group >= 0 ? stored_group : group == "channel" ? 0 : group == "32" ? 32 : group == "64" ? 64 : 128;
    r.split = r.in.training() ? Split::shard : r.ggml() ? Split::layer : Split::tensor;
  }

  void summarize() {
    ModelSummary& s = r.summary;
    s.has_layers = r.has_layers;
    s.num_layers = r.model.num_layers();
    if (const Mixer* attention = first_attention(r.model)) {
      s.num_heads = attention->num_heads;
      s.num_kv_heads = attention->num_kv_heads;
    } else {
      s.num_heads = r.model.mixers[0].num_heads;  // typed without layers, or of a state-space model
    }
    if (r.in.bare_size()) return;
    s.exact = count_parameters(r.model);
    // Full fine-tuning counts bytes per parameter.
    if (!r.in.is(FieldId::task, "full")) r.weight_bytes = weight_bytes(r.model, *r.recipe, r.group_size);
  }

  // `id` or an alias of it; -1 with a notice when neither.
  int gpu_named(Id key, Id id) {
    const int gpu = find_gpu(id);
    if (gpu >= 0) return gpu;
    for (const Id maker : {"nvidia-", "geforce-", "tesla-", "amd-", "radeon-", "instinct-", "intel-"})
      if (id.substr(0, maker.size()) == maker) return gpu_named(key, id.substr(maker.size()));
    if (const GpuAlias* alias = find_gpu_alias(id)) {
      if (alias->ambiguous) note(notices, Severity::info, "ambiguous-gpu", key, gpus()[alias->gpu].id);
      return alias->gpu;
    }
    note(notices, Severity::warning, "unknown-gpu", key, id);
    return -1;
  }

  std::optional<GpuPrice> price_of(int gpu) const {
    if (listed) {
      for (const ListedPrice& p : listed->prices)
        if (p.gpu == gpu) return GpuPrice{p.usd_per_hour, "host", listed->provider, listed->date, p.kind};
    } else if (const PriceEntry* p = find_price(gpu, r.in.text(FieldId::prices))) {
      return GpuPrice{p->usd_per_hour, p->book, p->provider, p->date, p->kind};
    }
    return {};
  }

  void add_candidate(int gpu, std::optional<double> usd) {
    int& place = place_of_gpu[gpu];  // one-based; 0: not yet a candidate
    if (place == 0) {
      CandidateGpu& c = r.candidates.emplace_back();
      place = static_cast<int>(r.candidates.size());
      c.gpu = gpu;
      c.price = price_of(gpu);
    }
    if (usd) r.candidates[place - 1].price = GpuPrice{*usd, "own", "", "", PriceKind::own};
  }

  void add_set(Id name) {
    const auto names = gpu_set_names();
    const auto at = std::find(names.begin(), names.end(), name);
    for (int g = 0; g < static_cast<int>(gpus().size()); ++g)
      if (name == "all" || (at != names.end() && (gpus()[g].sets >> (at - names.begin()) & 1))) add_candidate(g, {});
  }

  // How many decimals a price with a decimal comma has in the rest of the list: 2 in "h200:3,20,b200", where no card is
  // called 20.
  static std::size_t decimals_after(Id price, Id list) {
    constexpr std::string_view figures = "0123456789";
    const Id next = list.substr(0, list.find(','));
    const bool numbers =
        !price.empty() && price.find_first_not_of(figures) == Id::npos && next.find_first_not_of(figures) == Id::npos;
    return numbers && find_gpu(next) < 0 && !find_gpu_alias(next) ? next.size() : 0;
  }

  void candidate_gpus() {
    Id list = r.in.text(FieldId::gpus);
    const auto names = gpu_set_names();
    while (!list.empty()) {
      const std::size_t comma = std::min(list.find(','), list.size());
      Id item = list.substr(0, comma);
      list.remove_prefix(std::min(comma + 1, list.size()));
      while (!item.empty() && item.front() == ' ') item.remove_prefix(1);
      while (!item.empty() && item.back() == ' ') item.remove_suffix(1);
      if (item.empty()) continue;
      if (item == "all" || std::find(names.begin(), names.end(), item) != names.end()) {
        add_set(item);
        continue;
      }
      const std::size_t colon = std::min(item.find(':'), item.size());
      std::optional<double> usd;
      if (colon < item.size()) {
        double price = 0;
        std::string typed(item.substr(colon + 1));
        if (const std::size_t decimals = decimals_after(typed, list); decimals > 0) {
          item = Id(item.data(), item.size() + 1 + decimals);  // the comma and what follows it
          note(notices, Severity::warning, "decimal-comma", "gpus", item);
          (typed += '.') += list.substr(0, decimals);
          list.remove_prefix(std::min(decimals + 1, list.size()));
        }
        if (parse_number(FieldKind::number, typed, price) && valid_price(price)) usd = price;
        else note(notices, Severity::warning, "bad-price", "gpus", item);
      }
      const int gpu = gpu_named("gpus", item.substr(0, colon));
      if (gpu >= 0) add_candidate(gpu, usd);
    }
    if (const Id chosen = r.in.text(FieldId::gpu); !chosen.empty()) {
      r.chosen_gpu = gpu_named("gpu", chosen);
      if (r.chosen_gpu >= 0) add_candidate(r.chosen_gpu, {});
    }
    if (r.candidates.empty()) note(notices, Severity::error, "no-gpus", "gpus", r.in.text(FieldId::gpus));
    const auto books = price_books();
    if (const Id book = r.in.text(FieldId::prices); std::find(books.begin(), books.end(), book) == books.end())
      unknown_choice(FieldId::prices);
  }

  void remarks() {
    for (int i = 0; i < num_fields; ++i) {
      const auto id = static_cast<FieldId>(i);
      if (!r.in.is_default(id) && !applies(fields()[i], r.in, listed) && !(id == FieldId::model || id == FieldId::params))
        note(notices, Severity::info, "field-not-used", fields()[i].key);
    }
    if (reads_imported_models() && r.in.imported() && !r.in.is_default(FieldId::model))
      note(notices, Severity::info, "field-not-used", "model");
    if (!r.in.bare_size() && !r.in.is_default(FieldId::params)) note(notices, Severity::info, "field-not-used", "params");
    const double limit = r.summary.max_position_embeddings;
    if (limit > 0 && r.context() > limit) note(notices, Severity::warning, "context-beyond-model", "context", "", limit);
    if (r.ggml() && r.model.tower_params > 0)
      note(notices, Severity::info, "tower-separate-file", "weights", "", 2 * r.model.tower_params);
    if (r.recipe->format == Format::int4_flat) note(notices, Severity::info, "metadata-not-counted", "weights");
    if (r.has_layers && r.summary.exact.total > 0 && r.summary.exact.active < 0.7 * r.summary.exact.text)
      note(notices, Severity::info, "mixture-resident", "model", "", r.summary.exact.active);
  }
};

}  // namespace

Request resolve(const Inputs& inputs, std::vector<Notice>& notices, const PriceList* list) {
  Request request{inputs, {}, false, false, {}, {}, nullptr, nullptr, 128, Split::tensor, {}, -1};
  Resolver resolver{request, notices, list};
  request.candidates.reserve(gpus().size());
  resolver.fixed_choices();
  if (inputs.bare_size()) resolver.typed_model();
  else if (inputs.imported()) resolver.imported_model();
  else resolver.catalogue_model();
  resolver.formats();
  resolver.summarize();
  resolver.candidate_gpus();
  resolver.remarks();
  return request;
}

// vLLM's own start-up checks (source id vllm-splits): query heads, KV heads, state heads, feed-forward width and the vocabulary
// (padded to 64) must each divide.
SplitCheck check_split(const Request& request, int count) {
  if (count == 1) return {};
  if (request.split == Split::shard) return {};
  const Model& model = request.model;
  if (request.split == Split::layer)
    return request.summary.num_layers > 0 && count > request.summary.num_layers
               ? SplitCheck{"layers", double(request.summary.num_layers)}
               : SplitCheck{};

  const auto divides = [count](int n) { return n % count == 0; };
  if (!request.has_layers) {
    const int heads = model.mixers[0].num_heads;
    if (heads > 0) return divides(heads) ? SplitCheck{} : SplitCheck{"heads", double(heads)};
    return count == 2 || count == 4 || count == 8 ? SplitCheck{} : SplitCheck{"heads-unknown", 0};
  }
  for (int m = 0; m < model.num_mixers; ++m) {
    const Mixer& x = model.mixers[m];
    if (x.kind == MixerKind::none) continue;
    if (x.kind == MixerKind::mamba1 || x.kind == MixerKind::short_conv) {
      if (!divides(x.inner_size)) return {"state-channels", double(x.inner_size)};
    } else if (is_recurrent(x.kind)) {
      if (!divides(x.num_heads)) return {"state-heads", double(x.num_heads)};
      if (x.num_key_heads > 0 && !divides(x.num_key_heads)) return {"state-heads", double(x.num_key_heads)};
    } else {
      if (!divides(x.num_heads)) return {"heads", double(x.num_heads)};
      const bool one_latent = x.kind == MixerKind::latent || x.kind == MixerKind::compressed;
      if (!one_latent && !divides(x.num_kv_heads) && count % std::max(1, x.num_kv_heads) != 0)
        return {"kv-heads", double(x.num_kv_heads)};
    }
  }
  for (int f = 0; f < model.num_feed_forwards; ++f) {
    const FeedForward& ff = model.feed_forwards[f];
    for (const int width : {ff.intermediate_size, ff.moe_intermediate_size, ff.shared_intermediate_size})
      if (width > 0 && !divides(width)) return {"ffn-width", double(width)};
  }
  const int padded_vocab = (model.vocab_size + 63) / 64 * 64;
  if (!divides(padded_vocab)) return {"vocabulary", double(padded_vocab)};
  return {};
}

}  // namespace vramfit
