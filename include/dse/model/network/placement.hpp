#pragma once

#include <cstdint>

#include "dse/graph/mesh.hpp"

namespace dse::model {

/// Placement of the groups over some axes on the scale-up domains. It is the same for every group of the
/// mesh.
struct Placement {
    std::int64_t inside{1};   ///< members of a group in the same domain
    std::int64_t domains{1};  ///< domains of a group

    [[nodiscard]] std::int64_t members() const { return inside * domains; }
    friend bool operator==(const Placement&, const Placement&) = default;
};

/// \param mesh    ranks are numbered domain by domain
/// \param axes    axes that vary within a group
/// \param domain  number of devices of a scale-up domain, >= 1
/// \throws ModelError if groups are distributed unevenly over domains (the number of members per domain would
///         vary within a group or between groups)
Placement place(const graph::Mesh& mesh, graph::AxisSet axes, std::int64_t domain);

/// Whether some rank of pipeline stage `from` has its peer in stage `to` in another domain.
/// \param from, to  positions along the pipeline axis
bool stages_cross_domains(const graph::Mesh& mesh, std::int64_t from, std::int64_t to, std::int64_t domain);

}  // namespace dse::model
