// Also tests: hugging_face/config_file.cpp, hugging_face/decoder_sizes.cpp
// Also tests: hugging_face/import_config.cpp, hugging_face/family.cpp, hugging_face/gated_families.cpp
// Also tests: hugging_face/gelu_families.cpp, hugging_face/expert_families.cpp
// Also tests: hugging_face/latent_families.cpp, hugging_face/other_families.cpp
// Also tests: hugging_face/fields_without_effect.cpp, hugging_face/known_families.cpp
// Also tests: hugging_face/encoder_families.cpp
#include "app/hugging_face/imported_model.hpp"

#include <filesystem>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/hugging_face/published.hpp"
#include "app/run_app.hpp"
#include "support/error_message.hpp"
#include "support/temporary_folder.hpp"

namespace dse::app {
namespace {

using dse::test::error_message;
using dse::test::TemporaryFolder;
using test::expect_its_parameters;
using test::name_of;
using test::Published;
using test::run_app;
using testing::HasSubstr;

class PublishedModel : public testing::TestWithParam<Published> {};

TEST_P(PublishedModel, HasItsParameters) {
    expect_its_parameters(GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    ConfigJson, PublishedModel,
    testing::Values(
        Published{"Llama-3.1-8B",
                  R"({"model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_size": 4096,
                      "intermediate_size": 14336, "num_attention_heads": 32, "num_hidden_layers": 32,
                      "num_key_value_heads": 8, "vocab_size": 128256, "attention_bias": false, "mlp_bias": false,
                      "hidden_act": "silu", "rope_scaling": {"factor": 8.0}, "max_position_embeddings": 131072,
                      "tie_word_embeddings": false, "torch_dtype": "bfloat16"})",
                  8030261248, 0},
        Published{"Llama-3.2-1B",
                  R"({"model_type": "llama", "hidden_size": 2048, "intermediate_size": 8192, "head_dim": 64,
                      "num_attention_heads": 32, "num_hidden_layers": 16, "num_key_value_heads": 8,
                      "vocab_size": 128256, "tie_word_embeddings": true})",
                  1235814400, 0},
        Published{"Mistral-7B-v0.1",
                  R"({"model_type": "mistral", "hidden_size": 4096, "intermediate_size": 14336,
                      "num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 8,
                      "vocab_size": 32000, "sliding_window": 4096, "max_position_embeddings": 32768})",
                  7241732096, 0},
        Published{"Qwen2.5-7B",
                  R"({"model_type": "qwen2", "hidden_size": 3584, "intermediate_size": 18944,
                      "num_attention_heads": 28, "num_hidden_layers": 28, "num_key_value_heads": 4,
                      "vocab_size": 152064, "use_sliding_window": false, "sliding_window": 131072,
                      "max_window_layers": 28, "use_mrope": null})",
                  7615616512, 0},
        Published{"Qwen2.5-0.5B",
                  R"({"model_type": "qwen2", "hidden_size": 896, "intermediate_size": 4864,
                      "num_attention_heads": 14, "num_hidden_layers": 24, "num_key_value_heads": 2,
                      "vocab_size": 151936, "tie_word_embeddings": true})",
                  494032768, 0},
        Published{"Qwen3-8B",
                  R"({"model_type": "qwen3", "hidden_size": 4096, "intermediate_size": 12288, "head_dim": 128,
                      "num_attention_heads": 32, "num_hidden_layers": 36, "num_key_value_heads": 8,
                      "vocab_size": 151936, "attention_bias": false, "use_sliding_window": false,
                      "sliding_window": null, "max_window_layers": 36})",
                  8190735360, 0},
        Published{"Qwen3-30B-A3B",
                  R"({"model_type": "qwen3_moe", "hidden_size": 2048, "intermediate_size": 6144,
                      "moe_intermediate_size": 768, "num_experts": 128, "num_experts_per_tok": 8, "head_dim": 128,
                      "num_attention_heads": 32, "num_hidden_layers": 48, "num_key_value_heads": 4,
                      "decoder_sparse_step": 1, "mlp_only_layers": [], "norm_topk_prob": true,
                      "vocab_size": 151936})",
                  30532122624, 0},
        Published{"Mixtral-8x7B",
                  R"({"model_type": "mixtral", "hidden_size": 4096, "intermediate_size": 14336,
                      "num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 8,
                      "num_local_experts": 8, "num_experts_per_tok": 2, "sliding_window": null,
                      "vocab_size": 32000})",
                  46702792704, 0},
        Published{
            "Gemma-2-9b",
            R"({"model_type": "gemma2", "hidden_size": 3584, "intermediate_size": 14336, "head_dim": 256,
                      "num_attention_heads": 16, "num_hidden_layers": 42, "num_key_value_heads": 8,
                      "sliding_window": 4096, "attn_logit_softcapping": 50.0, "final_logit_softcapping": 30.0,
                      "query_pre_attn_scalar": 256, "vocab_size": 256000, "hidden_activation": "gelu_pytorch_tanh"})",
            9241705984, 0},
        Published{
            "Gemma-3-1b",
            R"({"model_type": "gemma3_text", "hidden_size": 1152, "intermediate_size": 6912, "head_dim": 256,
                      "num_attention_heads": 4, "num_hidden_layers": 26, "num_key_value_heads": 1,
                      "sliding_window": 512, "sliding_window_pattern": 6, "vocab_size": 262144,
                      "rope_local_base_freq": 10000})",
            999885952, 0},
        Published{"gpt-oss-20b",
                  R"({"model_type": "gpt_oss", "hidden_size": 2880, "intermediate_size": 2880, "head_dim": 64,
                      "num_attention_heads": 64, "num_hidden_layers": 24, "num_key_value_heads": 8,
                      "num_local_experts": 32, "num_experts_per_tok": 4, "experts_per_token": 4,
                      "sliding_window": 128, "vocab_size": 201088, "attention_bias": true,
                      "quantization_config": {"quant_method": "mxfp4"}})",
                  20914757184, 0.05},
        Published{"DeepSeek-V3",
                  R"({"model_type": "deepseek_v3", "hidden_size": 7168, "intermediate_size": 18432,
                      "moe_intermediate_size": 2048, "num_attention_heads": 128, "num_key_value_heads": 128,
                      "num_hidden_layers": 61, "first_k_dense_replace": 3, "moe_layer_freq": 1,
                      "n_routed_experts": 256, "n_shared_experts": 1, "num_experts_per_tok": 8, "n_group": 8,
                      "topk_group": 4, "q_lora_rank": 1536, "kv_lora_rank": 512, "qk_nope_head_dim": 128,
                      "qk_rope_head_dim": 64, "v_head_dim": 128, "scoring_func": "sigmoid",
                      "topk_method": "noaux_tc", "norm_topk_prob": true, "num_nextn_predict_layers": 1,
                      "vocab_size": 129280, "quantization_config": {"quant_method": "fp8"}})",
                  671026419200, 0.00001},
        Published{"gpt-neox-20b",
                  R"({"model_type": "gpt_neox", "hidden_size": 6144, "intermediate_size": 24576,
                      "num_attention_heads": 64, "num_hidden_layers": 44, "vocab_size": 50432,
                      "use_parallel_residual": true, "rotary_pct": 0.25, "hidden_act": "gelu_fast"})",
                  20554567680, 0.02},
        Published{"phi-2",
                  R"({"model_type": "phi", "hidden_size": 2560, "intermediate_size": 10240,
                      "num_attention_heads": 32, "num_hidden_layers": 32, "vocab_size": 51200,
                      "partial_rotary_factor": 0.4, "qk_layernorm": false, "hidden_act": "gelu_new"})",
                  2779683840, 0.04},
        Published{"granite-3.1-8b-base",
                  R"({"model_type": "granite", "hidden_size": 4096, "intermediate_size": 12800,
                      "num_attention_heads": 32, "num_hidden_layers": 40, "num_key_value_heads": 8,
                      "vocab_size": 49155, "tie_word_embeddings": true, "embedding_multiplier": 12.0,
                      "logits_scaling": 16.0, "attention_multiplier": 0.0078125, "residual_multiplier": 0.22})",
                  8170848256, 0},
        Published{"SmolLM3-3B",
                  R"({"model_type": "smollm3", "hidden_size": 2048, "intermediate_size": 11008,
                      "num_attention_heads": 16, "num_hidden_layers": 36, "num_key_value_heads": 4,
                      "vocab_size": 128256, "no_rope_layers": [1, 1, 1, 0], "no_rope_layer_interval": 4,
                      "use_sliding_window": false, "sliding_window": null, "max_window_layers": 28})",
                  3075098624, 0},
        Published{"OLMo-2-1124-7B",
                  R"({"model_type": "olmo2", "hidden_size": 4096, "intermediate_size": 11008,
                      "num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 32,
                      "vocab_size": 100352, "attention_bias": false, "tie_word_embeddings": false})",
                  7298617344, 0.004},
        Published{"gpt2",
                  R"({"model_type": "gpt2", "n_embd": 768, "n_layer": 12, "n_head": 12, "n_positions": 1024,
                      "n_ctx": 1024, "vocab_size": 50257, "activation_function": "gelu_new", "attn_pdrop": 0.1,
                      "summary_type": "cls_index"})",
                  124439808, 0},
        Published{"opt-1.3b",
                  R"({"model_type": "opt", "hidden_size": 2048, "num_hidden_layers": 24, "ffn_dim": 8192,
                      "num_attention_heads": 32, "max_position_embeddings": 2048, "vocab_size": 50272,
                      "word_embed_proj_dim": 2048, "do_layer_norm_before": true, "activation_function": "relu"})",
                  1315758080, 0},
        Published{"starcoder2-3b",
                  R"({"model_type": "starcoder2", "hidden_size": 3072, "intermediate_size": 12288,
                      "num_hidden_layers": 30, "num_attention_heads": 24, "num_key_value_heads": 2,
                      "vocab_size": 49152, "use_bias": true, "sliding_window": 4096,
                      "max_position_embeddings": 16384, "hidden_act": "gelu_pytorch_tanh"})",
                  3030371328, 0},
        // The text part of 108,641,793,536 parameters; the vision encoder and its adapter have 871,932,416.
        Published{"Llama-4-Scout-17B-16E",
                  R"({"model_type": "llama4_text", "hidden_size": 5120, "intermediate_size": 8192,
                      "intermediate_size_mlp": 16384, "num_hidden_layers": 48, "num_attention_heads": 40,
                      "num_key_value_heads": 8, "head_dim": 128, "vocab_size": 202048, "num_local_experts": 16,
                      "num_experts_per_tok": 1, "interleave_moe_layer_step": 1, "attention_chunk_size": 8192,
                      "no_rope_layers": [], "use_qk_norm": true, "attn_temperature_tuning": 4})",
                  107769861120, 0},
        // Likewise, of 401,583,781,376.
        Published{"Llama-4-Maverick-17B-128E",
                  R"({"model_type": "llama4_text", "hidden_size": 5120, "intermediate_size": 8192,
                      "intermediate_size_mlp": 16384, "num_hidden_layers": 48, "num_attention_heads": 40,
                      "num_key_value_heads": 8, "head_dim": 128, "vocab_size": 202048, "num_local_experts": 128,
                      "num_experts_per_tok": 1, "interleave_moe_layer_step": 2, "attention_chunk_size": 8192})",
                  400711848960, 0},
        // Of 110,468,824,832 parameters; the layer that predicts a further token has 3,616,573,568: a
        // mixture's 2,341,492,864, a product of 2 x 4096 by 4096, three norms, and two tables of its own.
        Published{"GLM-4.5-Air",
                  R"({"model_type": "glm4_moe", "hidden_size": 4096, "intermediate_size": 10944,
                      "moe_intermediate_size": 1408, "num_hidden_layers": 46, "num_attention_heads": 96,
                      "num_key_value_heads": 8, "head_dim": 128, "vocab_size": 151552, "n_routed_experts": 128,
                      "n_shared_experts": 1, "num_experts_per_tok": 8, "first_k_dense_replace": 1,
                      "attention_bias": true, "use_qk_norm": false, "n_group": 1, "topk_group": 1,
                      "num_nextn_predict_layers": 1, "partial_rotary_factor": 0.5})",
                  110468824832 - 3616573568, 0.001},
        Published{"Qwen3-Next-80B-A3B",
                  R"({"model_type": "qwen3_next", "hidden_size": 2048, "intermediate_size": 5120,
                      "moe_intermediate_size": 512, "shared_expert_intermediate_size": 512,
                      "num_hidden_layers": 48, "num_attention_heads": 16, "num_key_value_heads": 2,
                      "head_dim": 256, "vocab_size": 151936, "num_experts": 512, "num_experts_per_tok": 10,
                      "linear_num_key_heads": 16, "linear_num_value_heads": 32, "linear_key_head_dim": 128,
                      "linear_value_head_dim": 128, "linear_conv_kernel_dim": 4, "full_attention_interval": 4,
                      "decoder_sparse_step": 1, "mlp_only_layers": [], "norm_topk_prob": true})",
                  79674391296, 0.003},
        // DeepSeek-V3's 671,026,419,200 and 61 indexers of 1536 x 64 x 128 + 7168 x 128 + 2 x 128 + 7168
        // x 64.
        Published{"DeepSeek-V3.2",
                  R"({"model_type": "deepseek_v32", "hidden_size": 7168, "intermediate_size": 18432,
                      "moe_intermediate_size": 2048, "num_attention_heads": 128, "num_key_value_heads": 128,
                      "num_hidden_layers": 61, "first_k_dense_replace": 3, "moe_layer_freq": 1,
                      "n_routed_experts": 256, "n_shared_experts": 1, "num_experts_per_tok": 8, "n_group": 8,
                      "topk_group": 4, "q_lora_rank": 1536, "kv_lora_rank": 512, "qk_nope_head_dim": 128,
                      "qk_rope_head_dim": 64, "v_head_dim": 128, "vocab_size": 129280, "index_head_dim": 128,
                      "index_n_heads": 64, "index_topk": 2048, "num_nextn_predict_layers": 1})",
                  671026419200 + 61LL * 13959424, 0.00001},
        Published{
            "vit-base-patch16-224",
            R"({"model_type": "vit", "hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12,
                      "intermediate_size": 3072, "image_size": 224, "patch_size": 16, "num_channels": 3,
                      "qkv_bias": true, "num_labels": 1000, "encoder_stride": 16, "hidden_act": "gelu"})",
            86567656, 0},
        Published{"Mamba-Codestral-7B-v0.1",
                  R"({"model_type": "mamba2", "hidden_size": 4096, "num_hidden_layers": 64, "num_heads": 128,
                      "head_dim": 64, "state_size": 128, "n_groups": 8, "vocab_size": 32768, "expand": 2,
                      "conv_kernel": 4, "chunk_size": 256, "use_bias": false, "use_conv_bias": true,
                      "tie_word_embeddings": false, "intermediate_size": 8192})",
                  7285403648, 0},
        Published{"Phi-3-mini-4k",
                  R"({"model_type": "phi3", "hidden_size": 3072, "intermediate_size": 8192,
                      "num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 32,
                      "sliding_window": 2047, "max_position_embeddings": 4096, "vocab_size": 32064})",
                  3821079552, 0}),
    name_of);

