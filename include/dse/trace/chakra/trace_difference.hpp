#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dse/trace/chakra/trace.hpp"

namespace dse::trace::chakra {

/// What differs between two traces, whatever their nodes' ids, order and recorded starts.
struct TraceDifference {
    static constexpr std::size_t most_examples = 10;

    std::uint64_t equal{0};    ///< nodes that both have
    std::uint64_t changed{0};  ///< nodes of one name that say something else
    std::uint64_t rewired{0};  ///< nodes that are the same but wait for others
    std::uint64_t only_first{0};
    std::uint64_t only_second{0};
    std::vector<std::string> examples;  ///< the first few of each kind

    [[nodiscard]] bool none() const { return changed + rewired + only_first + only_second == 0; }
};

enum class Durations : std::uint8_t { compared, ignored };

/// Two traces without a difference have the same nodes with the same dependencies, up to the naming of nodes:
/// each node has a partner with equal fields whose dependencies, and theirs in turn, are partners likewise.
TraceDifference compare(const RankTrace& first, const RankTrace& second, Durations durations);

}  // namespace dse::trace::chakra
