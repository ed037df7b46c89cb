#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/hugging_face/family.hpp"
#include "dse/config/source_text.hpp"

namespace dse::app {
namespace {

/// Parts of a model of template hybrid: every part has a norm and adds to the residual.
enum class Part : std::uint8_t { scan, attention, mlp, mixture };
constexpr std::size_t part_kinds = 4;

using Parts = std::vector<Part>;

std::int64_t parts_of_kind(const Parts& parts, Part kind) {
    return std::count(parts.begin(), parts.end(), kind);
}

/// Mamba-2 as one part of such a model.
struct Scan {
    std::int64_t heads{0};
    std::int64_t head_dim{0};
    std::int64_t state{0};
    std::int64_t groups{0};

    [[nodiscard]] std::int64_t width() const { return heads * head_dim; }
    [[nodiscard]] std::int64_t convolved() const { return width() + 2 * groups * state; }
    /// Parameters, with the norm before it.
    [[nodiscard]] std::int64_t parameters(std::int64_t h) const {
        return h + h * (width() + convolved() + heads) + 5 * convolved() + 3 * heads + width() + width() * h;
    }
};

void require_scan(ConfigFile& config, const char* convolution, const char* bias,
                  const char* projection_bias) {
    if (config.size(convolution, 4) != 4)
        refuse(config, fmt::format("its convolution is not over four tokens ({}), as in the template hybrid",
                                   convolution));
    if (!config.flag(bias, true))
        refuse(config,
               fmt::format("its convolution has no biases ({}), and that of the template hybrid has", bias));
    if (config.flag(projection_bias, false))
        refuse(config,
               fmt::format("its projections have biases ({}), and those of the template hybrid have none",
                           projection_bias));
}

Symbols scan_symbols(const Scan& scan) {
    return {
        {"heads", scan.heads}, {"head_dim", scan.head_dim}, {"state", scan.state}, {"groups", scan.groups}};
}

Symbols model_symbols(const DecoderSizes& sizes) {
    return {{"layers", sizes.layers}, {"h", sizes.h}, {"n", sizes.n},
            {"k", sizes.k},           {"d", sizes.d}, {"vocab", sizes.vocab}};
}

/// Kinds of a Nemotron-H's layers: a letter each, or (since transformers 5) a name.
Parts nemotron_parts(ConfigFile& config) {
    Parts parts;
    const auto count = [&](std::string_view kind) {
        if (kind == "M" || kind == "mamba" || kind == "linear_attention")
            parts.push_back(Part::scan);
        else if (kind == "*" || kind == "attention" || kind == "full_attention")
            parts.push_back(Part::attention);
        else if (kind == "-" || kind == "mlp")
            parts.push_back(Part::mlp);
        else if (kind == "E" || kind == "moe")
            parts.push_back(Part::mixture);
        else
            refuse(config,
                   fmt::format("'{}' is not a kind of layer (known: M, *, -, E, mamba, attention, mlp, moe)",
                               kind));
    };
    const Json* pattern = config.find("hybrid_override_pattern");
    const Json* names = config.find("layers_block_type");
    if (pattern != nullptr && pattern->is_string()) {
        for (const char letter : pattern->get<std::string>()) count({&letter, 1});
    } else if (names != nullptr && names->is_array()) {
        for (const Json& name : *names) count(name.is_string() ? name.get<std::string>() : name.dump());
    } else {
        refuse(config,
               "hybrid_override_pattern or layers_block_type is missing: it names the kind of every layer");
    }
    const auto all = static_cast<std::int64_t>(parts.size());
    require_layers(config, all);
    if (const std::int64_t stated = config.size("num_hidden_layers", all); stated != all)
        refuse(config,
               fmt::format("it names the kinds of {} layers, num_hidden_layers says {}", all, stated));
    return parts;
}

DecoderSizes nemotron_sizes(ConfigFile& config, const Parts& parts) {
    DecoderSizes sizes;
    sizes.layers = static_cast<std::int64_t>(parts.size());
    sizes.h = config.size("hidden_size");
    sizes.n = config.size("num_attention_heads");
    sizes.k = config.size("num_key_value_heads", sizes.n);
    sizes.d = config.size("head_dim", config.size("attention_head_dim", 128));
    sizes.vocab = config.size("vocab_size");
    sizes.tied = config.flag("tie_word_embeddings", false);
    if (sizes.n % sizes.k != 0)
        refuse(config, fmt::format("{} heads do not fit {} key-value heads", sizes.n, sizes.k));
    return sizes;
}

/// Refuses what the template hybrid has not, and takes note of fields that change nothing in it.
void require_nemotron(ConfigFile& config) {
    require_scan(config, "conv_kernel", "use_conv_bias", "use_bias");
    for (const char* flag : {"attention_bias", "mlp_bias", "mamba_proj_bias"})
        if (config.flag(flag, false))
            refuse(config, fmt::format("it has biases ({}), and the template hybrid has none", flag));
    if (const Json* act = config.find("mlp_hidden_act"); act != nullptr && *act != "relu2")
        refuse(config,
               fmt::format("its activation is {}, and that of this part of the template hybrid is relu2",
                           config::excerpt(act->dump())));
    for (const char* unused : {"attention_head_dim",
                               "chunk_size",
                               "expand",
                               "hidden_act",
                               "mamba_hidden_act",
                               "mamba_ssm_cache_dtype",
                               "moe_shared_expert_overlap",
                               "mtp_layers_block_type",
                               "n_group",
                               "norm_topk_prob",
                               "rescale_prenorm_residual",
                               "residual_in_fp32",
                               "sliding_window",
                               "time_step_floor",
                               "time_step_limit",
                               "time_step_max",
                               "time_step_min",
                               "time_step_rank",
                               "topk_group",
                               "use_mamba_kernels",
                               "mtp_hybrid_override_pattern"})
        config.find(unused);
    for (const char* of_mixtures :
         {"n_routed_experts", "n_shared_experts", "num_experts_per_tok", "moe_intermediate_size",
          "moe_latent_size", "moe_shared_expert_intermediate_size", "intermediate_size"})
        config.find(of_mixtures);
}

/// One of the kinds of parts, and its parameters.
struct NemotronPart {
    ImportedBlock block;
    std::int64_t parameters{0};
};

NemotronPart nemotron_mlp(ConfigFile& config, std::int64_t h) {
    const std::int64_t f = config.count("intermediate_size", 0);
    if (f == 0) refuse(config, "intermediate_size is missing");
    return {{"squared_relu_mlp", 1, {{"f", f}}}, h + 2 * h * f};
}

NemotronPart nemotron_mixture(ConfigFile& config, std::int64_t h) {
    if (config.find("n_routed_experts") == nullptr) refuse(config, "n_routed_experts is missing");
    const std::int64_t experts = config.size("n_routed_experts");
    const std::int64_t fe = config.size("moe_intermediate_size");
    const std::int64_t fs =
        config.size("moe_shared_expert_intermediate_size") * config.count("n_shared_experts", 1);
    const std::int64_t latent = config.count("moe_latent_size", 0);
    NemotronPart part{
        {"squared_relu_mixture",
         1,
         {{"fe", fe}, {"fs", fs}, {"experts", experts}, {"top_k", config.size("num_experts_per_tok")}}}};
    if (latent > 0) {
        part.block.name = "latent_squared_relu_mixture";
        part.block.symbols.insert(part.block.symbols.begin(), {"latent", latent});
    }
    const std::int64_t inner = latent > 0 ? latent : h;
    part.parameters = h + (h + 1) * experts + 2 * inner * fe * experts + 2 * h * fs + 2 * h * latent;
    return part;
}

/// Nemotron-H and Nemotron 3: every layer is a scan, attention without positions, an MLP or a mixture.
ImportedModel nemotron_h(ConfigFile& config, std::string name) {
    ImportedModel model{.name = std::move(name), .template_name = "hybrid"};
    const Parts parts = nemotron_parts(config);
    const DecoderSizes sizes = nemotron_sizes(config, parts);
    const Scan scan{config.size("mamba_num_heads"), config.size("mamba_head_dim"),
                    config.size("ssm_state_size"), config.size("n_groups", 8)};
    require_nemotron(config);
    std::array<NemotronPart, part_kinds> kinds{{{{"scan", 1, scan_symbols(scan)}, scan.parameters(sizes.h)},
                                                {{"attention"}, sizes.attention() + sizes.h}}};
    const auto of = [&](Part part) -> NemotronPart& { return kinds[static_cast<std::size_t>(part)]; };
    if (parts_of_kind(parts, Part::mlp) > 0) of(Part::mlp) = nemotron_mlp(config, sizes.h);
    if (parts_of_kind(parts, Part::mixture) > 0) {
        of(Part::mixture) = nemotron_mixture(config, sizes.h);
        model.left_out.emplace_back("the router's correction biases, which have no gradient");
    }
    note_further_tokens(config.count("num_nextn_predict_layers", 0), "layer", model);
    model.symbols = model_symbols(sizes);
    model.parameters = sizes.tables() + sizes.h;
    model.blocks = {{"embedding"}};
    for (const Part part : parts) {
        model.parameters += of(part).parameters;
        add_layer(of(part).block, model.blocks);
    }
    model.blocks.push_back({sizes.tied ? "tied_head" : "head"});
    return model;
}

/// Which layers have attention instead of a scan by `layer_types` (Granite 4: "mamba", "attention";
/// transformers 5: "linear_attention", "full_attention"), or by their numbers (Bamba).
std::vector<bool> layers_with_attention(ConfigFile& config, std::int64_t layers) {
    std::vector<bool> attends(static_cast<std::size_t>(layers));
    if (const auto old =
            config.layers_of_type(layers, "attention", {"full_attention", "mamba", "linear_attention"})) {
        const Json& types = *config.find("layer_types");
        for (std::size_t layer = 0; layer < attends.size(); ++layer)
            attends[layer] = (*old)[layer] || types[layer] == "full_attention";
        return attends;
    }
    const Json* indices = config.find("attn_layer_indices");
    if (indices == nullptr) return attends;
    const bool are_layers =
        indices->is_array() && std::all_of(indices->begin(), indices->end(), [&](const Json& index) {
            return index.is_number_integer() && index.get<std::int64_t>() >= 0 &&
                   index.get<std::int64_t>() < layers;
        });
    if (!are_layers)
        refuse(config, fmt::format("attn_layer_indices is not a list of layers from 0 to {}", layers - 1));
    for (const Json& index : *indices) attends[index.get<std::size_t>()] = true;
    return attends;
}

/// Bamba and Granite 4: a scan or attention, then a gated MLP or a mixture with a shared one.
ImportedModel scan_or_attention(ConfigFile& config, std::string name) {
    ImportedModel model{.name = std::move(name), .template_name = "hybrid"};
    const bool granite = config.model_type() == "granitemoehybrid";
    const DecoderSizes sizes = decoder_sizes(config, granite ? UnstatedTie::tied : UnstatedTie::apart);
    const std::vector<bool> attends = layers_with_attention(config, sizes.layers);
    const std::int64_t attentions = std::count(attends.begin(), attends.end(), true);
    const Scan scan{config.size("mamba_n_heads", 128), config.size("mamba_d_head", 64),
                    config.size("mamba_d_state", 256), config.size("mamba_n_groups", 1)};
    require_scan(config, "mamba_d_conv", "mamba_conv_bias", "mamba_proj_bias");
    for (const char* flag : {"attention_bias", "mlp_bias"})
        if (config.flag(flag, false))
            refuse(config, fmt::format("it has biases ({}), and the template hybrid has none", flag));
    for (const char* unused :
         {"attn_layer_indices", "attn_rotary_emb", "embedding_multiplier", "residual_multiplier",
          "attention_multiplier", "logits_scaling", "mamba_chunk_size", "mamba_expand",
          "position_embedding_type", "time_step_limit", "time_step_max", "time_step_min",
          "normalization_function", "rope_theta"})
        config.find(unused);
    note_activation(config, model);
    model.symbols = model_symbols(sizes);
    model.parameters = sizes.tables() + sizes.h + (sizes.layers - attentions) * scan.parameters(sizes.h) +
                       attentions * (sizes.attention() + sizes.h);
    const std::int64_t experts = granite ? config.count("num_local_experts", 0) : 0;
    const std::int64_t shared = granite ? config.count("shared_intermediate_size", 0) : 0;
    const std::int64_t f = config.size("intermediate_size");
    config.find("num_experts_per_tok");
    if (granite && shared == 0)
        refuse(config, "it has no shared MLP (shared_intermediate_size), and its layers need one");
    ImportedBlock mlp{"gated_mlp"};
    ImportedBlock mixture{"gated_mixture"};
    if (experts > 0) {
        mixture.symbols = {
            {"fe", f}, {"fs", shared}, {"experts", experts}, {"top_k", config.size("num_experts_per_tok")}};
        model.parameters +=
            sizes.layers * (sizes.h + sizes.h * experts + 3 * sizes.h * f * experts + 3 * sizes.h * shared);
    } else {
        const std::int64_t width = granite ? shared : f;
        mlp.symbols = {{"f", width}};
        model.parameters += sizes.layers * (sizes.h + 3 * sizes.h * width);
    }
    Parts parts;
    for (const bool has_attention : attends) {
        parts.push_back(has_attention ? Part::attention : Part::scan);
        parts.push_back(experts > 0 ? Part::mixture : Part::mlp);
    }
    model.blocks = {{"embedding"}};
    const std::array<ImportedBlock, part_kinds> block_of{
        {{"scan", 1, scan_symbols(scan)}, {"attention"}, std::move(mlp), std::move(mixture)}};
    for (const Part part : parts) add_layer(block_of[static_cast<std::size_t>(part)], model.blocks);
    model.left_out.emplace_back("the rotation of queries and keys, where it has one");
    model.blocks.push_back({sizes.tied ? "tied_head" : "head"});
    return model;
}

/// Falcon-H1: a scan and attention side by side in every layer, then a gated MLP.
ImportedModel falcon_h1(ConfigFile& config, std::string name) {
    ImportedModel model{.name = std::move(name), .template_name = "hybrid"};
    const DecoderSizes sizes = decoder_sizes(config, UnstatedTie::apart);
    const std::int64_t f = config.size("intermediate_size");
    const std::int64_t heads = config.size("mamba_n_heads", 128);
    const std::int64_t inner = config.size("mamba_d_ssm", config.size("mamba_expand", 2) * sizes.h);
    if (inner % heads != 0)
        refuse(config, fmt::format("{} heads do not divide mamba_d_ssm {}", heads, inner));
    const Json* stated = config.find("mamba_d_head");  // "auto", or a number
    const std::int64_t width =
        stated != nullptr && stated->is_string() ? inner / heads : config.size("mamba_d_head", inner / heads);
    if (width * heads != inner)
        refuse(config, fmt::format("{} heads of {} are not mamba_d_ssm {}", heads, width, inner));
    const Scan scan{heads, width, config.size("mamba_d_state", 256), config.size("mamba_n_groups", 1)};
    require_scan(config, "mamba_d_conv", "mamba_conv_bias", "mamba_proj_bias");
    for (const char* flag : {"attention_bias", "mlp_bias", "projectors_bias"})
        if (config.flag(flag, false))
            refuse(config, fmt::format("it has biases ({}), and the template hybrid has none", flag));
    // Factors of muP, and what only shapes kernels.
    for (const char* unused : {"attention_in_multiplier",
                               "attention_out_multiplier",
                               "embedding_multiplier",
                               "key_multiplier",
                               "lm_head_multiplier",
                               "mlp_multipliers",
                               "ssm_in_multiplier",
                               "ssm_multipliers",
                               "ssm_out_multiplier",
                               "mamba_chunk_size",
                               "mamba_expand",
                               "mamba_norm_before_gate",
                               "mamba_use_mlp",
                               "mlp_expansion_factor",
                               "time_step_floor",
                               "time_step_limit",
                               "time_step_max",
                               "time_step_min",
                               "layer_types",
                               "layers_block_type"})
        config.find(unused);
    const bool normed = config.flag("mamba_rms_norm", false);
    if (normed) model.left_out.emplace_back("the norm of the scan's gate (mamba_rms_norm)");
    note_activation(config, model);
    model.symbols = model_symbols(sizes);
    // The scan's own count has its gated norm.
    model.parameters = sizes.tables() + sizes.h +
                       sizes.layers * (scan.parameters(sizes.h) - (normed ? 0 : inner) + sizes.attention() +
                                       sizes.h + 3 * sizes.h * f);
    model.blocks = {{"embedding"}};
    for (std::int64_t layer = 0; layer < sizes.layers; ++layer) {
        add_layer({"scan_beside_attention", 1, scan_symbols(scan)}, model.blocks);
        add_layer({"gated_mlp", 1, {{"f", f}}}, model.blocks);
    }
    model.blocks.push_back({sizes.tied ? "tied_head" : "head"});
    return model;
}

}  // namespace

std::span<const ModelFamily> hybrid_families() {
    static constexpr ModelFamily families[] = {{"nemotron_h", &nemotron_h},
                                               {"bamba", &scan_or_attention},
                                               {"granitemoehybrid", &scan_or_attention},
                                               {"falcon_h1", &falcon_h1}};
    return families;
}

}  // namespace dse::app
