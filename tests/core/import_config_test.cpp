#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "import/config.h"
#include "vramfit/catalog.h"
#include "vramfit/import.h"
#include "vramfit/kv_cache.h"
#include "vramfit/shape.h"

using namespace vramfit;

namespace {

Imported import_text(std::string text, std::string beside = "") {
  for (char& c : text)
    if (c == '\'') c = '"';
  for (char& c : beside)
    if (c == '\'') c = '"';
  return importer::import_config({"config.json", text}, {"hf_quant_config.json", beside});
}

// The shape, without the positions that most of these files state.
std::string layers(Imported imported) {
  imported.model.max_position_embeddings = 0;
  return imported.ok ? write_shape(imported.model) : std::string();
}

double params(const Imported& imported) { return count_parameters(imported.model).total; }

double kv_per_token(const Imported& imported) {
  const auto at = [&](double context) {
    const CacheBreakdown cache = sequence_cache(imported.model, *find_kv_format("bf16"), context, 1, StateDtype::checkpoint);
    return cache.kv_bytes;
  };
  return (at(2048) - at(1024)) / 1024;
}

// The error that a file is refused with, as "id where value".
std::string refusal(const std::string& text) {
  const Imported imported = import_text(text);
  CHECK_FALSE(imported.ok);
  CHECK(imported.shape.empty());
  std::string out;
  for (const ImportRemark& r : imported.remarks) {
    if (r.severity != Severity::error) continue;
    CHECK(r.file == "config.json");
    out += (out.empty() ? "" : " | ") + r.id + ' ' + r.where + ' ' + r.value;
  }
  return out;
}

bool has_rule(const Imported& imported, const std::string& id, const std::string& where = "*") {
  for (const InferredRule& rule : imported.inferred)
    if (rule.id == id && (where == "*" || rule.where == where)) {
      CHECK_FALSE(rule.source.empty());
      return true;
    }
  return false;
}

bool has_warning(const Imported& imported, const std::string& id) {
  for (const ImportRemark& r : imported.remarks)
    if (r.severity == Severity::warning && r.id == id) return true;
  return false;
}

// A small Llama that tests change in one place: `with` is put in front of the other fields and replaces none.
const std::string llama_fields =
    "'num_hidden_layers': 4, 'num_attention_heads': 8, 'num_key_value_heads': 2, 'hidden_size': 512, 'intermediate_size': 1024, "
    "'vocab_size': 1000, 'max_position_embeddings': 4096, 'tie_word_embeddings': false, 'torch_dtype': 'bfloat16'";
std::string llama(const std::string& more = "") { return "{'model_type': 'llama', " + llama_fields + more + "}"; }
std::string without(std::string text, const std::string& field) {
  const std::size_t start = text.find("'" + field + "': ");
  REQUIRE(start != std::string::npos);
  const std::size_t end = text.find(", '", start);
  return text.erase(start, end - start + 2);
}
std::string instead(std::string text, const std::string& field, const std::string& value) {
  const std::string key = "'" + field + "': ";
  const std::size_t start = text.find(key) + key.size();
  REQUIRE(start >= key.size());
  return text.replace(start, text.find_first_of(",}", start) - start, value);
}

}  // namespace

TEST_CASE("write_shape: every catalogue shape is read back as it was, and written the same again") {
  for (const ModelEntry& entry : models()) {
    const Model model = parse_shape(entry.shape).model;
    const std::string written = write_shape(model);
    const ShapeResult again = parse_shape(written);
    REQUIRE_MESSAGE(again.ok(), written);
    CHECK(write_shape(again.model) == written);
    CHECK(count_parameters(again.model).total == count_parameters(model).total);
    CHECK(written.size() <= entry.shape.size() * 1.1 + 1);
  }
}

