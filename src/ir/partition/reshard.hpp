#pragma once

#include <cstdint>
#include <vector>

#include "ir/partition/axes.hpp"

namespace dse::ir::partition {

/// One step of moving an array from one layout to another.
struct ReshardStep {
    enum class Kind : std::uint8_t {
        all_reduce,  ///< partial results are summed over `axes`
        slice,       ///< every device keeps a part of its own: no communication
        permute,     ///< every device sends its part to one other device
        all_to_all,  ///< `axes` move from dimension `from` to dimension `to`
        all_gather,  ///< `axes` are removed from the end of dimension `from`
        sum_parts    ///< all_gather of few elements: each device writes its part into zeros, and all are
                     ///< summed
    };
    Kind kind{Kind::slice};
    std::size_t from{0};
    std::size_t to{0};
    Axes axes;     ///< of slice: appended to dimension `to`
    Layout after;  ///< the array's layout after the step
};

/// The steps from one layout to another, in Shardy's order: slices (parts get smaller), all-to-alls and a
/// permutation (parts keep their size), all-gathers (parts get larger).
/// \param partial  axes over which the parts are partial sums. They are reduced first: along axes on which
///                 the array is then partitioned, by pairs of an all-reduce and a slice, which are
///                 reduce-scatters; over the remaining ones when the parts are smallest
/// Source: Shardy, pass reshard-to-collectives
std::vector<ReshardStep> reshard_steps(const Layout& from, const Layout& to, const Axes& partial = {});

/// Bytes that one device sends in these steps, with ring algorithms; an all-reduce followed by a slice counts
/// as a reduce-scatter.
/// \param bytes  of the whole array
/// \param from  layout before the first step
double sent_bytes(const std::vector<ReshardStep>& steps, double bytes, const Layout& from);

}  // namespace dse::ir::partition
