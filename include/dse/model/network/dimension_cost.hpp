#pragma once

#include <cstdint>

#include "dse/base/units.hpp"
#include "dse/graph/work.hpp"
#include "dse/hardware/network/dimension_spec.hpp"

namespace dse::model {

/// What a collective takes along one dimension: a time that its size does not change, and one that is
/// proportional to it.
struct DimensionCost {
    Seconds latency;
    double seconds_per_byte{0.0};  ///< of the vector that comes to the dimension
};

/// Members of a group along one dimension.
struct Line {
    std::int64_t members{1};  ///< >= 1
    std::int64_t stride{1};   ///< devices between neighbours; the groups in between run at the same time
};

/// Latency–bandwidth cost with the load of the busiest link: on rings and meshes, messages over a distance
/// load every link on their way, and groups that lie between each other's members share links.
///
/// Of an all-reduce, a reduce-scatter followed by an all-gather, except for the double binary tree. Halving
/// and doubling over any number of members: where it is no power of two, by messages of up to half the vector
/// to the member 1, 2, 4, … places on (Bruck et al. 1997). The size is the full buffer S of
/// docs/theory/communication.md as it comes to this dimension: reduce-scatter and all-to-all S in, all-gather
/// S out. \param algorithm  automatic: see hardware::Algorithm \throws ModelError for a double binary tree
/// that should do anything but all-reduce Source: Thakur, Rabenseifner, Gropp 2005 (steps and volumes);
/// Sanders, Speck, Träff 2009 (two trees).
DimensionCost dimension_cost(graph::CollectiveKind kind, const hardware::DimensionSpec& dimension,
                             const Line& line, hardware::Algorithm algorithm);

/// Of an all-reduce in the dimension's switch: the vectors on the way in, their sum on the way out, where
/// other dimensions lie between at different times: four links. \param dimension  whose switch reduces
DimensionCost switch_reduction_cost(const hardware::DimensionSpec& dimension);

/// The algorithm that `automatic` means.
hardware::Algorithm usual_algorithm(hardware::DimensionKind kind, graph::CollectiveKind collective);

}  // namespace dse::model