TEST_CASE("configurations: a Llama by hand") {
  const Imported imported = import_text(llama());
  REQUIRE(imported.ok);
  CHECK(imported.origin == "config");
  CHECK(imported.type == "llama");
  CHECK(imported.shape == "hidden512,vocab1000,maxpos4096;full,q8,kv2,dim64;dense,i1024;4aA");
  CHECK(imported.formats == "");
  CHECK(imported.max_position_embeddings == 4096);
  // Two tables of 1000 x 512; a layer: queries and output 512 x 512, keys and values 128 x 512, three of 1024 x 512, two norms.
  CHECK(params(imported) == 2 * 1000 * 512 + 4 * (2 * 512 * 512 + 2 * 128 * 512 + 3 * 1024 * 512 + 2 * 512) + 512);
  CHECK(kv_per_token(imported) == 4 * 2 * 2 * 64 * 2);
  CHECK(has_rule(imported, "import-rule-head-dim", "512 / 8"));
  CHECK(has_rule(imported, "import-rule-class-default", "attention_bias = false"));
  double sum = 0;
  for (const ImportedClass& c : imported.classes) sum += c.params;
  CHECK(sum == params(imported));
  CHECK(layers(import_text(llama(", 'attention_bias': true, 'mlp_bias': true"))) ==
        "hidden512,vocab1000;full,q8,kv2,dim64,qkvbias,obias;dense,i1024,bias;4aA");
}

TEST_CASE("configurations: a bare model has no output matrix") {
  const Imported whole = import_text(llama(", 'architectures': ['LlamaForCausalLM']"));
  const Imported bare = import_text(llama(", 'architectures': ['LlamaModel']"));
  CHECK(params(whole) - params(bare) == 1000 * 512);
  CHECK(has_rule(bare, "import-rule-no-head", "LlamaModel"));
  CHECK(import_text(llama(", 'architectures': ['LlamaForSequenceClassification']")).model.no_head);
  CHECK_FALSE(import_text("{'model_type': 'gpt2', 'architectures': ['GPT2LMHeadModel'], " + llama_fields + "}").model.no_head);
}

