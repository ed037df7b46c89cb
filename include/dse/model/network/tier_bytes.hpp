#pragma once

#include <array>

#include "dse/graph/mesh.hpp"
#include "dse/graph/work.hpp"
#include "dse/hardware/network/dimension_spec.hpp"

namespace dse::model {

/// Bytes by dimension of a network, innermost first.
using TierBytes = std::array<double, hardware::DimensionList::capacity>;

/// Bytes that one device sends over each dimension in a collective, averaged over its group: the minimum if
/// inner dimensions work first (docs/theory/communication.md; each dimension processes the vector divided by
/// the members of the previous ones; for all-to-all and ring shift, the part that leaves the inner
/// dimensions). Their sum is counted as sent by graph::Totals.
/// \param dimensions  dimensions of the job (job_dimensions)
TierBytes bytes_by_tier(const graph::Collective& collective, const graph::Mesh& mesh,
                        const hardware::DimensionList& dimensions);

/// The same for a message between neighbouring stages, which passes through every dimension in which they
/// differ; the maximum over the pairs.
/// \param from,  to  positions along the pipeline axis
TierBytes bytes_by_tier(Bytes message, const graph::Mesh& mesh, std::int64_t from, std::int64_t to,
                        const hardware::DimensionList& dimensions);

}  // namespace dse::model