ImportedModel model_of(const std::string& config) {
    const TemporaryFolder folder;
    ConfigFile file{folder.write("config.json", config)};
    return imported_model(file, "m");
}

std::string blocks_of(const ImportedModel& model) {
    const std::string yaml = model_yaml(model, "config.json");
    return yaml.substr(yaml.find("blocks:"));
}

const std::string gemma_sizes =
    R"("hidden_size": 64, "intermediate_size": 128, "num_attention_heads": 4, "num_hidden_layers": 7, "vocab_size": 100)";

TEST(ImportedModel, KeepsWindowsPerLayer) {
    // Of seven layers the sixth sees all.
    EXPECT_EQ(
        blocks_of(model_of("{\"model_type\": \"gemma3_text\", \"sliding_window\": 32, " + gemma_sizes + "}")),
        "blocks: [embedding, normed_sandwich_window_layer: {count: 5, window: 32}, normed_sandwich_layer, "
        "normed_sandwich_window_layer: {count: 1, window: 32}, tied_head]\n");
    // layer_types says it layer by layer.
    EXPECT_EQ(
        blocks_of(model_of(
            R"({"model_type": "gemma2", "sliding_window": 32, "layer_types": ["sliding_attention", "full_attention",
                "full_attention", "full_attention", "full_attention", "full_attention", "full_attention"], )" +
            gemma_sizes + "}")),
        "blocks: [embedding, sandwich_window_layer: {count: 1, window: 32}, sandwich_layer: 6, tied_head]\n");
}