// Totals that the publishers or the hub state for these models; the figures are those of their configurations.
TEST_CASE("configurations: classes beyond the catalogue, against published totals") {
  struct Case {
    const char* name;
    double total;
    const char* config;
  };
  for (
      const Case& c : {
          Case{"gpt2", 124439808,
               "{'model_type':'gpt2','n_embd':768,'n_layer':12,'n_head':12,'n_positions':1024,'n_ctx':1024,'vocab_size':50257}"},
          Case{"gpt-j-6b", 6050882784,
               "{'model_type':'gptj','n_embd':4096,'n_layer':28,'n_head':16,'n_positions':2048,'vocab_size':50400,'tie_word_"
               "embeddings':false}"},
          Case{"gpt-neo-1.3b", 1315575808,
               "{'model_type':'gpt_neo','hidden_size':2048,'num_layers':24,'num_heads':16,'max_position_embeddings':2048,'window_"
               "size':256,"
               "'intermediate_size':null,'vocab_size':50257}"},
          Case{"bert-base", 109482240,
               "{'model_type':'bert','hidden_size':768,'num_hidden_layers':12,'num_attention_heads':12,'intermediate_size':3072,"
               "'max_position_embeddings':512,'type_vocab_size':2,'vocab_size':30522}"},
          Case{"roberta-base", 124645632,
               "{'model_type':'roberta','hidden_size':768,'num_hidden_layers':12,'num_attention_heads':12,'intermediate_size':"
               "3072,"
               "'max_position_embeddings':514,'type_vocab_size':1,'vocab_size':50265}"},
          Case{
              "qwen-7b", 7721324544,
              "{'model_type':'qwen','hidden_size':4096,'num_hidden_layers':32,'num_attention_heads':32,'intermediate_size':22016,"
              "'kv_channels':128,'vocab_size':151936,'no_bias':true,'tie_word_embeddings':false,'seq_length':8192}"},
          Case{
              "falcon-mamba-7b", 7272665088,
              "{'model_type':'falcon_mamba','hidden_size':4096,'num_hidden_layers':64,'state_size':16,'conv_kernel':4,'expand':2,"
              "'intermediate_size':8192,'time_step_rank':256,'vocab_size':65024,'tie_word_embeddings':false}"},
          Case{
              "olmoe-1b-7b", 6919161856,
              "{'model_type':'olmoe','hidden_size':2048,'num_hidden_layers':16,'num_attention_heads':16,'num_key_value_heads':16,"
              "'intermediate_size':1024,'num_experts':64,'num_experts_per_tok':8,'vocab_size':50304,'attention_bias':false,"
              "'tie_word_embeddings':false,'max_position_embeddings':4096}"},
          Case{"ernie-4.5-0.3b", 360748032,
               "{'model_type':'ernie4_5','hidden_size':1024,'num_hidden_layers':18,'num_attention_heads':16,'num_key_value_heads'"
               ":2,"
               "'head_dim':128,'intermediate_size':3072,'vocab_size':103424,'tie_word_embeddings':true,'use_bias':false}"},
          Case{"minicpm-2b", 2724880896,
               "{'model_type':'minicpm','hidden_size':2304,'num_hidden_layers':40,'num_attention_heads':36,'num_key_value_heads':"
               "36,"
               "'intermediate_size':5760,'vocab_size':122753,'max_position_embeddings':4096}"},
          Case{"exaone-3.5-2.4b", 2405327360,
               "{'model_type':'exaone','hidden_size':2560,'num_layers':30,'num_attention_heads':32,'num_key_value_heads':8,'head_"
               "dim':80,"
               "'intermediate_size':7168,'vocab_size':102400,'tie_word_embeddings':true,'max_position_embeddings':32768}"},
          Case{"minimax-text-01", 456089655296,
               "{'model_type':'minimax_text_01','hidden_size':6144,'num_hidden_layers':80,'num_attention_heads':64,"
               "'num_key_value_heads':8,'head_dim':128,'intermediate_size':9216,'num_local_experts':32,'num_experts_per_tok':2,"
               "'vocab_size':200064,'attn_type_list':[0,0,0,0,0,0,0,1,0,0,0,0,0,0,0,1,0,0,0,0,0,0,0,1,0,0,0,0,0,0,0,1,0,0,0,0,0,"
               "0,0,1,"
               "0,0,0,0,0,0,0,1,0,0,0,0,0,0,0,1,0,0,0,0,0,0,0,1,0,0,0,0,0,0,0,1,0,0,0,0,0,0,0,1]}"},
      }) {
    const Imported imported = import_text(c.config);
    for (const ImportRemark& r : imported.remarks) MESSAGE(c.name, ": ", r.id, ' ', r.where, ' ', r.value);
    REQUIRE_MESSAGE(imported.ok, c.name);
    INFO(c.name, ' ', imported.shape, ' ', std::to_string(params(imported)));
    CHECK(std::fabs(params(imported) / c.total - 1) < 0.001);
  }
}

