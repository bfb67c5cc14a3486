#pragma once

#include "vramfit/fields.h"
#include "vramfit/price_list.h"
#include "vramfit/result.h"

namespace vramfit {

// Never fails: what cannot be answered is refused with an error notice. `notices` are carried over from parsing.
//
// Notices added here: unknown-choice and unknown-model (errors), no-gpus (error), unknown-gpu, bad-price, ambiguous-gpu,
// field-not-used, context-beyond-model, native-needs-model (error), metadata-not-counted, usable-assumed, mixture-resident,
// tower-separate-file.
//
// With `list` its prices are the only ones, of book "host". The name of an imported model is a view of `inputs`.
Result estimate(const Inputs& inputs, std::vector<Notice> notices = {}, const PriceList* list = nullptr);

// Whether this program has the engine method. One without it, as the module that answers first, refuses `method=engine` with the
// notice engine-not-loaded, and leaves Result::engine empty.
bool has_engine_method();

}  // namespace vramfit
