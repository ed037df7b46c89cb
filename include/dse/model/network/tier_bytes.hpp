#pragma once

#include <array>

#include "dse/graph/mesh.hpp"
#include "dse/graph/work.hpp"
#include "dse/hardware/network/dimension_spec.hpp"

namespace dse::model {

/// Bytes by dimension of a network, innermost first.
using TierBytes = std::array<double, hardware::DimensionList::capacity>;

/// What one device sends of a collective over each dimension, on average over its group: the least possible
/// where the inner dimensions work first (docs/theory/communication.md, each dimension seeing the vector
/// divided by the members of those before; of an all-to-all and a ring shift, what leaves the inner ones).
/// Their sum is what graph::Totals counts as sent. \param dimensions  of the job (job_dimensions)
TierBytes bytes_by_tier(const graph::Collective& collective, const graph::Mesh& mesh,
                        const hardware::DimensionList& dimensions);

/// The same of a message between neighbouring stages, which passes every dimension in which they differ: of
/// the pair that passes most.
/// \param from, to  positions along the pipeline axis
TierBytes bytes_by_tier(Bytes message, const graph::Mesh& mesh, std::int64_t from, std::int64_t to,
                        const hardware::DimensionList& dimensions);

}  // namespace dse::model
