#include "app/hugging_face/known_families.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace dse::app {
namespace {

/// Families whose types begin alike.
struct KnownFamily {
    std::string_view prefix;
    std::string_view what;
    std::string_view nearest;
};

constexpr std::string_view encoder_decoder =
    "its decoder attends to what an encoder made, and no template has two stacks";
constexpr std::string_view towers =
    "it encodes images (or images and texts), with layers as in the template vit";
constexpr std::string_view diffusion =
    "it denoises images or videos, whose text and noise pass through layers side by side";
constexpr std::string_view denoiser =
    "a synthetic job or a captured program (docs/capture.md), or the template vit with the patches as tokens";
constexpr std::string_view as_vit = "a model file for the template vit with the sizes of its vision_config";

/// The first that matches counts.
constexpr auto known = std::to_array<KnownFamily>({
    {"gemma3n", "every layer has embeddings of its own, and layers share keys and values",
     "gemma3 with the same layers"},
    {"minimax_m3", "an indexer chooses the blocks of tokens that attention reads", "minimax_m2"},
    {"minimax_m2", "", ""},
    {"minimax", "most of its layers have lightning attention, linear with a decay of each head",
     "qwen3_5_moe (linear attention and mixtures)"},
    {"rwkv", "its layers pass a state on by a rule of their own (time mixing)", "mamba2 of the same width"},
    {"jamba", "its scans are those of Mamba-1, whose states are not shared by heads",
     "granitemoehybrid (Mamba-2, attention and mixtures)"},
    {"falcon_mamba", "its scans are those of Mamba-1, whose states are not shared by heads", "mamba2"},
    {"mamba", "its scans are those of Mamba-1, whose states are not shared by heads", "mamba2"},
    {"zamba", "its attention layers share their weights", "bamba (Mamba-2 and attention)"},
    {"recurrentgemma", "most of its layers are gated linear recurrences", "bamba"},
    {"recurrent_gemma", "most of its layers are gated linear recurrences", "bamba"},
    {"lfm2", "most of its layers are short convolutions", "bamba"},
    {"mimo_v2", "its layers with a window have heads of another number than the others, and sinks",
     "gpt_oss or qwen3_moe of the same widths"},
    {"longcat", "its layers have two attentions each, and experts that do nothing", "deepseek_v3"},
    {"step3", "attention and MLP of its layers have sizes that no template has", "deepseek_v3"},
    {"kimi_vl", "its text model is beside an image encoder", "its text_config as a config.json of its own"},
    {"t5gemma", encoder_decoder, "gemma3 for its decoder, without the attention to the encoder"},
    {"t5", encoder_decoder, "bert for its encoder, llama for its decoder"},
    {"mt5", encoder_decoder, "bert for its encoder, llama for its decoder"},
    {"umt5", encoder_decoder, "bert for its encoder, llama for its decoder"},
    {"longt5", encoder_decoder, "bert for its encoder, llama for its decoder"},
    {"bart", encoder_decoder, "bert for its encoder, gpt2 for its decoder"},
    {"mbart", encoder_decoder, "bert for its encoder, gpt2 for its decoder"},
    {"pegasus", encoder_decoder, "bert for its encoder, gpt2 for its decoder"},
    {"marian", encoder_decoder, "bert for its encoder, gpt2 for its decoder"},
    {"m2m_100", encoder_decoder, "bert for its encoder, gpt2 for its decoder"},
    {"whisper", encoder_decoder, "gpt2 for its decoder, vit for its encoder of 1,500 frames"},
    {"mllama", "some layers attend to an image encoder", "llama of the same sizes"},
    {"distilbert", "it has no head of this shape",
     "bert with its sizes (dim, n_layers, n_heads, hidden_dim)"},
    {"electra", "a generator and a discriminator are trained side by side",
     "bert with the discriminator's sizes"},
    {"deberta", "attention is to positions, too", "bert of the same sizes"},
    {"albert", "all layers share their weights",
     "bert of the same sizes (the work is the same, the memory is not)"},
    {"clip", towers, as_vit},
    {"siglip", towers, as_vit},
    {"dinov", towers, "vit of the same sizes"},
    {"FluxTransformer", diffusion, denoiser},
    {"Flux2Transformer", diffusion, denoiser},
    {"SD3Transformer", diffusion, denoiser},
    {"WanTransformer", diffusion, denoiser},
    {"DiTTransformer", diffusion, denoiser},
    {"HunyuanVideo", diffusion, denoiser},
    {"QwenImageTransformer", diffusion, denoiser},
    {"CogVideoX", diffusion, denoiser},
    {"PixArtTransformer", diffusion, denoiser},
    {"UNet2D", "it is a network of convolutions that denoises images", denoiser},
});

}  // namespace

std::string why_without_template(std::string_view type) {
    const auto family =
        std::ranges::find_if(known, [&](const KnownFamily& each) { return type.starts_with(each.prefix); });
    if (family == known.end() || family->what.empty()) return {};
    return fmt::format("{} (nearest: {})", family->what, family->nearest);
}

}  // namespace dse::app
