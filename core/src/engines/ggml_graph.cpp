#include "ggml_graph.h"

#include <algorithm>
#include <cmath>

namespace vramfit {
namespace {

constexpr double alignment = 128;
constexpr double endless = 1e18;
constexpr int max_split_inputs = 30;

double aligned(double bytes) { return std::ceil(bytes / alignment) * alignment; }

// One device's buffer: the smallest free block that is large enough, the open end when there is none.
class FreeList {
 public:
  double take(double bytes) {
    bytes = aligned(bytes);
    std::size_t best = blocks_.size() - 1;
    double size = endless;
    for (std::size_t i = 0; i + 1 < blocks_.size(); ++i)
      if (blocks_[i].size >= bytes && blocks_[i].size <= size) best = i, size = blocks_[i].size;
    Block& block = blocks_[best];
    const double offset = block.offset;
    block.offset += bytes;
    block.size -= bytes;
    if (block.size <= 0) blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(best));
    high_ = std::max(high_, offset + bytes);
    return offset;
  }

  void give(double offset, double bytes) {
    bytes = aligned(bytes);
    std::size_t i = 0;
    while (i < blocks_.size() && blocks_[i].offset < offset) ++i;
    const bool joins_left = i > 0 && blocks_[i - 1].offset + blocks_[i - 1].size == offset;
    const bool joins_right = i < blocks_.size() && offset + bytes == blocks_[i].offset;
    if (joins_left && joins_right) {
      blocks_[i - 1].size += bytes + blocks_[i].size;
      blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(i));
    } else if (joins_left) {
      blocks_[i - 1].size += bytes;
    } else if (joins_right) {
      blocks_[i].offset = offset;
      blocks_[i].size += bytes;
    } else {
      blocks_.insert(blocks_.begin() + static_cast<std::ptrdiff_t>(i), {offset, bytes});
    }
  }

  double high() const { return high_; }

 private:
  struct Block {
    double offset, size;
  };
  std::vector<Block> blocks_{{0, endless}};
  double high_ = 0;
};

}  // namespace

int GgmlGraph::add(Tensor tensor, std::initializer_list<int> operands) {
  for (const int o : operands)
    if (o >= 0 && tensor.num_operands < static_cast<int>(tensor.operands.size())) tensor.operands[tensor.num_operands++] = o;
  tensors_.push_back(tensor);
  return static_cast<int>(tensors_.size()) - 1;
}

int GgmlGraph::input(double bytes) { return add({bytes, host, Kind::input}, {}); }
int GgmlGraph::resident(double bytes, int device, bool is_weight) { return add({bytes, device, Kind::resident, is_weight}, {}); }
int GgmlGraph::op(double bytes, int device, std::initializer_list<int> operands) {
  return add({bytes, device, Kind::op}, operands);
}
int GgmlGraph::in_place(double bytes, int device, std::initializer_list<int> operands) {
  return add({bytes, device, Kind::in_place}, operands);
}
void GgmlGraph::store(int device, std::initializer_list<int> operands) { add({0, device, Kind::store}, operands); }

int GgmlGraph::view(int of, double bytes) {
  const Tensor& seen = tensors_[of];
  Tensor t{bytes > 0 ? bytes : seen.bytes, seen.device, Kind::view};
  t.view_of = seen.kind == Kind::view ? seen.view_of : of;
  return add(t, {of});
}