/// transformers refuses them when it makes their masks.
TEST(ImportedModel, RefusesWindowsWithoutALength) {
    const std::string types =
        R"("layer_types": ["sliding_attention", "full_attention", "full_attention", "full_attention",
           "full_attention", "full_attention", "full_attention"], )";
    for (const char* family : {"gemma2", "qwen2", "cwm", "gpt_oss"}) {
        const std::string file =
            fmt::format(R"({{"model_type": "{}", "sliding_window": null, "num_local_experts": 4, )", family);
        EXPECT_THAT(error_message([&] { model_of(file + types + gemma_sizes + "}"); }),
                    HasSubstr("1 of its layers have a window (layer_types), and sliding_window does not say"))
            << family;
    }
    const std::string gemma =
        R"({"model_type": "gemma4_text", "hidden_size_per_layer_input": 0, "sliding_window": null, )";
    EXPECT_THAT(error_message([&] { model_of(gemma + gemma_sizes + "}"); }),
                HasSubstr("five of six have one"));
}

TEST(ImportedModel, RefusesTypesThatAreNotOnePerLayer) {
    const auto message = [](const std::string& types) {
        return error_message([&] {
            model_of(R"({"model_type": "gemma2", "sliding_window": 32, "layer_types": )" + types + ", " +
                     gemma_sizes + "}");
        });
    };
    const std::string layers = R"("sliding_attention", "full_attention", "full_attention", "full_attention")";
    EXPECT_THAT(message("[" + layers + ", " + layers + "]"),
                HasSubstr("layer_types names 8 layers, num_hidden_layers says 7"));
    EXPECT_THAT(message("[" + layers + "]"), HasSubstr("layer_types names 4 layers"));
    EXPECT_THAT(message(R"("sliding_attention")"),
                HasSubstr("layer_types is not a list of names, one per layer"));
    EXPECT_THAT(message("[1, 2, 3, 4, 5, 6, 7]"), HasSubstr("layer_types is not a list of names"));
    EXPECT_THAT(message(R"(["full_attention", "full_attention", "full_attention", "full_attention",
                            "full_attention", "full_attention", "slidingattention"])"),
                HasSubstr("layer_types: 'slidingattention' is not a kind of layer that is known here "
                          "(sliding_attention, full_attention) (did you mean 'sliding_attention'?)"));
}

