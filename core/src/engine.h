// The border between the core and the engine method, which the small module of the page leaves out.
#pragma once

#include "methods.h"
#include "vramfit/estimate.h"

namespace vramfit {

// Compartments of one GPU of `count` of kind `gpu` (an index into gpus()), with layouts for every count on that GPU.
MethodResult engine_method(const Request& request, int gpu, int count, EngineReport& report);

// What one GPU of `count` must have: `floor` to start with one request of `context` tokens, `need` to hold all sequences at once.
Layout engine_layout(const Request& request, int gpu, int count);

// Verdicts and causes of the candidates.
std::vector<FitRow> engine_fit(const Request& request);

// Errors: what the engine cannot be asked with these inputs, whatever the GPU.
void engine_errors(const Request& request, std::vector<Notice>& notices);

// Remarks on the chosen GPU and count: `cause` is the chosen row's.
void engine_notices(const Request& request, int gpu, int count, Id cause, const EngineReport& report,
                    std::vector<Notice>& notices);

inline bool asks_engine(const Request& request) { return request.in.is(FieldId::method, "engine"); }
inline bool by_engine(const Request& request) { return has_engine_method() && asks_engine(request); }

}  // namespace vramfit
