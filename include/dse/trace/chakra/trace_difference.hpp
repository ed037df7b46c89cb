#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dse/trace/chakra/trace.hpp"

namespace dse::trace::chakra {

/// Differences between two traces, ignoring node ids, node order and recorded start times.
struct TraceDifference {
    static constexpr std::size_t most_examples = 10;

    std::uint64_t equal{0};    ///< nodes in both traces
    std::uint64_t changed{0};  ///< nodes of the same name with different fields
    std::uint64_t rewired{0};  ///< nodes that are equal but have different dependencies
    std::uint64_t only_first{0};
    std::uint64_t only_second{0};
    std::vector<std::string> examples;  ///< the first few of each kind

    [[nodiscard]] bool none() const { return changed + rewired + only_first + only_second == 0; }
};

enum class Durations : std::uint8_t { compared, ignored };

/// Compares two traces. If there is no difference, they have the same nodes with the same dependencies up to
/// renaming: each node has a partner with equal fields whose dependencies, recursively, are partners as well.
TraceDifference compare(const RankTrace& first, const RankTrace& second, Durations durations);

}  // namespace dse::trace::chakra