TEST(ImportedModel, ListsTheLayersOfLlama4InTheirOrder) {
    const std::string sizes =
        R"("intermediate_size_mlp": 256, "num_local_experts": 4, "num_experts_per_tok": 1, )" + gemma_sizes;
    // Seven layers: the second, fourth and sixth are mixtures, the fourth attends to everything.
    EXPECT_EQ(
        blocks_of(
            model_of(R"({"model_type": "llama4_text", "interleave_moe_layer_step": 2, )" + sizes + "}")),
        "blocks: [embedding, dense_chunk_layer: {count: 1, window: 8192, fd: 256}, chunk_layer: {count: 1, "
        "window: 8192}, dense_chunk_layer: {count: 1, window: 8192, fd: 256}, full_layer, dense_chunk_layer: "
        "{count: 1, window: 8192, fd: 256}, chunk_layer: {count: 1, window: 8192}, dense_chunk_layer: "
        "{count: "
        "1, window: 8192, fd: 256}, head]\n");
    // Lists say it layer by layer: 0 has no positions, and attends to everything.
    EXPECT_EQ(
        blocks_of(model_of(
            R"({"model_type": "llama4_text", "moe_layers": [0, 6], "no_rope_layers": [1, 0, 1, 1, 1, 1, 0], )" +
            sizes + "}")),
        "blocks: [embedding, chunk_layer: {count: 1, window: 8192}, dense_full_layer: {count: 1, fd: 256}, "
        "dense_chunk_layer: {count: 4, window: 8192, fd: 256}, full_layer, head]\n");
}

