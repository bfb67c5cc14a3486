// What is loaded beside the model: LoRA adapters and draft models. For the engines that shard by tensors.
#pragma once

#include "paged_cache.h"

namespace vramfit {

// Slots of `max_loras` adapters of `max_lora_rank` beside every linear layer but routed experts, in 16 bits; the narrow side of a
// pair is on every rank. Source id vllm-lora.
double adapter_slot_bytes(const EngineContext& c, const Stage& stage);

struct Draft {
  Range weight_bytes;          // on one rank
  double bytes_per_token = 0;  // of its cache, on one rank
};

// The draft that `speculative` asks for; nothing for `none`, and nothing of MTP's weights and layers, which are the model's own.
// Source id vllm-speculative. EAGLE-3: one layer of the model's width over three joined hidden states, a head of 32,000 rows.
Draft draft_of(const EngineContext& c);

}  // namespace vramfit
