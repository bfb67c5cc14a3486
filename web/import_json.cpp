#include "import_json.h"

#include "json_writer.h"
#include "vramfit/kv_cache.h"
#include "vramfit/shape.h"

namespace vramfit {
namespace {

constexpr Id severity_ids[] = {"info", "warning", "error"};
constexpr Id mixer_ids[] = {"none",   "full",       "sliding",         "chunked",    "cross",
                            "latent", "compressed", "gated-delta-net", "kimi-delta", "lightning",
                            "mamba1", "mamba2",     "short-conv"};
constexpr Id feed_forward_ids[] = {"none", "dense", "mixture", "dense-and-mixture"};
struct Writer {
  const Imported& imported;
  JsonWriter w = {};

  // Layers of one kind, wherever they lie: `layers` is `0-3,8`.
  void layers() {
    const Model& m = imported.model;
    const CacheBreakdown cache = sequence_cache(m, *find_kv_format("bf16"), long_context, 1, StateDtype::checkpoint);
    w.key("layers");
    w.open('[');
    for (int first = 0; first < m.num_runs; ++first) {
      const LayerRun& run = m.runs[first];
      bool earlier = false;
      for (int r = 0; r < first; ++r) earlier |= same(m.runs[r], run);
      if (earlier) continue;
      std::string where;
      double count = 0;
      int layer = 0;
      for (int r = 0; r < m.num_runs; layer += m.runs[r++].count) {
        if (!same(m.runs[r], run)) continue;
        const int last = layer + m.runs[r].count - 1;
        if (!where.empty()) where += ',';
        where += std::to_string(layer);
        if (last > layer) where += '-' + std::to_string(last);
        count += m.runs[r].count;
      }
      w.open('{');
      mixer(m.mixers[run.mixer]);
      feed_forward(m.feed_forwards[run.feed_forward]);
      w.member("count", count);
      w.member("layers", where);
      double token = 0, state = 0;
      for (int k = 0; k < cache.num_kinds; ++k) {
        const LayerCache& c = cache.kinds[k];
        if (c.mixer != run.mixer) continue;
        token = c.bytes_per_token + c.index_bytes / (c.num_layers * long_context);
        state = c.state_bytes + c.conv_bytes;
      }
      w.member("kv_bytes_per_token", token);
      w.member("state_bytes", state);
      w.close('}');
    }
    w.close(']');
  }

  static bool same(const LayerRun& a, const LayerRun& b) { return a.mixer == b.mixer && a.feed_forward == b.feed_forward; }

  void mixer(const Mixer& x) {
    w.member("mixer", mixer_ids[static_cast<int>(x.kind)]);
    w.member("num_heads", x.num_heads);
    w.member("num_kv_heads", x.num_kv_heads);
    w.member("head_dim", x.head_dim);
    w.member("window", x.window);
    w.member("shares_kv", x.shares_kv);
  }
  void feed_forward(const FeedForward& f) {
    w.member("feed_forward", feed_forward_ids[static_cast<int>(f.kind)]);
    w.member("num_experts", f.num_experts);
    w.member("experts_per_token", f.experts_per_token);
  }

  std::string write() {
    w.open('{');
    w.member("ok", imported.ok);
    w.member("name", imported.name);
    w.member("origin", imported.origin);
    w.member("type", imported.type);
    w.member("shape", imported.ok ? imported.shape : std::string());
    w.member("formats", imported.ok ? imported.formats : std::string());
    w.member("max_position_embeddings", imported.max_position_embeddings);
    w.member("file_bytes", imported.file_bytes);
    w.member("tensor_bytes", imported.tensor_bytes);
    w.member("explained_bytes", imported.explained_bytes);
    if (imported.ok) {
      const ParameterCount params = count_parameters(imported.model);
      w.key("parameters");
      w.open('{');
      w.member("total", params.total);
      w.member("active", params.active);
      w.member("mtp", params.mtp);
      w.close('}');
      layers();
    } else {
      w.key("parameters");
      w.null();
      w.key("layers");
      w.open('[');
      w.close(']');
    }
    w.key("classes");
    w.open('[');
    for (const ImportedClass& c : imported.classes) {
      w.open('{');
      w.member("id", class_id(c.cls));
      w.member("params", c.params);
      w.member("bytes", c.bytes);
      w.close('}');
    }
    w.close(']');
    w.key("dtypes");
    w.open('[');
    for (const ImportedDtype& d : imported.dtypes) {
      w.open('{');
      w.member("id", d.id);
      w.member("params", d.params);
      w.member("bytes", d.bytes);
      w.close('}');
    }
    w.close(']');
    w.key("inferred");
    w.open('[');
    for (const InferredRule& r : imported.inferred) {
      w.open('{');
      w.member("id", r.id);
      w.member("where", r.where);
      w.member("source", r.source);
      w.close('}');
    }
    w.close(']');
    w.key("remarks");
    w.open('[');
    for (const ImportRemark& r : imported.remarks) {
      w.open('{');
      w.member("severity", severity_ids[static_cast<int>(r.severity)]);
      w.member("id", r.id);
      w.member("file", r.file);
      w.member("where", r.where);
      w.member("value", r.value);
      w.member("wanted", r.wanted);
      w.member("number", r.number);
      w.close('}');
    }
    w.close(']');
    w.close('}');
    return std::string(w.written());
  }

  static constexpr double long_context = 1 << 20;  // behind every window and compression step
};

}  // namespace

std::string import_json(const Imported& imported) { return Writer{imported}.write(); }

}  // namespace vramfit