TEST(ImportedModel, RefusesShapesThatItsTemplateLacks) {
    const auto refusal = [](const std::string& config) { return error_message([&] { model_of(config); }); };
    EXPECT_THAT(
        refusal(R"({"model_type": "opt", "ffn_dim": 8, "word_embed_proj_dim": 32, )" + gemma_sizes + "}"),
        HasSubstr("word_embed_proj_dim"));
    EXPECT_THAT(refusal(R"({"model_type": "vit", "image_size": 225, )" + gemma_sizes + "}"),
                HasSubstr("tile"));
    EXPECT_THAT(refusal(R"({"model_type": "mamba2", "num_hidden_layers": 2, "hidden_size": 64, "num_heads": 3,
                            "head_dim": 32, "state_size": 16, "vocab_size": 100})"),
                HasSubstr("expand"));
    EXPECT_THAT(
        refusal(R"({"model_type": "gpt2", "n_embd": 65, "n_layer": 2, "n_head": 4, "vocab_size": 9})"),
        HasSubstr("n_head"));
    EXPECT_THAT(refusal(R"({"model_type": "llama4_text", "num_local_experts": 4, "num_experts_per_tok": 1,
                            "num_hidden_layers": 1000000, "hidden_size": 64, "intermediate_size": 128,
                            "num_attention_heads": 4, "vocab_size": 100})"),
                HasSubstr("layers"));
}

TEST(ImportedModel, SaysThatFrameworksPadTheVocabulary) {
    const auto left_out = [](const std::string& vocab) {
        return model_of(R"({"model_type": "gpt2", "n_embd": 64, "n_layer": 2, "n_head": 4, "vocab_size": )" +
                        vocab + "}")
            .left_out;
    };
    EXPECT_THAT(left_out("50257"),
                testing::ElementsAre(testing::AllOf(HasSubstr("50257"), HasSubstr("50304"))));
    EXPECT_THAT(left_out("50304"), testing::IsEmpty());
}

TEST(ImportedModel, SaysWhatItLeavesOut) {
    const ImportedModel model = model_of(
        R"({"model_type": "llama", "attention_bias": true, "mlp_bias": true, "hidden_act": "relu", )" +
        gemma_sizes + "}");
    EXPECT_THAT(model.left_out,
                testing::UnorderedElementsAre(HasSubstr("relu"), HasSubstr("attention's output"),
                                              HasSubstr("the MLP"), HasSubstr("padding")));
    EXPECT_THAT(model_yaml(model, "x"), HasSubstr("# Not modelled: biases of the MLP."));
}

TEST(ImportedModel, ListsUnknownFields) {
    const TemporaryFolder folder;
    const std::string file = folder.write(
        "config.json", R"({"model_type": "llama", "novel_attention": true, )" + gemma_sizes + "}");
    const auto json = run_app({"import", file, "--json"}).json();
    EXPECT_EQ(json["unknown_fields"], nlohmann::json::array({"novel_attention"}));
    EXPECT_THAT(run_app({"import", file}).out, HasSubstr("unknown fields, ignored: novel_attention"));
}

TEST(ImportedModel, RefusesWhatNoTemplateStandsFor) {
    EXPECT_THAT(error_message([] { model_of(R"({"model_type": "lama", "hidden_size": 1})"); }),
                HasSubstr("'llama'"));
    EXPECT_THAT(error_message([] {
                    model_of(R"({"model_type": "qwen3_moe", "moe_intermediate_size": 8, "num_experts": 4,
                                 "num_experts_per_tok": 2, "decoder_sparse_step": 2, )" +
                             gemma_sizes + "}");
                }),
                HasSubstr("dense"));
    EXPECT_THAT(error_message([] { model_of(R"({"model_type": "deepseek_v32", "q_lora_rank": null})"); }),
                HasSubstr("q_lora_rank"));
}

