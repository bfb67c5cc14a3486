// vLLM's cache pages: how layers of several kinds share one pool of blocks. Source ids vllm-kv-interface (pages of a request,
// groups, printed capacity), vllm-compressed-pages (DeepSeek V4's), vllm-mamba-state (state pages), vllm-logs (checked against
// start-up logs).
#pragma once

#include "rank_weights.h"

namespace vramfit {

struct PagedCache {
  double block_bytes = 0;    // one block id: a page in each layer of a group
  double block_tokens = 16;  // of the kind with the fewest tokens a page
  double groups = 1;
  bool hybrid = false;          // several kinds share the blocks
  double state_page_bytes = 0;  // of one recurrent layer, before padding; 0 without any
  double kv_share = 1;          // of the bytes of a request that are cache and not state

  double request_blocks = 0;  // of one request of `context` tokens
  double request_bytes() const { return request_blocks * block_bytes; }
};

struct PagingOptions {
  double block_tokens = 16;
  bool group_kinds = true;     // the hybrid cache manager; otherwise windows are kept whole
  double chunk_tokens = 8192;  // max_num_batched_tokens
  double states_per_request = 2;
  StateDtype state = StateDtype::checkpoint;
  bool full_heads = false;      // no kernels for latent attention: keys and values of every head are kept
  double latent_pad_bytes = 1;  // latent entries are padded to a multiple of this
  double draft_layers = 0;      // more layers of the first attention kind
  double context_parallel = 1;
  double draft_bytes_per_token = 0;  // of another model's cache beside this one's
};

PagedCache paged_cache(const EngineContext& c, const Stage& stage, double context, const PagingOptions& options);

}  // namespace vramfit
