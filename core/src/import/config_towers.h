// Parameters of vision and audio towers with their projectors, from the parts of a configuration that describe them.
#pragma once

#include "import/config_build.h"

namespace vramfit::importer {

double no_tower(Build& b);  // known to be there, not derived: 0
double siglip_gemma3(Build& b);
double gemma3n_towers(Build& b);
double gemma4_towers(Build& b);
double pixtral(Build& b);
double qwen2_vl(Build& b);
double qwen2_5_vl(Build& b);
double qwen3_vl(Build& b);
double llama4_tower(Build& b);
double mllama_tower(Build& b);
double internvit(Build& b);
double smolvlm(Build& b);
double moonvit(Build& b);
double muse_glimmer_tower(Build& b);
double whisper_encoder(const Fields& f);

}  // namespace vramfit::importer