TEST(ImportedModel, NamesWhatIsNearestToFamiliesWithoutATemplate) {
    const auto message = [](const std::string& text) { return error_message([&] { model_of(text); }); };
    EXPECT_THAT(
        message(R"({"model_type": "whisper"})"),
        HasSubstr("no template for model_type 'whisper': its decoder attends to what an encoder made, and "
                  "no template has two stacks (nearest: gpt2 for its decoder"));
    EXPECT_THAT(message(R"({"model_type": "minimax"})"), HasSubstr("(nearest: qwen3_5_moe"));
    EXPECT_THAT(message(R"({"model_type": "lama"})"), HasSubstr("(did you mean 'llama'?)"));
    EXPECT_THAT(message(R"({"_class_name": "FluxTransformer2DModel", "num_layers": 19})"),
                HasSubstr("no template for FluxTransformer2DModel: it denoises images"));
    const std::string gemma = R"({"model_type": "gemma4_text", "hidden_size_per_layer_input": )";
    EXPECT_THAT(message(gemma + "256}"), HasSubstr("every layer has embeddings of its own"));
    EXPECT_THAT(message(gemma + "0, \"num_kv_shared_layers\": 20}"),
                HasSubstr("layers share keys and values"));
    EXPECT_THAT(message(R"({"model_type": "gemma4_text"})"), HasSubstr("256 where it is not stated"));
}

/// Ratios of compression name the kinds of layers, and those of layers that predict further tokens may
/// follow.
TEST(ImportedModel, ReadsTheCompressionOfDeepSeekV4) {
    const auto with = [](const std::string& more) {
        return model_of(R"({"model_type": "deepseek_v4", "hidden_size": 64, "moe_intermediate_size": 32,
                            "num_hidden_layers": 4, "num_attention_heads": 8, "head_dim": 256, "q_lora_rank": 16,
                            "o_lora_rank": 16, "n_routed_experts": 8, "num_experts_per_tok": 2, "index_topk": 64,
                            "vocab_size": 512)" +
                        more + "}");
    };
    const auto names = [&](const std::string& more) {
        std::vector<std::string> found;
        for (const ImportedBlock& block : with(more).blocks) found.push_back(block.name);
        return found;
    };
    EXPECT_THAT(
        names(R"(, "compress_ratios": [0, 0, 4, 128, 0])"),
        testing::ElementsAre("embedding", "window_layer", "sparse_layer", "compressed_layer", "head"));
    EXPECT_THAT(names(""), testing::ElementsAre("embedding", "compressed_layer", "sparse_layer", "head"));
    const auto message = [&](const std::string& more) { return error_message([&] { with(more); }); };
    EXPECT_THAT(message(R"(, "compress_ratios": [0, 0])"), HasSubstr("is not a list of 4 ratios"));
    EXPECT_THAT(message(R"(, "compress_ratios": [0, 0, 4, 16])"), HasSubstr("16 is none of 0, 4 and 128"));
    EXPECT_THAT(message(R"(, "o_groups": 3)"), HasSubstr("8 heads do not fit 3 groups"));
    EXPECT_THAT(message(R"(, "compress_rate_csa": 8)"), HasSubstr("compress_rate_csa is 8, and that of the"));
    EXPECT_THAT(message(R"(, "compress_rates": {"heavily_compressed_attention": 64})"),
                HasSubstr("compress_rates is 64, and that of the template deepseek_v4 is 128"));
    EXPECT_THAT(message(R"(, "index_head_dim": 6)"), HasSubstr("an indexer's of 6 do not fit"));
    EXPECT_EQ(names(R"(, "compress_rates": {"compressed_sparse_attention": 4})").size(), 4U);
}

/// Layers of Kimi Linear are numbered from 1, in two lists that together name each of them.
TEST(ImportedModel, ReadsTheListsOfKimiLinear) {
    const auto with = [](const std::string& lists) {
        return model_of(R"({"model_type": "kimi_linear", "hidden_size": 64, "intermediate_size": 128,
                            "moe_intermediate_size": 32, "num_hidden_layers": 4, "num_attention_heads": 4,
                            "num_experts": 8, "num_experts_per_token": 2, "num_shared_experts": 1,
                            "kv_lora_rank": 16, "qk_nope_head_dim": 8, "qk_rope_head_dim": 8, "v_head_dim": 8,
                            "vocab_size": 512, "linear_attn_config": {"head_dim": 16, "num_heads": 2, )" +
                        lists + "}}");
    };
    const ImportedModel model = with(R"("kda_layers": [1, 2, 4], "full_attn_layers": [3])");
    std::vector<std::string> names;
    for (const ImportedBlock& block : model.blocks) names.push_back(block.name);
    EXPECT_THAT(names, testing::ElementsAre("embedding", "linear_dense_layer", "linear_moe_layer",
                                            "moe_layer", "linear_moe_layer", "head"));
    const auto message = [&](const std::string& lists) { return error_message([&] { with(lists); }); };
    EXPECT_THAT(message(R"("kda_layers": [1, 2], "full_attn_layers": [3])"), HasSubstr("name 3 of 4 layers"));
    EXPECT_THAT(message(R"("kda_layers": [0, 1, 2, 4], "full_attn_layers": [3])"),
                HasSubstr("kda_layers names layer 0 of 4"));
    EXPECT_THAT(message(R"("kda_layers": [1, 2, 4])"), HasSubstr("has no list full_attn_layers"));
    EXPECT_THAT(message(R"("num_heads": -1, "kda_layers": [1, 2, 4], "full_attn_layers": [3])"),
                HasSubstr("num_heads is -1, not a size"));
}

