#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dse::synth {

/// What stands for a place of a sequence once its repetitions are folded away.
struct Folded {
    /// By place of the sequence: the place in the first round of every repetition that it is in.
    std::vector<std::uint32_t> representative;
    /// By place: how often it is played, over all repetitions that it is the representative in; 0 of others.
    std::vector<std::int64_t> times;
    std::size_t left{0};  ///< representatives
};

/// Finds stretches of a sequence that stand several times in a row, also repetitions of repetitions.
/// \param symbols  equal symbols, equal things
Folded fold_repeats(std::span<const std::uint64_t> symbols);

}  // namespace dse::synth
