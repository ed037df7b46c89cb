#include <fmt/format.h>

#include "app/hugging_face/family.hpp"

namespace dse::app {
namespace {

/// Number of classes: those with a name, or as many as transformers assumes without names.
std::int64_t classes_of(ConfigFile& config) {
    const Json* names = config.find("id2label");
    if (names != nullptr && names->is_object() && !names->empty())
        return static_cast<std::int64_t>(names->size());
    return config.size("num_labels", 2);
}

ImportedModel vit(ConfigFile& config, std::string name) {
    ImportedModel model{.name = std::move(name), .template_name = "vit"};
    const std::int64_t layers = config.size("num_hidden_layers");
    const std::int64_t h = config.size("hidden_size");
    const std::int64_t n = config.size("num_attention_heads");
    const std::int64_t f = config.size("intermediate_size");
    const std::int64_t image = config.size("image_size", 224);
    const std::int64_t patch = config.size("patch_size", 16);
    const std::int64_t classes = classes_of(config);
    if (h % n != 0) refuse(config, fmt::format("{} heads do not fit hidden_size {}", n, h));
    if (config.size("num_channels", 3) != 3)
        refuse(config, "its images do not have three channels, and those of the template vit do");
    if (image % patch != 0)
        refuse(config, fmt::format("patches of {} pixels do not tile an image of {}", patch, image));
    const bool biased = config.flag("qkv_bias", true);
    if (!biased)
        model.left_out.emplace_back(
            "the absence of biases of queries, keys and values (the template has them)");
    for (const char* unused : {"hidden_act", "encoder_stride", "pooler_act", "pooler_output_size"})
        config.find(unused);
    model.symbols = {{"layers", layers}, {"image", image}, {"patch", patch}, {"h", h},
                     {"n", n},           {"d", h / n},     {"f", f},         {"classes", classes}};
    const std::int64_t tokens = (image / patch) * (image / patch) + 1;
    const std::int64_t layer = 4 * h * h + (biased ? 4 : 1) * h + 2 * h * f + f + h + 4 * h;
    model.parameters =
        3 * patch * patch * h + h + h + tokens * h + layers * layer + 2 * h + h * classes + classes;
    model.blocks = {{"patches"}, {"encoder_layer", layers}, {"classifier"}};
    return model;
}

ImportedModel mamba2(ConfigFile& config, std::string name) {
    ImportedModel model{.name = std::move(name), .template_name = "mamba2"};
    const std::int64_t layers = config.size("num_hidden_layers");
    const std::int64_t h = config.size("hidden_size");
    const std::int64_t heads = config.size("num_heads");
    const std::int64_t d = config.size("head_dim");
    const std::int64_t state = config.size("state_size");
    const std::int64_t groups = config.size("n_groups", 1);
    const std::int64_t vocab = config.size("vocab_size");
    const bool tied = config.flag("tie_word_embeddings", false);
    if (config.size("expand", 2) * h != heads * d)
        refuse(config, fmt::format("{} heads of {} are not expand x hidden_size", heads, d));
    if (config.size("conv_kernel", 4) != 4)
        refuse(config, "its convolution is not over four tokens, as in the template mamba2");
    if (config.flag("use_bias", false)) model.left_out.emplace_back("biases of its projections");
    if (!config.flag("use_conv_bias", true))
        model.left_out.emplace_back("the absence of biases of its convolution (the template has them)");
    for (const char* unused :
         {"chunk_size", "intermediate_size", "hidden_act", "rms_norm", "residual_in_fp32", "norm_before_gate",
          "time_step_floor", "time_step_limit", "time_step_max", "time_step_min", "time_step_rank",
          "rescale_prenorm_residual", "use_mambapy"})
        config.find(unused);
    model.symbols = {{"layers", layers}, {"h", h},           {"heads", heads}, {"head_dim", d},
                     {"state", state},   {"groups", groups}, {"vocab", vocab}};
    const std::int64_t inner = heads * d;
    const std::int64_t convolved = inner + 2 * groups * state;
    const std::int64_t layer =
        h + h * (inner + convolved + heads) + 5 * convolved + 3 * heads + inner + inner * h;
    model.parameters = (tied ? 1 : 2) * vocab * h + layers * layer + h;
    model.blocks = {{"embedding"}, {"layer", layers}, {tied ? "head" : "untied_head"}};
    return model;
}

}  // namespace

std::span<const ModelFamily> other_families() {
    static constexpr ModelFamily families[] = {{"vit", &vit}, {"mamba2", &mamba2}};
    return families;
}

}  // namespace dse::app