TEST_CASE("configurations: layer patterns that the file leaves to the class") {
  const std::string gemma =
      "{'model_type':'gemma3_text','hidden_size':512,'num_hidden_layers':13,'intermediate_size':1024,'vocab_size':1000,'sliding_"
      "window':512";
  CHECK(import_text(gemma + "}").shape.find(";2(5aAbA)aA") != std::string::npos);
  CHECK(import_text(gemma + ",'sliding_window_pattern':4}").shape.find(";3(3aAbA)aA") != std::string::npos);
  CHECK(has_rule(import_text(gemma + "}"), "import-rule-layer-pattern", "1 / 6"));
  const std::string types = "['full_attention','sliding_attention','full_attention']";
  const Imported listed = import_text(
      "{'model_type':'gemma3_text','hidden_size':512,'num_hidden_layers':3,'intermediate_size':1024,'vocab_size':1000,"
      "'sliding_window':512,'layer_types':" +
      types + "}");
  CHECK(listed.shape.find(";aAbAaA") != std::string::npos);
  CHECK_FALSE(has_rule(listed, "import-rule-layer-pattern"));
  // Bamba names its layers of attention; each of the others is a Mamba 2 layer.
  const Imported bamba = import_text(
      "{'model_type':'bamba','hidden_size':512,'num_hidden_layers':4,'num_attention_heads':8,'num_key_value_heads':2,"
      "'intermediate_size':1024,'vocab_size':1000,'attn_layer_indices':[2],'mamba_n_heads':16,'mamba_d_head':64,'mamba_d_state':"
      "128,"
      "'mamba_n_groups':1,'mamba_d_conv':4,'mamba_expand':2}");
  CHECK(layers(bamba) == "hidden512,vocab1000;mamba2,q16,inner1024,state128,groups1,conv4;full,q8,kv2,dim64;dense,i1024;2aAbAaA");
  // Attention and Mamba side by side: two layers, of which the first has no feed-forward.
  const Imported falcon = import_text(
      "{'model_type':'falcon_h1','hidden_size':512,'num_hidden_layers':2,'num_attention_heads':8,'num_key_value_heads':2,'head_"
      "dim':64,"
      "'intermediate_size':1024,'vocab_size':1000,'mamba_d_ssm':768,'mamba_n_heads':12,'mamba_d_head':64,'mamba_d_state':128,"
      "'mamba_n_groups':1,'mamba_d_conv':4}");
  CHECK(layers(falcon) ==
        "hidden512,vocab1000;full,q8,kv2,dim64;mamba2,q12,inner768,state128,groups1,conv4;noffn;dense,i1024;2(aAbB)");
  CHECK(has_rule(falcon, "import-rule-parallel-mixers"));
  // A window as long as the context cuts nothing.
  const std::string mistral = "{'model_type':'mistral'," + llama_fields;
  CHECK(import_text(mistral + ",'sliding_window':4096}").shape.find(";full,") != std::string::npos);
  CHECK(import_text(mistral + ",'sliding_window':1024}").shape.find(";slide1024,") != std::string::npos);
  CHECK(import_text(mistral + ",'sliding_window':null}").shape.find(";full,") != std::string::npos);
  CHECK(has_rule(import_text(mistral + "}"), "import-rule-class-default", "sliding_window = 4096"));
}

TEST_CASE("configurations: files of several parts") {
  const Imported llava = import_text("{'model_type':'llava','text_config':{'model_type':'llama'," + llama_fields +
                                     "},'vision_config':{'hidden_size':1024}}");
  REQUIRE(llava.ok);
  CHECK(llava.model.tower_params == 0);
  CHECK(has_warning(llava, "import-tower-unknown"));
  CHECK(refusal("{'model_type':'llava','text_config':{'model_type':'llama','hidden_size':512}}")
            .find("import-missing-field text_config.num_hidden_layers") != std::string::npos);
  // The output head is said to be the embedding outside of the language model's part.
  const std::string part = without(llama(), "tie_word_embeddings");
  CHECK(import_text("{'model_type':'llava','tie_word_embeddings':true,'text_config':" + part + "}").model.tied_embeddings);
  CHECK_FALSE(import_text("{'model_type':'llava','tie_word_embeddings':false,'text_config':" + part + "}").model.tied_embeddings);
  const Imported omni = import_text(
      "{'model_type':'qwen2_5_omni','thinker_config':{'text_config':{'model_type':'qwen2_5_omni_text'," + llama_fields + "}}}");
  CHECK(layers(omni) == "hidden512,vocab1000;full,q8,kv2,dim64,qkvbias;dense,i1024;4aA");
  CHECK(has_rule(omni, "import-rule-text-class", "qwen2_5_omni_text = qwen2"));
}

