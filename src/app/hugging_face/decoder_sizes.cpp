#include "app/hugging_face/decoder_sizes.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::app {

DecoderSizes decoder_sizes(ConfigFile& config, UnstatedTie unstated) {
    DecoderSizes sizes;
    sizes.layers = config.size("num_hidden_layers");
    constexpr std::int64_t most_layers = 100'000;
    if (sizes.layers > most_layers)
        throw InputError(fmt::format("{}: {} layers", config.path().string(), sizes.layers));
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

Windows windows_by_type(ConfigFile& config, std::int64_t layers, std::int64_t pattern) {
    Windows windows;
    windows.tokens = config.size("sliding_window", 0);
    pattern = config.size("sliding_window_pattern", pattern);
    if (const auto windowed = config.layers_of_type(layers, "sliding_attention"))
        windows.of_layers = *windowed;
    else if (windows.tokens > 0 && pattern > 0)
        windows.of_layers = all_but_each(pattern, layers);
    if (windows.tokens > 0) windows.layers = number_of(windows.of_layers);
    return windows;
}

}  // namespace dse::app
