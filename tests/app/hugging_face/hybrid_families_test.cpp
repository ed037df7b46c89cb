#include <gtest/gtest.h>

#include "app/hugging_face/published.hpp"

namespace dse::app {
namespace {

using test::expect_its_parameters;
using test::name_of;
using test::Published;

class CountedModel : public testing::TestWithParam<Published> {};

TEST_P(CountedModel, HasItsParameters) {
    expect_its_parameters(GetParam());
}

/// Counts that transformers 5.24 arrives at for these configurations (on its meta device, without the
/// routers' correction biases, which are no parameters there): the sizes are published, or the defaults of
/// its classes.
INSTANTIATE_TEST_SUITE_P(
    ByTransformers, CountedModel,
    testing::Values(
        Published{"Qwen3.5-27B",
                  R"({"model_type": "qwen3_5", "tie_word_embeddings": false, "text_config": {
                      "model_type": "qwen3_5_text", "hidden_size": 5120, "intermediate_size": 17408, "head_dim": 256,
                      "num_hidden_layers": 64, "num_attention_heads": 24, "num_key_value_heads": 4,
                      "linear_num_key_heads": 16, "linear_num_value_heads": 48, "linear_key_head_dim": 128,
                      "linear_value_head_dim": 128, "linear_conv_kernel_dim": 4, "full_attention_interval": 4,
                      "attn_output_gate": true, "mtp_num_hidden_layers": 1, "mlp_only_layers": [],
                      "mtp_use_dedicated_embeddings": false, "mamba_ssm_dtype": "float32", "vocab_size": 248320}})",
                  26895998464, 0.05},
        Published{"Qwen3.5-35B-A3B",
                  R"({"model_type": "qwen3_5_moe_text", "hidden_size": 2048, "num_hidden_layers": 40,
                      "num_attention_heads": 16, "num_key_value_heads": 2, "head_dim": 256,
                      "linear_num_key_heads": 16, "linear_num_value_heads": 32, "linear_key_head_dim": 128,
                      "linear_value_head_dim": 128, "moe_intermediate_size": 512, "num_experts": 256,
                      "shared_expert_intermediate_size": 512, "num_experts_per_tok": 8, "vocab_size": 248320})",
                  34660610688, 0.01},
        // 31,577,940,288 by its weights, with the correction biases of 23 routers.
        Published{
            "NVIDIA-Nemotron-3-Nano-30B-A3B",
            R"({"model_type": "nemotron_h", "hidden_size": 2688, "num_hidden_layers": 52, "head_dim": 128,
                      "hybrid_override_pattern": "MEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEMEM*EMEMEMEME",
                      "num_attention_heads": 32, "num_key_value_heads": 2, "mamba_num_heads": 64,
                      "mamba_head_dim": 64, "ssm_state_size": 128, "n_groups": 8, "intermediate_size": 1856,
                      "moe_intermediate_size": 1856, "moe_shared_expert_intermediate_size": 3712,
                      "n_routed_experts": 128, "n_shared_experts": 1, "num_experts_per_tok": 6,
                      "time_step_limit": [0.0, Infinity], "mlp_hidden_act": "relu2", "vocab_size": 131072})",
            31577937344 + std::int64_t{23} * 128, 0.0001},
        // The same with names of kinds, dense, and no mixtures.
        Published{"NamedKinds",
                  R"({"model_type": "nemotron_h", "hidden_size": 64, "head_dim": 16, "intermediate_size": 128,
                      "layers_block_type": ["linear_attention", "mlp", "full_attention", "mamba"],
                      "num_attention_heads": 4, "num_key_value_heads": 2, "mamba_num_heads": 8,
                      "mamba_head_dim": 16, "ssm_state_size": 32, "n_groups": 2, "vocab_size": 512})",
                  // Tables and a norm; a scan: norm, 64 x (128 + 256 + 8), convolution with biases, three
                  // numbers a head, a gated norm, 128 x 64; an MLP; attention.
                  2 * 512 * 64 + 64 + 2 * (64 + 64 * 392 + 5 * 256 + 3 * 8 + 128 + 128 * 64) +
                      (64 + 2 * 64 * 128) + (64 + 64 * 8 * 16 + 64 * 64),
                  0},
        Published{"Granite-4.0-H-Small",
                  R"({"model_type": "granitemoehybrid", "hidden_size": 4096, "intermediate_size": 768,
                      "shared_intermediate_size": 1536, "num_hidden_layers": 40, "num_attention_heads": 32,
                      "num_key_value_heads": 8, "num_local_experts": 72, "num_experts_per_tok": 10,
                      "mamba_n_heads": 128, "mamba_d_head": 64, "mamba_d_state": 128, "mamba_n_groups": 1,
                      "mamba_d_conv": 4, "mamba_expand": 2, "mamba_chunk_size": 256, "mamba_conv_bias": true,
                      "mamba_proj_bias": false, "position_embedding_type": "nope", "tie_word_embeddings": true,
                      "normalization_function": "rmsnorm", "embedding_multiplier": 12, "vocab_size": 100352,
                      "layer_types": ["mamba", "mamba", "mamba", "mamba", "mamba", "attention", "mamba", "mamba", "mamba", "mamba",
                      "mamba", "mamba", "mamba", "mamba", "mamba", "attention", "mamba", "mamba", "mamba", "mamba",
                      "mamba", "mamba", "mamba", "mamba", "mamba", "attention", "mamba", "mamba", "mamba", "mamba",
                      "mamba", "mamba", "mamba", "mamba", "mamba", "attention", "mamba", "mamba", "mamba", "mamba"]})",
                  32207337984, 0},
        Published{"Granite-4.0-H-Micro",
                  R"({"model_type": "granitemoehybrid", "hidden_size": 2048, "intermediate_size": 8192,
                      "shared_intermediate_size": 8192, "num_hidden_layers": 40, "num_attention_heads": 32,
                      "num_key_value_heads": 8, "num_local_experts": 0, "num_experts_per_tok": 0,
                      "mamba_n_heads": 64, "mamba_d_head": 64, "mamba_d_state": 128, "mamba_n_groups": 1,
                      "tie_word_embeddings": true, "vocab_size": 100352,
                      "layer_types": ["mamba", "mamba", "mamba", "mamba", "mamba", "attention", "mamba", "mamba", "mamba", "mamba",
                      "mamba", "mamba", "mamba", "mamba", "mamba", "attention", "mamba", "mamba", "mamba", "mamba",
                      "mamba", "mamba", "mamba", "mamba", "mamba", "attention", "mamba", "mamba", "mamba", "mamba",
                      "mamba", "mamba", "mamba", "mamba", "mamba", "attention", "mamba", "mamba", "mamba", "mamba"]})",
                  3191396096, 0},
        // 228,689,748,992 without the correction biases of 62 routers.
        Published{
            "MiniMax-M2.5",
            R"({"model_type": "minimax_m2", "hidden_size": 3072, "intermediate_size": 1536, "head_dim": 128,
                      "num_hidden_layers": 62, "num_attention_heads": 48, "num_key_value_heads": 8,
                      "num_local_experts": 256, "num_experts_per_tok": 8, "rotary_dim": 64, "use_qk_norm": true,
                      "qk_norm_type": "per_layer", "use_routing_bias": true, "use_mtp": true, "num_mtp_modules": 3,
                      "mtp_transformer_layers": 1, "shared_intermediate_size": 0, "scoring_func": "sigmoid",
                      "vocab_size": 200064})",
            228689748992 + std::int64_t{62} * 256, 0.001},
        Published{"Gemma-4-31B",
                  R"({"model_type": "gemma4", "tie_word_embeddings": true, "text_config": {"model_type":
                      "gemma4_text", "hidden_size": 5376, "num_hidden_layers": 60, "num_attention_heads": 32,
                      "num_key_value_heads": 16, "head_dim": 256, "global_head_dim": 512,
                      "num_global_key_value_heads": 4, "intermediate_size": 21504, "sliding_window": 1024,
                      "attention_k_eq_v": true, "hidden_size_per_layer_input": 0, "vocab_size": 262144,
                      "enable_moe_block": false, "num_kv_shared_layers": 0, "max_position_embeddings": 262144}})",
                  30697345280, 0},
        Published{"Gemma-4-26B-A4B",
                  R"({"model_type": "gemma4_text", "hidden_size": 2816, "num_hidden_layers": 30,
                      "num_attention_heads": 16, "num_key_value_heads": 8, "head_dim": 256, "global_head_dim":
                      512, "num_global_key_value_heads": 2, "intermediate_size": 2112, "moe_intermediate_size":
                      704, "num_experts": 128, "top_k_experts": 8, "enable_moe_block": true, "sliding_window":
                      1024, "attention_k_eq_v": true, "hidden_size_per_layer_input": 0, "vocab_size": 262144})",
                  25233141760, 0.0001},
        Published{"Kimi-Linear-48B-A3B",
                  R"({"model_type": "kimi_linear", "hidden_size": 2304, "intermediate_size": 9216,
                      "moe_intermediate_size": 1024, "num_hidden_layers": 27, "num_attention_heads": 32,
                      "num_key_value_heads": 32, "head_dim": 72, "num_experts": 256, "num_experts_per_token":
                      8, "num_shared_experts": 1, "first_k_dense_replace": 1, "moe_layer_freq": 1,
                      "q_lora_rank": null, "kv_lora_rank": 512, "qk_nope_head_dim": 128, "qk_rope_head_dim":
                      64, "v_head_dim": 128, "mla_use_nope": true, "vocab_size": 163840, "linear_attn_config":
                      {"full_attn_layers": [4, 8, 12, 16, 20, 24, 27], "kda_layers": [1, 2, 3, 5, 6, 7, 9, 10,
                      11, 13, 14, 15, 17, 18, 19, 21, 22, 23, 25, 26], "head_dim": 128, "num_heads": 32,
                      "short_conv_kernel_size": 4}})",
                  49122675072 + std::int64_t{26} * 256, 0.001},
        Published{"DeepSeek-V2-Lite",
                  R"({"model_type": "deepseek_v2", "hidden_size": 2048, "intermediate_size": 10944,
                      "moe_intermediate_size": 1408, "num_hidden_layers": 27, "num_attention_heads": 16,
                      "num_key_value_heads": 16, "n_shared_experts": 2, "n_routed_experts": 64,
                      "num_experts_per_tok": 6, "q_lora_rank": null, "kv_lora_rank": 512, "qk_nope_head_dim":
                      128, "qk_rope_head_dim": 64, "v_head_dim": 128, "first_k_dense_replace": 1,
                      "moe_layer_freq": 1, "vocab_size": 102400})",
                  15706484224, 0},
        Published{"Moonlight-16B-A3B",
                  R"({"model_type": "deepseek_v3", "hidden_size": 2048, "intermediate_size": 11264,
                      "moe_intermediate_size": 1408, "num_hidden_layers": 27, "num_attention_heads": 16,
                      "num_key_value_heads": 16, "n_shared_experts": 2, "n_routed_experts": 64,
                      "num_experts_per_tok": 6, "q_lora_rank": null, "kv_lora_rank": 512, "qk_nope_head_dim":
                      128, "qk_rope_head_dim": 64, "v_head_dim": 128, "first_k_dense_replace": 1,
                      "moe_layer_freq": 1, "vocab_size": 163840, "n_group": 1, "topk_group": 1,
                      "num_nextn_predict_layers": 0, "scoring_func": "sigmoid"})",
                  15960108544 + std::int64_t{26} * 64, 0.0001},
        Published{"DeepSeek-V4-Flash",
                  R"({"model_type": "deepseek_v4", "hidden_size": 4096, "moe_intermediate_size": 2048,
                      "num_hidden_layers": 43, "num_attention_heads": 64, "num_key_value_heads": 1, "head_dim":
                      512, "q_lora_rank": 1024, "o_groups": 8, "o_lora_rank": 1024, "n_routed_experts": 256,
                      "n_shared_experts": 1, "num_experts_per_tok": 6, "index_n_heads": 64, "index_head_dim":
                      128, "index_topk": 512, "sliding_window": 128, "hc_mult": 4, "hc_eps": 1e-06,
                      "hc_sinkhorn_iters": 20, "num_hash_layers": 3, "num_nextn_predict_layers": 1,
                      "vocab_size": 129280, "scoring_func": "sqrtsoftplus", "swiglu_limit": 10.0,
                      "compress_ratios": [128, 128, 128, 4, 128, 4, 128, 4, 128, 4, 128, 4, 128, 4, 128, 4,
                      128, 4, 128, 4, 128, 4, 128, 4, 128, 4, 128, 4, 128, 4, 128, 4, 128, 4, 128, 4, 128, 4,
                      128, 4, 128, 4, 128]})",
                  284325869015, 0.000002},
        Published{"DeepSeek-V4-Pro",
                  R"({"model_type": "deepseek_v4", "hidden_size": 7168, "moe_intermediate_size": 3072,
                      "num_hidden_layers": 61, "num_attention_heads": 128, "num_key_value_heads": 1,
                      "head_dim": 512, "q_lora_rank": 1536, "o_groups": 16, "o_lora_rank": 1024,
                      "n_routed_experts": 384, "n_shared_experts": 1, "num_experts_per_tok": 6,
                      "index_n_heads": 64, "index_head_dim": 128, "index_topk": 1024, "sliding_window": 128,
                      "hc_mult": 4, "hc_eps": 1e-06, "hc_sinkhorn_iters": 20, "num_hash_layers": 3,
                      "num_nextn_predict_layers": 1, "vocab_size": 129280, "scoring_func": "sqrtsoftplus",
                      "swiglu_limit": 10.0})",
                  1572973188067, 0.000002},
        Published{"BERT-large",
                  R"({"model_type": "bert", "hidden_size": 1024, "num_hidden_layers": 24,
                      "num_attention_heads": 16, "intermediate_size": 4096, "vocab_size": 30522,
                      "max_position_embeddings": 512, "type_vocab_size": 2, "attention_probs_dropout_prob":
                      0.1, "hidden_act": "gelu", "position_embedding_type": "absolute",
                      "gradient_checkpointing": false})",
                  335174458, 0},
        Published{"RoBERTa-large",
                  R"({"model_type": "roberta", "hidden_size": 1024, "num_hidden_layers": 24,
                      "num_attention_heads": 16, "intermediate_size": 4096, "vocab_size": 50265,
                      "max_position_embeddings": 514, "type_vocab_size": 1})",
                  355412057, 0},
        Published{"ModernBERT-large",
                  R"({"model_type": "modernbert", "hidden_size": 1024, "intermediate_size": 2624,
                      "num_hidden_layers": 28, "num_attention_heads": 16, "vocab_size": 50368,
                      "local_attention": 128, "global_attn_every_n_layers": 3, "max_position_embeddings": 8192,
                      "tie_word_embeddings": true, "global_rope_theta": 160000.0, "norm_bias": false,
                      "attention_bias": false, "mlp_bias": false, "decoder_bias": true, "classifier_bias":
                      false})",
                  395881664, 0},
        Published{"Falcon-H1-34B",
                  R"({"model_type": "falcon_h1", "hidden_size": 5120, "intermediate_size": 21504,
                      "num_hidden_layers": 72, "num_attention_heads": 20, "num_key_value_heads": 4, "head_dim":
                      128, "mamba_d_ssm": 4096, "mamba_n_heads": 32, "mamba_d_head": 128, "mamba_n_groups": 2,
                      "mamba_d_state": 256, "mamba_d_conv": 4, "mamba_conv_bias": true, "mamba_proj_bias":
                      false, "mamba_rms_norm": false, "vocab_size": 261120, "mlp_multipliers": [1, 1]})",
                  33642221312, 0},
        Published{"Falcon-H1-7B",
                  R"({"model_type": "falcon_h1", "hidden_size": 3072, "intermediate_size": 12288,
                      "num_hidden_layers": 44, "num_attention_heads": 12, "num_key_value_heads": 2, "head_dim":
                      128, "mamba_d_ssm": 3072, "mamba_n_heads": 24, "mamba_d_head": 128, "mamba_n_groups": 1,
                      "mamba_d_state": 256, "vocab_size": 130048})",
                  7585513568, 0},
        Published{"OLMo-3-7B",
                  R"({"model_type": "olmo3", "hidden_size": 4096, "intermediate_size": 11008,
                      "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 32,
                      "sliding_window": 4096, "max_position_embeddings": 65536, "vocab_size": 100278})",
                  7298011136, 0.004},
        Published{
            "EXAONE-4.0-32B",
            R"({"model_type": "exaone4", "hidden_size": 5120, "intermediate_size": 27392, "head_dim": 128,
                      "num_hidden_layers": 64, "num_attention_heads": 40, "num_key_value_heads": 8,
                      "sliding_window": 4096, "sliding_window_pattern": 4, "vocab_size": 102400})",
            32003216384, 0},
        Published{"GLM-4-9B-0414",
                  R"({"model_type": "glm4", "hidden_size": 4096, "intermediate_size": 13696, "head_dim": 128,
                      "num_hidden_layers": 40, "num_attention_heads": 32, "num_key_value_heads": 2,
                      "attention_bias": true, "partial_rotary_factor": 0.5, "vocab_size": 151552})",
                  9400279040, 0.01},
        Published{"GLM-4.7-Flash",
                  R"({"model_type": "glm4_moe_lite", "hidden_size": 2048, "intermediate_size": 10240,
                      "moe_intermediate_size": 1536, "num_hidden_layers": 47, "num_attention_heads": 20,
                      "num_key_value_heads": 20, "n_routed_experts": 64, "n_shared_experts": 1,
                      "num_experts_per_tok": 4, "q_lora_rank": 768, "kv_lora_rank": 512, "qk_nope_head_dim": 192,
                      "qk_rope_head_dim": 64, "v_head_dim": 256, "first_k_dense_replace": 1, "vocab_size": 154880})",
                  29943390976 + std::int64_t{46} * 64, 0.001},
        Published{"dots.llm1",
                  R"({"model_type": "dots1", "hidden_size": 4096, "intermediate_size": 10944,
                      "moe_intermediate_size": 1408, "num_hidden_layers": 62, "num_attention_heads": 32,
                      "num_key_value_heads": 32, "n_shared_experts": 2, "n_routed_experts": 128,
                      "num_experts_per_tok": 6, "first_k_dense_replace": 1, "vocab_size": 152064})",
                  142774373888 + std::int64_t{61} * 128, 0.001},
        Published{"ERNIE-4.5-21B-A3B",
                  R"({"model_type": "ernie4_5_moe", "hidden_size": 2560, "intermediate_size": 12288,
                      "num_hidden_layers": 28, "num_attention_heads": 20, "num_key_value_heads": 4,
                      "moe_intermediate_size": 1536, "moe_k": 6, "moe_num_experts": 64,
                      "moe_num_shared_experts": 2, "moe_layer_start_index": 1, "moe_layer_end_index": 27,
                      "moe_layer_interval": 1, "use_bias": false, "vocab_size": 103424,
                      "tie_word_embeddings": true})",
                  21825437888, 1.3},
        Published{"Qwen1.5-MoE-A2.7B",
                  R"({"model_type": "qwen2_moe", "hidden_size": 2048, "intermediate_size": 5632,
                      "num_hidden_layers": 24, "num_attention_heads": 16, "num_key_value_heads": 16,
                      "moe_intermediate_size": 1408, "shared_expert_intermediate_size": 5632, "num_experts": 60,
                      "num_experts_per_tok": 4, "decoder_sparse_step": 1, "vocab_size": 151936})",
                  14315784192, 0.002},
        Published{"Phi-3.5-MoE",
                  R"({"model_type": "phimoe", "hidden_size": 4096, "intermediate_size": 6400,
                      "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8,
                      "num_local_experts": 16, "num_experts_per_tok": 2, "attention_bias": false,
                      "lm_head_bias": false, "vocab_size": 32064})",
                  41872793600, 0.001},
        // Qwen3-30B-A3B as transformers 5 writes it, inside a model with a vision encoder.
        Published{"Qwen3-VL-30B-A3B",
                  R"({"model_type": "qwen3_vl_moe", "text_config": {
                      "model_type": "qwen3_vl_moe_text", "hidden_size": 2048, "moe_intermediate_size": 768,
                      "num_local_experts": 128, "num_experts_per_tok": 8, "head_dim": 128,
                      "num_attention_heads": 32, "num_hidden_layers": 48, "num_key_value_heads": 4,
                      "is_encoder_decoder": false, "vocab_size": 151936}})",
                  30532122624, 0}),
    name_of);

}  // namespace
}  // namespace dse::app
