#pragma once

#include <cstdint>
#include <vector>

#include "dse/frontend/template/tensor.hpp"

namespace dse::frontend {

/// One step of a conversion between layouts.
struct Conversion {
    enum class Kind : std::uint8_t {
        slice,           ///< replicated → split: each device keeps its part; no communication
        reduce_scatter,  ///< partial sum → split
        all_reduce,      ///< partial sum → replicated
        all_to_all,      ///< split along one dimension → split along another
        all_gather,      ///< split → replicated
    };
    Kind kind{Kind::slice};
    graph::AxisSet axes;
    Layout after;
};

/// The steps that convert a tensor from layout `have` to layout `want`; empty if they are equal. Axes that
/// need the same kind of step share it. Steps that shrink the tensor come first, steps that enlarge it last.
/// \param want  without partial sums
/// Source: Shardy, reshard_to_collectives (order of the steps).
std::vector<Conversion> conversions(const Layout& have, const Layout& want);

}  // namespace dse::frontend