/// Qwen2: windows from this layer on. 0 means all of them, not that nothing is stated.
TEST(ImportedModel, TakesAStatedZeroAsANumber) {
    const auto blocks = [](const std::string& first) {
        return blocks_of(
            model_of(R"({"model_type": "qwen2", "use_sliding_window": true, "sliding_window": 16)" + first +
                     ", " + gemma_sizes + "}"));
    };
    EXPECT_EQ(blocks(R"(, "max_window_layers": 0)"),
              "blocks: [embedding, biased_window_layer: {count: 7, window: 16}, head]\n");
    EXPECT_EQ(blocks(R"(, "max_window_layers": null)"), "blocks: [embedding, biased_layer: 7, head]\n");
    EXPECT_EQ(model_of(R"({"model_type": "llama", "sliding_window": 0, )" + gemma_sizes + "}").template_name,
              "llama");
}

TEST(ImportedModel, RefusesSizesThatAreNone) {
    for (const char* size : {"0.5", "-1", "\"64\"", "1e300", "99999999999999999999", "[1]", "true"}) {
        const std::string layers =
            std::string{R"({"model_type": "llama", "num_hidden_layers": )"} + size + "}";
        EXPECT_THAT(error_message([&] { model_of(layers); }), HasSubstr("not a size")) << size;
    }
    const auto llama = [](const std::string& field) {
        return error_message(
            [&] { model_of(R"({"model_type": "llama", )" + field + ", " + gemma_sizes + "}"); });
    };
    EXPECT_THAT(llama(R"("head_dim": 0)"), HasSubstr("head_dim is 0, not a size"));
    EXPECT_THAT(llama(R"("num_key_value_heads": 0)"), HasSubstr("num_key_value_heads is 0, not a size"));
    EXPECT_THAT(llama(R"("sliding_window": -1)"),
                HasSubstr("sliding_window is -1, not a number of something"));
    EXPECT_THAT(error_message([] { model_of("[]"); }), HasSubstr("object"));
    EXPECT_THAT(error_message([] { model_of("{"); }), HasSubstr("no JSON"));
    EXPECT_THAT(
        error_message([] {
            model_of(R"({"model_type": "llama", "num_hidden_layers": 2, "hidden_size": 65, "vocab_size": 9,
                                 "num_attention_heads": 4})");
        }),
        HasSubstr("do not fit"));
}

/// Text models inside larger ones state what differs from transformers' classes, as published: Gemma 3 4B
/// (3,880,263,168 parameters without its encoder), LLaVA 1.5 7B (Llama's 6,738,415,616 and 64 more rows of
/// two tables).
TEST(ImportedModel, TakesTheDefaultsOfTransformersForAPart) {
    const ImportedModel gemma = model_of(
        R"({"model_type": "gemma3", "vision_config": {}, "text_config": {"model_type": "gemma3_text",
            "hidden_size": 2560, "intermediate_size": 10240, "num_hidden_layers": 34, "sliding_window": 1024}})");
    EXPECT_EQ(gemma.parameters, 3880263168);
    const TemporaryFolder folder;
    const std::string file = folder.write(
        "config.json",
        R"({"model_type": "llava", "text_config": {"model_type": "llama", "vocab_size": 32064}})");
    const auto json = run_app({"import", file, "--json"}).json();
    EXPECT_EQ(json["parameters"].get<std::int64_t>(), 6738415616 + 64 * 2 * 4096);
    EXPECT_EQ(json["defaults"]["num_hidden_layers"], 32);
    EXPECT_FALSE(json["defaults"].contains("vocab_size"));
    EXPECT_THAT(run_app({"import", file}).out, HasSubstr("not stated, as in transformers: hidden_size 4096"));
    // A model of its own states its sizes.
    EXPECT_THAT(error_message([] { model_of(R"({"model_type": "llama", "vocab_size": 32064})"); }),
                HasSubstr("is missing"));
}

/// Python writes numbers that JSON does not have. In a string they are text.
TEST(ImportedModel, ReadsPythonsNumbers) {
    const ImportedModel model = model_of(R"({"model_type": "llama", "novel": [-Infinity, NaN, Infinity],
                                             "_name_or_path": "a \"Infinity", )" +
                                         gemma_sizes + "}");
    EXPECT_EQ(model.template_name, "llama");
    EXPECT_THAT(error_message([] { model_of(R"({"model_type": "llama", "num_hidden_layers": NaN})"); }),
                HasSubstr("num_hidden_layers is missing"));
}

