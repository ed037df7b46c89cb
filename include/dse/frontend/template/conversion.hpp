#pragma once

#include <cstdint>
#include <vector>

#include "dse/frontend/template/tensor.hpp"

namespace dse::frontend {

/// One step from a layout to another.
struct Conversion {
    enum class Kind : std::uint8_t {
        slice,           ///< replicated → split: every device keeps its part; no communication
        reduce_scatter,  ///< partial sum → split
        all_reduce,      ///< partial sum → replicated
        all_to_all,      ///< split along one dimension → split along another
        all_gather,      ///< split → replicated
    };
    Kind kind{Kind::slice};
    graph::AxisSet axes;
    Layout after;
};

/// How a tensor that lies as `have` comes to lie as `want`: nothing where they are equal. Axes that make the
/// same kind of step go together. Steps that shrink the tensor come first, those that grow it last. \param
/// want  without partial sums Source: Shardy, reshard_to_collectives (order of the steps).
std::vector<Conversion> conversions(const Layout& have, const Layout& want);

}  // namespace dse::frontend
