#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/hugging_face/config_file.hpp"
#include "app/hugging_face/decoder_sizes.hpp"
#include "app/hugging_face/imported_model.hpp"

namespace dse::app {

/// Published models of one `model_type`: how their configuration becomes a model of a template.
struct ModelFamily {
    const char* type;
    ImportedModel (*make)(ConfigFile& config, std::string name);
};

/// Gated MLPs and RMSNorm, every layer with the same MLP: Llama, Qwen, Gemma, Granite, OLMo, GLM-4, EXAONE.
std::span<const ModelFamily> gated_families();
/// LayerNorm, biases and an MLP without a gate: GPT-2, OPT, GPT-NeoX, Phi, StarCoder 2.
std::span<const ModelFamily> gelu_families();
/// Ordinary or linear attention with mixtures of experts: Mixtral, Qwen, Llama 4, GLM-4.5, gpt-oss,
/// MiniMax-M2.
std::span<const ModelFamily> expert_families();
/// Mixtures of experts with latent attention: DeepSeek-V2 to V4, Kimi K2, Kimi Linear, GLM-5.
std::span<const ModelFamily> latent_families();
/// State spaces with attention in some layers, or beside it: Nemotron-H, Granite 4, Bamba, Falcon-H1.
std::span<const ModelFamily> hybrid_families();
/// Encoders of text: BERT, RoBERTa, ModernBERT.
std::span<const ModelFamily> encoder_families();
/// No decoders with attention: vision transformers, Mamba-2.
std::span<const ModelFamily> other_families();

using Symbols = std::vector<std::pair<std::string, std::int64_t>>;

/// \throws InputError: the file, and why it has no template
[[noreturn]] void refuse(const ConfigFile& config, const std::string& why);

/// Symbols of a decoder whose MLP has the width `f`.
Symbols dense_symbols(const DecoderSizes& sizes, std::int64_t f);
/// The same with `experts`, of which a token chooses `top`.
Symbols expert_symbols(const DecoderSizes& sizes, std::int64_t f, std::int64_t experts, std::int64_t top);

/// Embedding, layers (those with windowed attention first), head.
std::vector<ImportedBlock> stack_of(const std::string& layer, const std::string& window_layer,
                                    const Windows& windows, const std::string& head);
/// Appends a layer, which adds to the count of the last block if that is equal. Layers are in their order,
/// which decides what the stages of a pipeline have.
/// \param layer  once
void add_layer(const ImportedBlock& layer, std::vector<ImportedBlock>& blocks);
/// The same for all layers. \param are  [layer]: `block`, otherwise `other`
void add_in_order(const std::vector<bool>& are, const ImportedBlock& block, const ImportedBlock& other,
                  std::vector<ImportedBlock>& blocks);

/// Windows of all layers, unless the window is as long as the longest sequence.
Windows windows_of_all(ConfigFile& config, std::int64_t layers);

/// Dense layers in front of the mixtures: transformers 5 names the kind of every layer (`mlp_layer_types`).
std::int64_t dense_layers_of(ConfigFile& config, std::int64_t layers, std::int64_t otherwise);

/// Notes an activation other than the gated SiLU of the templates.
void note_activation(ConfigFile& config, ImportedModel& model);
/// Notes biases of attention, for templates whose attention has none.
void note_biases(ConfigFile& config, ImportedModel& model);
/// Notes a head that is tied to the embedding, for templates that have two tables.
void note_tie(bool tied, ImportedModel& model);
/// Notes parts that predict further tokens, if there are any.
/// \param parts  how many there are
/// \param name  what one of them is called
/// \param but  what the template has of them
void note_further_tokens(std::int64_t parts, std::string_view name, ImportedModel& model,
                         std::string_view but = "");

}  // namespace dse::app