/// GLM-5.2: indexers of 1 of 3 layers, of 2048 x 32 x 128 + 6144 x 128 + 2 x 128 + 6144 x 32 parameters here.
TEST(ImportedModel, CountsSharedIndexersOnce) {
    const auto with = [](const std::string& kinds) {
        return model_of(R"({"model_type": "glm_moe_dsa", "hidden_size": 6144, "intermediate_size": 128,
                            "moe_intermediate_size": 64, "num_attention_heads": 4, "num_hidden_layers": 3,
                            "first_k_dense_replace": 1, "n_routed_experts": 8, "n_shared_experts": 1,
                            "num_experts_per_tok": 2, "q_lora_rank": 2048, "kv_lora_rank": 512,
                            "qk_nope_head_dim": 16, "qk_rope_head_dim": 16, "v_head_dim": 16, "vocab_size": 512,
                            "index_n_heads": 32, "index_head_dim": 128, "index_topk": 64)" +
                        kinds + "}");
    };
    const ImportedModel shared = with(R"(, "indexer_types": ["full", "shared", "shared"])");
    EXPECT_EQ(with("").parameters - shared.parameters,
              2 * (2048 * 32 * 128 + 6144 * 128 + 2 * 128 + 6144 * 32));
    EXPECT_THAT(shared.left_out, testing::Contains(HasSubstr("1 of 3 layers")));
}

TEST(ImportedModel, CountsWindowsByKindOfLayer) {
    const std::string windows = R"("sliding_window": 16, "max_position_embeddings": 64, )";
    EXPECT_THAT(model_yaml(model_of(R"({"model_type": "olmo3", )" + windows + gemma_sizes + "}"), "x"),
                HasSubstr("norm_after_window_layer: {count: "));
    EXPECT_THAT(
        error_message([&] { model_of(R"({"model_type": "nemotron_h", "hybrid_override_pattern": "MX"})"); }),
        HasSubstr("'X' is not a kind of layer"));
    EXPECT_THAT(error_message([&] { model_of(R"({"model_type": "nemotron_h"})"); }),
                HasSubstr("hybrid_override_pattern or layers_block_type is missing"));
    EXPECT_THAT(
        error_message([&] {
            model_of(
                R"({"model_type": "nemotron_h", "num_hidden_layers": 3, "hybrid_override_pattern": "M*"})");
        }),
        HasSubstr("2 layers, num_hidden_layers says 3"));
}

TEST(ImportedModel, LetsNoTextOfTheFileBecomeYaml) {
    const std::string config =
        R"({"model_type": "llama", "hidden_act": "relu\nblocks: [x]\u001b[2J", )" + gemma_sizes + "}";
    const std::string yaml = model_yaml(model_of(config), "a\"\nname: b");
    EXPECT_THAT(yaml, HasSubstr("relu_blocks: [x]_[2J ("));
    EXPECT_THAT(yaml, HasSubstr("source: \"a__name: b\"\n"));
}

TEST(ImportedModel, DoesNotOverwriteUnasked) {
    const TemporaryFolder folder;
    const std::string file = folder.write("tiny.json", R"({"model_type": "llama", )" + gemma_sizes + "}");
    EXPECT_EQ(run_app({"import", file, "-o", folder.path("m")}).code, 0);
    EXPECT_EQ(run_app({"import", file, "-o", folder.path("m")}).code, 2);
    EXPECT_EQ(run_app({"import", file, "-o", folder.path("m"), "--force"}).code, 0);
    const std::string named = folder.path("mine.yaml");
    EXPECT_EQ(run_app({"import", file, "-o", named}).code, 0);
    EXPECT_TRUE(std::filesystem::is_regular_file(named));
}

/// Three matrices of 2^40 by 2^40 have more numbers than 2^63; so have 2^40 experts of an ordinary size, and
/// a vocabulary of 2^40 with a width of 2^20.
TEST(ImportedModel, RefusesMoreParametersThanCanBeCounted) {
    const TemporaryFolder folder;
    constexpr const char* sizes = R"({{"model_type": "{}", "hidden_size": {}, "intermediate_size": {},
        "num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 8, "vocab_size": {},
        "num_local_experts": {}, "num_experts_per_tok": 2}})";
    constexpr std::int64_t many = std::int64_t{1} << 40U;
    const auto message = [&](const char* type, std::int64_t h, std::int64_t f, std::int64_t vocab,
                             std::int64_t experts) {
        const std::string file =
            folder.write("config.json", fmt::format(fmt::runtime(sizes), type, h, f, vocab, experts));
        return run_app({"import", file}).err;
    };
    const auto counts = HasSubstr("with its other sizes it would have more parameters than can be counted");
    EXPECT_THAT(message("llama", many, many, 32000, 8), counts);
    EXPECT_THAT(message("mixtral", 4096, 14336, 32000, many), counts);
    EXPECT_THAT(message("llama", many >> 20U, 14336, many, 8), counts);
    EXPECT_EQ(message("llama", 16384, 65536, 262144, 8), "");
}

}  // namespace
}  // namespace dse::app
