// A graph of tensor operations as ggml's scheduler and allocator see it: sizes, operands and devices, no numbers. Says how large
// a compute buffer each device needs. Source id ggml-allocator.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace vramfit {

class GgmlGraph {
 public:
  static constexpr int host = -1;

  // `copies`: of every input that crosses to another device, for pipelining over several GPUs; 1: none.
  GgmlGraph(int num_devices, int copies) : num_devices_(num_devices), copies_(copies) {}

  // What the caller fills in before each run: tokens, positions, masks. On the host.
  int input(double bytes);
  // A matrix or cache left on `device`: never allocated here, but copied when an operation elsewhere reads it.
  int resident(double bytes, int device, bool is_weight = true);
  int op(double bytes, int device, std::initializer_list<int> operands);
  // May take over the memory of an operand of the same size that nobody else reads.
  int in_place(double bytes, int device, std::initializer_list<int> operands);
  // Another look at a tensor: no memory of its own. `bytes` below the tensor's own: a part of it.
  int view(int of, double bytes = 0);
  // Writes into a cache: reads its operands, keeps nothing.
  void store(int device, std::initializer_list<int> operands);

  double bytes_of(int tensor) const { return tensors_[tensor].bytes; }

  // Bytes of each device's buffer; the host's come last.
  std::vector<double> buffers() const;

 private:
  enum class Kind : std::uint8_t { input, resident, op, in_place, view, store };
  struct Tensor {
    double bytes = 0;
    int device = host;
    Kind kind = Kind::op;
    bool is_weight = false;  // brought over for a split of its own
    bool pinned = false;     // a pipeline copy: there from the start and never freed
    int view_of = -1;
    std::array<int, 6> operands{};
    int num_operands = 0;
  };
  struct Allocator;

  int add(Tensor tensor, std::initializer_list<int> operands);
  // The same graph with the copies that moving between devices takes, in order of execution.
  std::vector<int> schedule(std::vector<Tensor>& tensors) const;

  int num_devices_, copies_;
  std::vector<Tensor> tensors_;  // in order of execution
};

}  // namespace vramfit
