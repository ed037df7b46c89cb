#pragma once

#include <cstdint>
#include <vector>

#include "ir/partition/axes.hpp"

namespace dse::ir::partition {

/// One step of moving an array from one layout to another.
struct ReshardStep {
    enum class Kind : std::uint8_t {
        slice,       ///< every device keeps its part: no communication
        permute,     ///< every device sends its part to one other
        all_to_all,  ///< `axes` move from dimension `from` to dimension `to`
        all_gather   ///< `axes` are dropped from the end of dimension `from`
    };
    Kind kind{Kind::slice};
    std::size_t from{0};
    std::size_t to{0};
    Axes axes;     ///< of slice: added to the end of dimension `to`
    Layout after;  ///< what the array's layout is then
};

/// The steps from one layout to another, in Shardy's order: slices (the array on a device shrinks),
/// all-to-alls and a permutation (it stays), all-gathers (it grows). Source: Shardy, pass
/// reshard-to-collectives
std::vector<ReshardStep> reshard_steps(const Layout& from, const Layout& to);

}  // namespace dse::ir::partition
