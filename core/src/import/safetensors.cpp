// What matrices of safetensors files are stored in.
// Source of the packings: AutoGPTQ and AutoAWQ (int32, along the input or the output), compressed-tensors, bitsandbytes, gpt-oss
// (blocks of 32 and their exponents), ModelOpt's NVFP4.
#include <algorithm>
#include <cmath>

#include "import/safetensors_parts.h"

namespace vramfit::importer {
namespace {

using C = TensorClass;
using std::string_view;

bool is_8bit_float(int d) { return d >= d_e4m3 && d <= d_e5m2z && d != d_e8m0; }
double ceil_div(double a, double b) { return std::ceil(a / b); }

}  // namespace

Safetensors::Safetensors() : slots_(256), header_names_(256), index_names_(256) {}

StoredTensor Safetensors::stored(const Matrix& m, const Model* model, const double* expected_cols) const {
  StoredTensor t;
  t.classes = m.classes;
  t.bytes = m.bytes;
  t.dtype = dtypes_known[m.dtype].id;
  t.count = m.shape.count;
  t.rows = m.shape.rows;
  t.cols = m.shape.cols;
  const bool alone = m.parts & (bit(Part::matrix) | bit(Part::packed) | bit(Part::bias));
  if (!alone) {  // its matrix lies in a file that is not here, or nowhere
    t.rows = t.cols = t.count = 0;
    t.sized = false;
    return t;
  }
  const bool has_scale = m.parts & (bit(Part::scale) | bit(Part::scale_rows));
  double cols = 0;  // as the shape has it; 0: not known
  if (model && expected_cols)
    for (int c = 0; c < num_tensor_classes && cols == 0; ++c)
      if (m.classes >> c & 1) cols = expected_cols[c];
  const auto of = [&](Format format, int group = 0) {
    t.format = format;
    t.group = group;
  };
  const auto group_of = [&](double width) {
    return m.scale.cols > 1 ? int(std::min(65535.0, ceil_div(width, m.scale.cols))) : 0;
  };
  switch (m.dtype) {
    case d_f32: of(Format::fp32); break;
    case d_f16: of(Format::fp16); break;
    case d_bf16: of(Format::bf16); break;
    case d_f4:
      if (has_scale && is_8bit_float(m.scale_dtype)) of(Format::nvfp4);
      else of(Format::mxfp4);
      break;
    case d_i8:
      if (has_scale && m.scale_dtype == d_e8m0 && m.scale.cols == ceil_div(t.cols, 16)) {  // two to a byte
        t.cols *= 2;
        of(Format::mxfp4);
        break;
      }
      of(m.parts & bit(Part::scale_rows) ? Format::int8_bnb : Format::int8);
      t.sized = has_scale;
      break;
    case d_u8:
      if (m.parts & bit(Part::absmax)) {
        t.rows *= t.cols * 2;
        t.cols = 1;
        of(m.parts & bit(Part::nested) ? Format::nf4_dq : Format::nf4);
        std::swap(t.rows, t.cols);
      } else if (has_scale && is_8bit_float(m.scale_dtype)) {
        t.cols *= 2;
        of(Format::nvfp4);
      } else if (has_scale && (m.scale_dtype == d_u8 || m.scale_dtype == d_e8m0)) {
        if (m.shape.cols == 16 && m.scale.elements() * 16 == m.shape.elements()) {  // blocks of their own dimension
          t.count = m.scale.count;
          t.rows = m.scale.rows;
          t.cols = m.scale.cols * 32;
        } else {
          t.cols *= 2;
        }
        of(Format::mxfp4);
      } else {
        t.sized = false;
      }
      break;
    case d_i32:
    case d_u32: {
      if (!has_scale) {
        t.sized = false;
        break;
      }
      // Packed along the input (GPTQ), or along the output (AWQ), or along the rows of [output, input] (compressed-tensors, MLX).
      double bits = 4;
      const auto possible = [](double b) { return b >= 1 && b <= 32 ? b : 4; };
      const bool module = m.scale.cols == m.shape.cols && m.scale.rows < m.shape.rows * 32;
      if (m.parts & bit(Part::zeros) && module && m.parts & bit(Part::packed)) {
        if (m.zeros_cols > 0) bits = std::round(32 * m.zeros_cols / m.shape.cols);
        if (m.order_length > 0) bits = std::round(32 * m.shape.rows / m.order_length);
        bits = possible(bits);
        t.rows = m.shape.cols;
        t.cols = std::round(m.shape.rows * 32 / bits);
        t.group = m.scale.rows > 1 ? int(std::min(65535.0, ceil_div(t.cols, m.scale.rows))) : 0;
        t.format = bits == 8 ? Format::int8_gptq : m.order_length > 0 ? Format::int4_gptq : Format::int4_awq;
      } else if (m.parts & bit(Part::zeros) && m.parts & bit(Part::packed) && m.scale.cols > m.shape.cols) {
        bits = std::round(32 * m.shape.cols / m.scale.cols);
        t.rows = m.scale.cols;
        t.cols = m.shape.rows;
        t.group = m.scale.rows > 1 ? int(std::min(65535.0, ceil_div(t.cols, m.scale.rows))) : 0;
        t.format = Format::int4_awq;
      } else {
        if (cols > 0) bits = std::round(32 * m.shape.cols / cols);
        bits = possible(bits);
        t.cols = std::round(m.shape.cols * 32 / bits);
        t.format = Format::int4_group;
        t.group = group_of(t.cols);
        if (bits == 8) t.format = Format::int8;
      }
      t.sized = bits == 4 || bits == 8;
      break;
    }
    default:
      if (!is_8bit_float(m.dtype)) {
        t.sized = false;
        break;
      }
      of(Format::fp8);
      if (has_scale && m.scale.count * m.scale.rows * m.scale.cols > m.shape.count) {
        if (m.scale.cols == ceil_div(t.cols, 128) && m.scale.rows == ceil_div(t.rows, 128)) of(Format::fp8_block);
        else if (m.scale.elements() == m.shape.count * m.shape.rows) of(Format::int8);  // one per row, as there
        else if (m.scale.cols > 1) of(Format::fp8_block);
      }
  }
  return t;
}

std::vector<StoredTensor> Safetensors::tensors(const Model* model) {
  const int num_layers = model ? model->num_layers() : 0;
  const int all_layers = num_layers + (model ? model->num_mtp_layers : 0) + 1;
  // Widths and elements that the shape has, by layer and class.
  std::vector<double> cols, elements;
  if (model) {
    cols.resize(static_cast<std::size_t>(all_layers) * num_tensor_classes);
    elements.resize(cols.size());
    for_each_tensor(*model, true, [&](const Tensor& t) {
      for (int i = 0; i < t.num_layers; ++i) {
        const auto at = static_cast<std::size_t>(std::min(t.first_layer + i, all_layers - 1)) * num_tensor_classes +
                        static_cast<std::size_t>(t.cls);
        cols[at] = std::max(cols[at], t.cols);
        elements[at] += t.rows * t.cols * t.count;
      }
    });
  }
  std::vector<StoredTensor> out;
  out.reserve(matrices_.size());
  constexpr ClassSet attention = class_set(C::attention_query, C::attention_key, C::attention_value, C::attention_output);
  constexpr ClassSet dense = class_set(C::ffn_gate, C::ffn_up, C::ffn_down);
  int last_layer = -1;
  double spare_head = 0, spare_mtp = 0;
  for (Matrix& m : matrices_) {
    int layer = m.layer;
    bool in_mtp = m.mtp;
    if (m.mtp) layer = num_layers + std::max(0, m.layer);
    else if (model && layer >= num_layers) in_mtp = true;
    if (!m.mtp) last_layer = std::max(last_layer, layer);
    if (m.classes == 0 && m.rank <= 1) m.classes = class_set(C::small);
    // What a name leaves open, the shape settles.
    const bool placed = model && layer >= 0 && layer < all_layers;
    const double* row = placed ? &elements[static_cast<std::size_t>(layer) * num_tensor_classes] : nullptr;
    const auto has = [&](ClassSet set) {
      for (int c = 0; c < num_tensor_classes; ++c)
        if (set >> c & 1 && row[c] > 0) return true;
      return false;
    };
    constexpr ClassSet recurrent = class_set(C::recurrent);
    if (row && m.classes & attention && !has(attention) && has(recurrent)) m.classes = recurrent;
    else if (row && m.classes == recurrent && !has(recurrent) && has(attention)) m.classes = class_set(C::attention_output);
    if (m.classes & dense && !(m.classes & ~dense) &&
        (m.shape.count > 1 || (row && !has(dense) && has(class_set(C::expert_up))))) {
      const ClassSet c = m.classes;
      m.classes = (c & class_set(C::ffn_gate) ? class_set(C::expert_gate) : 0) |
                  (c & class_set(C::ffn_up) ? class_set(C::expert_up) : 0) |
                  (c & class_set(C::ffn_down) ? class_set(C::expert_down) : 0);
    }
    StoredTensor t = stored(m, model, row ? &cols[static_cast<std::size_t>(layer) * num_tensor_classes] : nullptr);
    t.layer = layer > max_layer ? -1 : layer;
    t.in_mtp = in_mtp;
    if (model && in_mtp && model->num_mtp_layers == 0) {
      t.loaded = false;
      spare_mtp += t.bytes;
    } else if (model && !in_mtp && model->tied_embeddings && t.classes == class_set(C::output_head)) {
      t.loaded = false;
      spare_head += t.bytes;
    }
    if (t.classes == 0) {
      const std::string name = m.name >= 0 ? names_[static_cast<std::size_t>(m.name)] : std::string();
      remarks.add(Severity::warning, "import-unknown-tensor", header_files_.front(), name, t.dtype, {}, t.bytes);
    }
    out.push_back(t);
  }
  const string_view file = header_files_.empty() ? string_view() : string_view(header_files_.front());
  if (spare_head > 0) remarks.add(Severity::info, "import-tied-head", file, {}, {}, {}, spare_head);
  if (spare_mtp > 0) remarks.add(Severity::info, "import-mtp-unused", file, {}, {}, {}, spare_mtp);
  if (model && complete()) {
    const int named = last_layer + 1;
    if (named < num_layers || named > num_layers + std::max(model->num_mtp_layers, spare_mtp > 0 ? 1 : 0))
      remarks.add(Severity::error, "import-layer-count", file, {}, digits(named), digits(num_layers));
  }
  return out;
}

std::vector<ImportedDtype> Safetensors::dtypes(std::span<const StoredTensor> tensors) const {
  std::vector<ImportedDtype> out;
  for (int d = 0; d < num_dtypes; ++d) {
    double params = 0;
    for (const StoredTensor& t : tensors)
      if (t.dtype == dtypes_known[d].id) params += t.params();
    if (dtype_bytes_[d] > 0) out.push_back({dtypes_known[d].id, params, dtype_bytes_[d]});
  }
  std::sort(out.begin(), out.end(), [](const ImportedDtype& a, const ImportedDtype& b) { return a.bytes > b.bytes; });
  return out;
}

}  // namespace vramfit::importer
