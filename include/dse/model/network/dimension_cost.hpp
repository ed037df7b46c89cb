#pragma once

#include <cstdint>

#include "dse/base/units.hpp"
#include "dse/graph/work.hpp"
#include "dse/hardware/network/dimension_spec.hpp"

namespace dse::model {

/// Cost of a collective along one dimension: a fixed time and a time proportional to its size.
struct DimensionCost {
    Seconds latency;
    double seconds_per_byte{0.0};  ///< per byte of the vector that arrives at the dimension
};

/// Members of a group along one dimension.
struct Line {
    std::int64_t members{1};  ///< >= 1
    std::int64_t stride{1};   ///< distance between neighbours; the interleaved groups run at the same time
};

/// Latency–bandwidth cost with the load of the busiest link: on rings and meshes, a message loads every link
/// on its path, and groups whose members are interleaved share links.
///
/// An all-reduce is a reduce-scatter followed by an all-gather, except with the double binary tree. Halving
/// and doubling work for any number of members: if it is not a power of two, with messages of up to half the
/// vector to the member 1, 2, 4, … positions ahead (Bruck et al. 1997). The size is the full buffer S of
/// docs/theory/communication.md as it arrives at this dimension: the input S of reduce-scatter and
/// all-to-all, the output S of all-gather.
/// \param algorithm  automatic: see hardware::Algorithm
/// \throws ModelError for a double binary tree with any collective but all-reduce
/// Source: Thakur, Rabenseifner, Gropp 2005 (steps and volumes); Sanders, Speck, Träff 2009 (two trees).
DimensionCost dimension_cost(graph::CollectiveKind kind, const hardware::DimensionSpec& dimension,
                             const Line& line, hardware::Algorithm algorithm);

/// Cost of an all-reduce in the dimension's switch: the vectors are sent in and their sum is sent out, at
/// different times if other dimensions are in between, hence four links.
/// \param dimension  with a switch that reduces
DimensionCost switch_reduction_cost(const hardware::DimensionSpec& dimension);

/// The algorithm that `automatic` selects.
hardware::Algorithm usual_algorithm(hardware::DimensionKind kind, graph::CollectiveKind collective);

}  // namespace dse::model