std::vector<int> GgmlGraph::schedule(std::vector<Tensor>& tensors) const {
  std::vector<int> order;
  std::vector<int> pinned;
  // copy_of[tensor * devices + device]: the tensor's copy there.
  std::vector<int> copy_of(tensors_.size() * (num_devices_ + 1), -1);
  const auto slot = [&](int tensor, int device) {
    return tensor * (num_devices_ + 1) + (device == host ? num_devices_ : device);
  };
  int device = host;
  bool started = false;
  int split_inputs = 0;
  std::size_t split_start = 0;  // in `order`: copies are made before the split begins
  const int last = static_cast<int>(tensors_.size());
  for (int i = 0; i < last; ++i) {
    const Tensor& t = tensors_[i];
    if (t.kind == Kind::input || t.kind == Kind::resident) continue;
    if (t.kind == Kind::view) {
      order.push_back(i);
      continue;
    }
    bool fresh = !started || t.device != device || split_inputs >= max_split_inputs;
    // A matrix from elsewhere starts a new split, so that the one before it can be let go.
    for (int o = 0; o < t.num_operands && !fresh; ++o) {
      const Tensor& source = tensors_[t.operands[o]];
      fresh = source.is_weight && source.device != t.device && split_inputs > 0;
    }
    if (fresh) {
      device = t.device;
      started = true;
      split_inputs = 0;
      split_start = order.size();
    }
    for (int o = 0; o < t.num_operands; ++o) {
      const int source = t.operands[o];
      if (tensors_[source].device == device) continue;
      int& copy = copy_of[slot(source, device)];
      if (copy < 0) {
        Tensor made{tensors_[source].bytes, device, Kind::op};
        for (int n = 0; n < copies_; ++n) {
          made.pinned = copies_ > 1;
          if (made.pinned) pinned.push_back(static_cast<int>(tensors.size()));
          if (n == 0) copy = static_cast<int>(tensors.size());
          tensors.push_back(made);
        }
        ++split_inputs;
        // The source is held until here.
        if (tensors_[source].kind != Kind::resident) {
          Tensor hold{0, tensors_[source].device, Kind::store};
          hold.operands[hold.num_operands++] = source;
          order.insert(order.begin() + static_cast<std::ptrdiff_t>(split_start++), static_cast<int>(tensors.size()));
          tensors.push_back(hold);
        }
        order.insert(order.begin() + static_cast<std::ptrdiff_t>(split_start++), copy);
      }
      tensors[i].operands[o] = copy;
    }
    order.push_back(i);
  }
  order.insert(order.begin(), pinned.begin(), pinned.end());
  return order;
}

std::vector<double> GgmlGraph::buffers() const {
  std::vector<Tensor> tensors = tensors_;
  const std::vector<int> order = schedule(tensors);
  struct Use {
    int children = 0, views = 0;
    bool allocated = false, ever = false;
    double offset = 0;
  };
  std::vector<Use> uses(tensors.size());
  for (const int i : order) {
    if (tensors[i].kind == Kind::view) ++uses[tensors[i].view_of].views;
    for (int o = 0; o < tensors[i].num_operands; ++o) ++uses[tensors[i].operands[o]].children;
  }
  std::vector<FreeList> lists(num_devices_ + 1);
  const auto list_of = [&](int device) -> FreeList& { return lists[device == host ? num_devices_ : device]; };
  const auto owned = [&](int i) {
    return tensors[i].kind != Kind::resident && tensors[i].kind != Kind::view && tensors[i].kind != Kind::store;
  };
  const auto allocate = [&](int i) {
    Use& use = uses[i];
    if (use.ever || !owned(i)) return;
    use.ever = use.allocated = true;
    const Tensor& t = tensors[i];
    if (t.kind == Kind::in_place) {
      for (int o = 0; o < t.num_operands; ++o) {
        const int p = t.operands[o];
        const Tensor& parent = tensors[p];
        // Only a tensor of its own hands its memory on: never a view, whose owner others may look at.
        if (parent.bytes != t.bytes || parent.device != t.device || parent.pinned || !uses[p].allocated) continue;
        if (uses[p].children != 1 || uses[p].views != 0) continue;
        use.offset = uses[p].offset;
        uses[p].allocated = false;
        return;
      }
    }
    use.offset = list_of(t.device).take(t.bytes);
  };
  const auto free_tensor = [&](int i) {
    if (!uses[i].allocated || tensors[i].pinned) return;
    list_of(tensors[i].device).give(uses[i].offset, tensors[i].bytes);
    uses[i].allocated = false;
  };
  for (std::size_t i = 0; i < tensors_.size(); ++i)
    if (tensors_[i].kind == Kind::input) allocate(static_cast<int>(i));
  for (const int i : order) {
    for (int o = 0; o < tensors[i].num_operands; ++o) allocate(tensors[i].operands[o]);
    allocate(i);
    for (int o = 0; o < tensors[i].num_operands; ++o) {
      const int p = tensors[i].operands[o];
      if (--uses[p].children > 0 || uses[p].views > 0) continue;
      if (tensors[p].kind != Kind::view) {
        free_tensor(p);
        continue;
      }
      const int base = tensors[p].view_of;
      if (--uses[base].views == 0 && uses[base].children == 0) free_tensor(base);
    }
  }
  std::vector<double> out;
  for (const FreeList& list : lists) out.push_back(list.high());
  return out;
}

}  // namespace vramfit
