#pragma once

#include <cstdint>
#include <vector>

#include "ir/partition/axes.hpp"

namespace dse::ir::partition {

/// One step of moving an array from one layout to another.
struct ReshardStep {
    enum class Kind : std::uint8_t {
        all_reduce,  ///< partial results are summed over `axes`
        slice,       ///< every device keeps its part: no communication
        permute,     ///< every device sends its part to one other
        all_to_all,  ///< `axes` move from dimension `from` to dimension `to`
        all_gather,  ///< `axes` are dropped from the end of dimension `from`
        sum_parts    ///< the same of few elements: each device puts its own among zeros, and all are summed
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
/// \param partial  axes over which the parts are partial sums: they are added up first, where the array is to
/// be cut along such an axis in pairs of an all-reduce and a slice, which are reduce-scatters, and over what
/// is left of them when the array is smallest
std::vector<ReshardStep> reshard_steps(const Layout& from, const Layout& to, const Axes& partial = {});

/// Bytes that one device sends in these steps, by rings; an all-reduce that is cut at once counts as a
/// reduce-scatter. \param bytes  of the whole array \param from  the layout before the first step
double sent_bytes(const std::vector<ReshardStep>& steps, double bytes, const Layout& from);

}  // namespace dse::ir::partition
