// Writes small files of every kind of layer for the fuzzer to begin with: gguf_seeds DIRECTORY
#include <fstream>
#include <string>

#include "gguf_models.h"
#include "vramfit/shape.h"

using namespace vramfit;
using namespace vramfit::test;

namespace {

struct Seed {
  const char *name, *architecture, *shape;
};
constexpr Seed seeds[] = {
    {"llama", "llama", "hidden64,vocab20,tied;full,q4,kv2,dim16;dense,i64;2aA"},
    {"qwen2moe", "qwen2moe", "hidden64,vocab20;full,q4,kv4,dim16,qkvbias;moe,experts4,top2,i32,shared64,sharedgate;2aA"},
    {"gpt-oss", "gpt-oss",
     "hidden64,vocab20;slide128,q4,kv2,dim16,qkvbias,obias,sinks;full,q4,kv2,dim16,qkvbias,obias,sinks;"
     "moe,experts4,top2,i64,routerbias,expertbias,fp4;aAbA"},
    {"gemma3n", "gemma3n",
     "hidden64,vocab20,tied,norms4,altup4,laurel8,pledim16,plevocab20;full,q4,kv2,dim16,qknorm;dense,i64;2aA"},
    {"gemma4", "gemma4",
     "hidden64,vocab20,tied,norms4,scalars1;slide32,q4,kv2,dim16,qknorm;full,q4,kv1,dim32,qknorm,keqv;"
     "both,i64,experts4,top2,moei32;aAbA"},
    {"deepseek2", "deepseek2",
     "hidden64,vocab20;latent,q4,dim24,vdim16,qrank32,kvrank32,rope8;dense,i64;"
     "moe,experts4,top2,i32,shared32,routerbias;aAaB;mtp1aB,own"},
    {"glm-dsa", "glm-dsa", "hidden64,vocab20;latent,q4,dim24,vdim16,qrank32,kvrank32,rope8,indexq2,indexdim32;dense,i64;2aA"},
    {"deepseek4", "deepseek4",
     "hidden64,vocab20,hyper2;compressed0,q4,dim32,qrank32,rope8,window16,ogroups2,orank32;"
     "compressed4,q4,dim32,qrank32,rope8,window16,ogroups2,orank32,indexq2,indexdim32;moe,experts4,top2,i32,shared32;aAbA"},
    {"qwen35", "qwen35",
     "hidden64,vocab20,tied;gdn,q4,keyheads2,dim16,conv4,fp32;full,q4,kv2,dim16,gate,qknorm;dense,i64;aAbA;mtp1bA"},
    {"kimi-linear", "kimi-linear",
     "hidden64,vocab20;kda,q2,keyheads2,dim32,conv4,fp32;latent,q2,dim24,vdim32,kvrank32,rope8;dense,i64;aAbA"},
    {"jamba", "jamba", "hidden64,vocab20;mamba1,inner128,state16,dtrank32,conv4,extranorms64;full,q4,kv2,dim16;dense,i64;aAbA"},
    {"nemotron_h_moe", "nemotron_h_moe",
     "hidden64,vocab20;mamba2,inner128,q8,state16,groups2,conv4,fp32;nomix;full,q4,kv2,dim16;noffn;"
     "moe,experts4,top2,i32,shared64,latent32,routerbias,two;aAbBcA;mtp1cB"},
    {"lfm2", "lfm2", "hidden64,vocab20,tied;shortconv,inner64,conv3;full,q4,kv2,dim16,qknorm;dense,i64;aAbA"},
    {"bert", "bert",
     "hidden64,vocab20,nohead,encoder,layernorm,embednorm,nofinalnorm,pooler,positions32,types2;"
     "full,q4,kv4,dim16,qkvbias,obias;dense,i64,two,bias;2aA"},
    {"phi3", "phi3", "hidden64,vocab20;full,q4,kv2,dim16;dense,i64;2aA"},
};

void save(const std::string& path, const std::vector<GgufWriter>& files) {
  std::ofstream out(path, std::ios::binary);
  out.put(char(files.size() - 1));
  for (const GgufWriter& w : files) {
    const std::string head = w.header();
    out.put(char(head.size() & 0xFF));
    out.put(char(head.size() >> 8 & 0xFF));
    out.put(20);  // data enough behind it
    out << head;
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string folder = argv[1];
  for (const Seed& seed : seeds) {
    const ShapeResult shape = parse_shape(seed.shape);
    if (!shape.ok()) return 1;
    GgufWriter w;
    GgufOfModel(w, shape.model, seed.architecture, 4096).write();
    save(folder + "/" + seed.name, {w});
  }
  std::vector<GgufWriter> parts(2);
  for (int i = 0; i < 2; ++i) {
    GgufWriter& w = parts[i];
    w.value<std::uint16_t>("split.no", U16, std::uint16_t(i));
    w.value<std::uint16_t>("split.count", U16, 2);
    w.value<std::int32_t>("split.tensors.count", INT32, 2);
    w.text("general.architecture", "mamba");
    w.tensor(i == 0 ? "token_embd.weight" : "output_norm.weight", F16, {32, 4});
  }
  save(folder + "/split", parts);
  GgufWriter projector;
  projector.text("general.architecture", "clip");
  projector.tensor("v.patch_embd.weight", F16, {14, 14, 3, 64});
  projector.begin("nested", ARRAY);
  GgufWriter::put<std::uint32_t>(projector.raw_values(), ARRAY);
  GgufWriter::put<std::uint64_t>(projector.raw_values(), 1);
  GgufWriter::put<std::uint32_t>(projector.raw_values(), STRING);
  GgufWriter::put<std::uint64_t>(projector.raw_values(), 1);
  GgufWriter::put_text(projector.raw_values(), "x");
  save(folder + "/projector", {projector});
  return 0;
}
