#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dse::synth {

/// A sequence with its repetitions folded.
struct Folded {
    /// By position: the corresponding position in the first round of every repetition that contains it.
    std::vector<std::uint32_t> representative;
    /// By position: total number of executions of a representative; 0 for other positions.
    std::vector<std::int64_t> times;
    std::size_t left{0};  ///< number of representatives
};

/// Finds blocks of a sequence that occur several times in a row, including repetitions of repetitions.
/// \param symbols  equal symbols represent equal items
Folded fold_repeats(std::span<const std::uint64_t> symbols);

}  // namespace dse::synth
