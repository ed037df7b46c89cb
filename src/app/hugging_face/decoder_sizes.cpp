#include "app/hugging_face/decoder_sizes.hpp"

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::app {

DecoderSizes decoder_sizes(ConfigFile& config, UnstatedTie unstated) {
    DecoderSizes sizes;
    sizes.layers = config.size("num_hidden_layers");
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

Windows windows_by_type(ConfigFile& config, std::int64_t layers, std::int64_t pattern) {
    Windows windows;
    windows.tokens = config.size("sliding_window", 0);
    pattern = config.size("sliding_window_pattern", pattern);
    if (const auto windowed = config.layers_of_type(layers, "sliding_attention"))
        windows.layers = *windowed;
    else if (windows.tokens > 0 && pattern > 0)
        windows.layers = layers - layers / pattern;
    if (windows.tokens == 0) windows.layers = 0;
    return windows;
}

}  // namespace dse::app
