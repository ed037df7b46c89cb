#include "app/hugging_face/decoder_sizes.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::app {

void require_layers(const ConfigFile& config, std::int64_t layers) {
    constexpr std::int64_t most_layers = 100'000;
    if (layers > most_layers) throw InputError(fmt::format("{}: {} layers", config.path().string(), layers));
}

DecoderSizes decoder_sizes(ConfigFile& config, UnstatedTie unstated) {
    DecoderSizes sizes;
    sizes.layers = config.size("num_hidden_layers");
    require_layers(config, sizes.layers);
    sizes.h = config.size("hidden_size");
    sizes.n = config.size("num_attention_heads");
    sizes.k = config.size("num_key_value_heads", sizes.n);
    sizes.vocab = config.size("vocab_size");
    sizes.tied = config.flag("tie_word_embeddings", unstated == UnstatedTie::tied);
    const bool divides = sizes.h % sizes.n == 0;
    sizes.d = config.size("head_dim", divides ? sizes.h / sizes.n : 0);
    if (sizes.d == 0 || sizes.n % sizes.k != 0)
        throw InputError(fmt::format("{}: {} heads do not fit hidden_size {} and {} key-value heads",
                                     config.path().string(), sizes.n, sizes.h, sizes.k));
    return sizes;
}

std::vector<bool> all_but_each(std::int64_t interval, std::int64_t layers) {
    std::vector<bool> are;
    are.reserve(static_cast<std::size_t>(layers));
    for (std::int64_t layer = 1; layer <= layers; ++layer) are.push_back(layer % interval != 0);
    return are;
}

std::int64_t number_of(const std::vector<bool>& layers) {
    return std::count(layers.begin(), layers.end(), true);
}

void require_length(const ConfigFile& config, const Windows& windows) {
    const std::int64_t have_one = number_of(windows.of_layers);
    if (windows.tokens > 0 || have_one == 0) return;
    throw InputError(fmt::format(
        "{}: {} of its layers have a window (layer_types), and sliding_window does not say how long it is",
        config.path().string(), have_one));
}

Windows windows_by_type(ConfigFile& config, std::int64_t layers, std::int64_t pattern) {
    const std::int64_t tokens = config.count("sliding_window", 0);
    pattern = config.count("sliding_window_pattern", pattern);
    const auto windowed = config.layers_of_type(layers, "sliding_attention", {"full_attention"});
    if (windowed) require_length(config, {tokens, *windowed});
    if (tokens > 0 && windowed) return {tokens, *windowed};
    if (tokens > 0 && pattern > 0) return {tokens, all_but_each(pattern, layers)};
    return {tokens, std::vector<bool>(static_cast<std::size_t>(layers))};
}

}  // namespace dse::app