TEST_CASE("configurations: Mistral's params.json") {
  const Imported dense = import_text(
      "{'dim':4096,'n_layers':32,'head_dim':128,'hidden_dim':14336,'n_heads':32,'n_kv_heads':8,'norm_eps':1e-05,'vocab_size':"
      "32768,"
      "'rope_theta':1000000.0}");
  REQUIRE(dense.ok);
  CHECK(dense.origin == "params");
  CHECK(params(dense) == 7248023552);
  const Imported mixture = import_text(
      "{'dim':4096,'n_layers':32,'head_dim':128,'hidden_dim':14336,'n_heads':32,'n_kv_heads':8,'vocab_size':32000,"
      "'moe':{'num_experts_per_tok':2,'num_experts':8}}");
  CHECK(params(mixture) == 46702792704);
  const Imported mamba = import_text("{'dim':4096,'n_layers':64,'vocab_size':32768,'n_groups':8,'model_type':'mamba'}");
  CHECK(layers(mamba) == "hidden4096,vocab32768;mamba2,q128,inner8192,state128,groups8,conv4;noffn;64aA");
  const Imported pixtral = import_text(
      "{'dim':5120,'n_layers':40,'head_dim':128,'hidden_dim':14336,'n_heads':32,'n_kv_heads':8,'vocab_size':131072,"
      "'vision_encoder':{'hidden_size':1024,'num_channels':3,'image_size':1024,'patch_size':16,'intermediate_size':4096,"
      "'num_hidden_layers':24,'num_attention_heads':16,'adapter_bias':true}}");
  CHECK(params(pixtral) == 12247782400 + 403489792 + 31467520.0);
  const Imported windows = import_text(
      "{'dim':512,'n_layers':4,'head_dim':64,'hidden_dim':1024,'n_heads':8,'n_kv_heads':2,'vocab_size':1000,"
      "'sliding_window':[null,1024]}");
  CHECK(windows.shape.find(";2(aAbA)") != std::string::npos);
  CHECK(refusal("{'dim':512,'n_layers':4,'n_heads':8,'head_dim':64,'vocab_size':1000}") == "import-missing-field hidden_dim ");
}

TEST_CASE("configurations: refusals name the field and the value") {
  CHECK(refusal("{}") == "import-missing-field model_type ");
  CHECK(refusal("{'model_type': ''}") == "import-missing-field model_type ");
  CHECK(refusal("[1]") == "import-not-object  [1]");
  CHECK(refusal("{'model_type': 7}") == "import-not-text model_type 7");
  CHECK(refusal("{'model_type': 'lama'}") == "import-unknown-type model_type \"lama\"");
  CHECK(import_text("{'model_type': 'lama'}").remarks[0].wanted.find("llama") != std::string::npos);
  CHECK(refusal("{'model_type': 'zamba2'}") == "import-unsupported-class model_type zamba2");
  CHECK(refusal(without(llama(), "hidden_size")).find("import-missing-field hidden_size ") == 0);
  CHECK(refusal(without(llama(), "num_hidden_layers")) == "import-missing-field num_hidden_layers ");
  CHECK(refusal(without(llama(), "intermediate_size")) == "import-missing-field intermediate_size ");
  CHECK(refusal(without(llama(), "vocab_size")) == "import-missing-field vocab_size ");
  CHECK(refusal(instead(llama(), "vocab_size", "null")) == "import-missing-field vocab_size ");
  CHECK(refusal(instead(llama(), "vocab_size", "'1000'")) == "import-not-integer vocab_size \"1000\"");
  CHECK(refusal(instead(llama(), "vocab_size", "true")) == "import-not-integer vocab_size true");
  CHECK(refusal(instead(llama(), "vocab_size", "1000.5")) == "import-not-integer vocab_size 1000.5");
  CHECK(refusal(instead(llama(), "vocab_size", "NaN")) == "import-not-integer vocab_size NaN");
  CHECK(refusal(instead(llama(), "vocab_size", "Infinity")) == "import-out-of-range vocab_size Infinity");
  CHECK(refusal(instead(llama(), "vocab_size", "-5")) == "import-out-of-range vocab_size -5");
  CHECK(refusal(instead(llama(), "vocab_size", "0")) == "import-out-of-range vocab_size 0");
  CHECK(refusal(instead(llama(), "vocab_size", "1e18")) == "import-out-of-range vocab_size 1e18");
  CHECK(refusal(instead(llama(), "vocab_size", "9223372036854775808")) == "import-out-of-range vocab_size 9.223372e18");
  CHECK(refusal(instead(llama(), "num_hidden_layers", "5000")) == "import-out-of-range num_hidden_layers 5000");
  CHECK(refusal(instead(llama(), "tie_word_embeddings", "'no'")) == "import-not-boolean tie_word_embeddings \"no\"");
  CHECK(refusal(instead(llama(), "num_attention_heads", "6")) == "import-contradiction num_attention_heads 6");
  CHECK(refusal(instead(llama(", 'head_dim': 64"), "num_key_value_heads", "3")) == "import-contradiction num_key_value_heads 3");
  CHECK(refusal(llama(", 'n_embd': 700")) == "import-contradiction n_embd 700");
  CHECK(refusal(llama(", 'hidden_size': 700")).find("import-json-duplicate") == 0);
  CHECK(import_text(instead(llama(", 'head_dim': 80"), "num_attention_heads", "6")).ok);
  // Experts.
  const std::string mixtral = "{'model_type':'mixtral'," + llama_fields;
  CHECK(refusal(mixtral + "}") == "import-missing-field num_local_experts  | import-missing-field num_experts_per_tok ");
  CHECK(refusal(mixtral + ",'num_local_experts':8,'num_experts_per_tok':9}") == "import-contradiction num_experts_per_tok 9");
  // Lists.
  const std::string gpt_oss = "{'model_type':'gpt_oss'," + llama_fields + ",'num_local_experts':8,'num_experts_per_tok':2";
  CHECK(refusal(gpt_oss + ",'layer_types':['full_attention']}") == "import-list-length layer_types [\"full_attention\"]");
  CHECK(refusal(gpt_oss + ",'layer_types':'full_attention'}") == "import-not-list layer_types \"full_attention\"");
  CHECK(refusal(gpt_oss + ",'layer_types':['full_attention','magic','full_attention','full_attention']}") ==
        "import-unknown-layer-type layer_types[1] magic");
  CHECK(refusal(gpt_oss + ",'layer_types':['full_attention',1,'full_attention','full_attention']}") ==
        "import-not-text layer_types 1");
  CHECK(refusal("{'model_type':'nemotron_h'," + llama_fields + ",'hybrid_override_pattern':'M*-'}").find("import-list-length") ==
        0);
  CHECK(refusal("{'model_type':'granitemoehybrid'," + llama_fields + "}") == "import-missing-field layer_types ");
  // What no field says and no class settles.
  CHECK(refusal("{'model_type':'kimi_linear'," + llama_fields + "}").find("import-missing-field kv_lora_rank") == 0);
}

