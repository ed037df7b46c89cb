#pragma once

#include <cstdint>
#include <vector>

#include "app/hugging_face/config_file.hpp"

namespace dse::app {

/// Sizes that nearly all decoders have.
struct DecoderSizes {
    std::int64_t layers{0};
    std::int64_t h{0};
    std::int64_t n{0};
    std::int64_t k{0};
    std::int64_t d{0};
    std::int64_t vocab{0};
    bool tied{false};

    /// Weights of attention in one layer, without biases.
    [[nodiscard]] std::int64_t attention() const { return h * (n + 2 * k) * d + n * d * h; }
    /// Weights of the embedding, and of the head if it is not tied.
    [[nodiscard]] std::int64_t tables() const { return (tied ? 1 : 2) * vocab * h; }
    /// Elements of queries, keys and values.
    [[nodiscard]] std::int64_t qkv() const { return (n + 2 * k) * d; }
};

/// Whether the head has the weights of the embedding where a file does not state it (tie_word_embeddings).
enum class UnstatedTie : std::uint8_t { apart, tied };

/// \throws InputError for more layers than any model has, which nothing may be listed for
void require_layers(const ConfigFile& config, std::int64_t layers);

DecoderSizes decoder_sizes(ConfigFile& config, UnstatedTie unstated);

/// The size of attention's window, and the layers that have one.
struct Windows {
    std::int64_t tokens{0};
    std::vector<bool> of_layers;  ///< [layer]: whether it has one
};

/// All layers but each `interval`-th.
std::vector<bool> all_but_each(std::int64_t interval, std::int64_t layers);
/// How many of them are.
std::int64_t number_of(const std::vector<bool>& layers);

/// \throws InputError if layers have a window of no length; transformers refuses such a file when it makes
/// their masks
void require_length(const ConfigFile& config, const Windows& windows);

/// By `layer_types`; otherwise all layers except every `pattern`-th have a window (0: there are no windows).
Windows windows_by_type(ConfigFile& config, std::int64_t layers, std::int64_t pattern);

}  // namespace dse::app