TEST_CASE("configurations: what is stored in which format") {
  const auto formats = [](const std::string& section, const std::string& type = "llama", const std::string& more = "") {
    const Imported imported =
        import_text("{'model_type':'" + type + "'," + llama_fields + more + ",'quantization_config':" + section + "}");
    for (const ImportRemark& r : imported.remarks)
      if (r.severity == Severity::error) MESSAGE(r.id, ' ', r.where, ' ', r.value);
    CHECK(imported.ok);
    return imported.formats;
  };
  const std::string linears = ":q.k.v.o.fg.fu.fd";
  CHECK(formats("{'quant_method':'gptq','bits':4,'group_size':128,'desc_act':false}") == "bf16;int4-gptq" + linears);
  CHECK(formats("{'quant_method':'gptq','bits':8,'group_size':-1}") == "bf16;int8-gptq(0)" + linears);
  CHECK(formats("{'quant_method':'gptq','bits':4,'group_size':128,'lm_head':true}") == "bf16;int4-gptq:head.q.k.v.o.fg.fu.fd");
  CHECK(formats("{'quant_method':'gptq','bits':4,'group_size':32,'dynamic':{'-:.*\\\\.self_attn\\\\..*':{},"
                "'+:.*layers\\\\.[23]\\\\..*down.*':{'bits':8}}}") ==
        "bf16;int4-gptq(32):fg.fu;int4-gptq(32):fd~0-1;int8-gptq(0):fd~2-3");
  CHECK(formats("{'quant_method':'awq','bits':4,'group_size':128,'zero_point':true,'modules_to_not_convert':['model.layers.0','o_"
                "proj']}") == "bf16;int4-awq:q.k.v.fg.fu.fd~1-3");
  CHECK(formats("{'quant_method':'fp8','weight_block_size':[128,128],'activation_scheme':'dynamic'}") ==
        "bf16;fp8-block" + linears);
  CHECK(formats("{'quant_method':'fp8','activation_scheme':'static','modules_to_not_convert':['lm_head','mlp.down_proj']}") ==
        "bf16;fp8:q.k.v.o.fg.fu");
  CHECK(formats("{'quant_method':'fbgemm_fp8','modules_to_not_convert':['model.layers.0.self_attn.q_proj']}") ==
        "bf16;int8:k.v.o.fg.fu.fd;int8:q~1-3");
  CHECK(formats(
            "{'quant_method':'bitsandbytes','load_in_4bit':true,'bnb_4bit_quant_type':'nf4','bnb_4bit_use_double_quant':true}") ==
        "bf16;nf4-dq" + linears);
  CHECK(formats("{'quant_method':'bitsandbytes','_load_in_4bit':true,'llm_int8_skip_modules':['self_attn']}") ==
        "bf16;nf4:fg.fu.fd");
  CHECK(formats("{'load_in_8bit':true,'load_in_4bit':false}") == "bf16;int8-bnb" + linears);
  const auto groups = [](const std::string& weights, const std::string& targets = "'Linear'",
                         const std::string& ignore = "'lm_head'") {
    return "{'quant_method':'compressed-tensors','config_groups':{'group_0':{'targets':[" + targets + "],'weights':{" + weights +
           "}}},'ignore':[" + ignore + "]}";
  };
  CHECK(formats(groups("'num_bits':4,'type':'int','strategy':'group','group_size':128,'symmetric':true")) ==
        "bf16;int4-group" + linears);
  CHECK(formats(groups("'num_bits':4,'type':'int','strategy':'group','group_size':64,'symmetric':false")) ==
        "bf16;int4-awq(64)" + linears);
  CHECK(formats(groups("'num_bits':8,'type':'int','strategy':'channel','symmetric':true")) == "bf16;int8" + linears);
  CHECK(formats(groups("'num_bits':8,'type':'float','strategy':'tensor'")) == "bf16;fp8" + linears);
  CHECK(formats(groups("'num_bits':8,'type':'float','strategy':'channel'")) == "bf16;int8" + linears);
  CHECK(formats(groups("'num_bits':8,'type':'float','strategy':'block'")) == "bf16;fp8-block" + linears);
  CHECK(formats(groups("'num_bits':4,'type':'float','strategy':'tensor_group','group_size':16")) == "bf16;nvfp4" + linears);
  CHECK(formats(groups("'num_bits':4,'type':'float','strategy':'group','group_size':32")) == "bf16;mxfp4" + linears);
  CHECK(formats(groups("'num_bits':8,'type':'float','strategy':'tensor'", "'Linear'",
                       "'re:.*self_attn.*', 're:model.layers.(0|3).mlp.down_proj$'")) == "bf16;fp8:head.fg.fu;fp8:fd~1-2");
  CHECK(formats(groups("'num_bits':4,'type':'int','strategy':'channel'", "'re:.*mlp.*'")) == "bf16;int4-group(0):fg.fu.fd");
  CHECK(formats("{'quant_method':'modelopt','quant_algo':'NVFP4','ignore':['lm_head','*self_attn*']}") == "bf16;nvfp4:fg.fu.fd");
  CHECK(formats("{'quant_method':'modelopt','quant_algo':'MIXED_PRECISION','quantized_layers':{"
                "'model.layers.1.mlp.down_proj':{'quant_algo':'NVFP4','group_size':16},"
                "'model.layers.1.self_attn.q_proj':{'quant_algo':'FP8'}}}") == "bf16;fp8:q~1;nvfp4:fd~1");
  CHECK(formats("{'quant_method':'quark','global_quant_config':{'weight':{'dtype':'fp8_e4m3','qscheme':'per_tensor'}},'exclude':["
                "'lm_head']}") == "bf16;fp8" + linears);
  CHECK(formats("{'quant_method':'auto-round','bits':4,'group_size':128,'packing_format':'auto_round:auto_gptq',"
                "'extra_config':{'model.layers.0.mlp.up_proj':{'bits':16}}}") == "bf16;int4-gptq:q.k.v.o.fg.fd;int4-gptq:fu~1-3");
  // Experts alone.
  const std::string experts = ",'num_local_experts':8,'num_experts_per_tok':2";
  CHECK(formats("{'quant_method':'mxfp4','modules_to_not_convert':['model.layers.*.self_attn']}", "gpt_oss", experts) ==
        "bf16;mxfp4:eg.eu.ed");
  CHECK(formats(groups("'num_bits':8,'type':'float','strategy':'tensor'", "'Linear'", "'re:.*block_sparse_moe.gate', 'lm_head'"),
                "mixtral", experts) == "bf16;fp8:q.k.v.o.eg.eu.ed");
  // A file beside the configuration.
  const Imported beside =
      import_text(llama(), "{'producer':{'name':'modelopt'},'quantization':{'quant_algo':'FP8','exclude_modules':['lm_head']}}");
  CHECK(beside.formats == "bf16;fp8" + linears);
  // Data types alone.
  CHECK(import_text(instead(llama(), "torch_dtype", "'float16'")).formats == "fp16");
  CHECK(import_text(instead(llama(), "torch_dtype", "'float32'")).formats == "fp32");
  CHECK(has_warning(import_text(instead(llama(), "torch_dtype", "'int3'")), "import-dtype-unknown"));
  // Known by name and not sized.
  for (const char* method : {"hqq", "aqlm", "torchao", "nonsense"}) {
    const Imported named = import_text(llama(", 'quantization_config': {'quant_method': '" + std::string(method) + "'}"));
    CHECK(named.ok);
    CHECK(named.formats == "");
    CHECK(has_warning(named, "import-quantization-unsized"));
  }
  CHECK(has_warning(import_text(llama(", 'quantization_config': {'quant_method': 'awq','bits':3,'group_size':64}")),
                    "import-quantization-unsized"));
  CHECK(has_warning(import_text(llama(", 'quantization': {'bits':4,'group_size':64}")), "import-quantization-unsized"));
  CHECK(has_warning(
      import_text(
          llama(", 'quantization_config': {'quant_method':'compressed-tensors','config_groups':{'g':{'targets':['Linear'],"
                "'weights':{'num_bits':8,'type':'float'}}},'ignore':['re:(?!x)y']}")),
      "import-pattern-unknown"));
  CHECK(refusal(llama(", 'quantization_config': {'bits': 'x', 'quant_method': 'gptq'}")) ==
        "import-not-integer quantization_config.bits \"x\"");
  CHECK(refusal(llama(", 'quantization_config': []")) == "import-not-object quantization_config []");
  CHECK(refusal(llama(", 'quantization_config': {}")) == "import-missing-field quantization_config.quant_method ");
}

TEST_CASE("configurations: hostile ones end with a named refusal") {
  CHECK(refusal(std::string(1000, '{')).find("import-json-syntax") == 0);
  CHECK(refusal(std::string(100000, '[')).find("import-json-depth") == 0);
  CHECK(refusal("").find("import-json-empty") == 0);
  std::string patterns;
  for (int i = 0; i < 2000; ++i)
    patterns += std::string(i ? "," : "") + "'re:(a|aa)*(a|aa)*(a|aa)*(a|aa)*b" + std::to_string(i) + "'";
  const Imported many =
      import_text(instead(llama(), "num_hidden_layers", "4096")
                      .insert(1, "'quantization_config':{'quant_method':'fp8','modules_to_not_convert':[" + patterns + "]},"));
  CHECK(many.ok);
  CHECK(has_warning(many, "import-patterns-too-many"));
  // Each figure is possible, their sum is not.
  CHECK(refusal("{'model_type':'deepseek_v2'," + llama_fields +
                ",'kv_lora_rank':512,'qk_nope_head_dim':16777216,'qk_rope_head_dim':64,'v_head_dim':128,'n_routed_experts':8,"
                "'num_experts_per_tok':2,'moe_intermediate_size':64,'first_k_dense_replace':0}") ==
        "import-out-of-range  dim16777280");
  // A class without mercy: more kinds of layers than a shape can hold.
  std::string blocks;
  for (int i = 1; i <= 20; ++i)
    blocks += std::string(i > 1 ? "," : "") +
              "{'attention':{'n_heads_in_group':4},'ffn':{'intermediate_size':" + std::to_string(256 * i) + "}}";
  CHECK(refusal("{'model_type':'nemotron-nas','hidden_size':512,'num_attention_heads':8,'vocab_size':1000,'num_hidden_layers':20,"
                "'tie_word_embeddings':false,'block_configs':[" +
                blocks + "]}")
            .find("import-limit") == 0);
}
