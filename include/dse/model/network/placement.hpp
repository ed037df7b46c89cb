#pragma once

#include <cstdint>

#include "dse/graph/mesh.hpp"

namespace dse::model {

/// How the groups over some axes lie on the scale-up domains. Every group of the mesh lies the same way.
struct Placement {
    std::int64_t inside{1};   ///< members that share a domain
    std::int64_t domains{1};  ///< domains that a group touches

    [[nodiscard]] std::int64_t members() const { return inside * domains; }
    friend bool operator==(const Placement&, const Placement&) = default;
};

/// \param mesh    ranks are numbered domain by domain
/// \param axes    that vary inside a group
/// \param domain  devices of a scale-up domain, >= 1
/// \throws ModelError when groups straddle domains unevenly (some members of a group would have more company
/// in
///         their domain than others, or groups would differ)
Placement place(const graph::Mesh& mesh, graph::AxisSet axes, std::int64_t domain);

/// Whether some rank of pipeline stage `from` has its peer of stage `to` in another domain.
/// \param from, to  positions along the pipeline axis
bool stages_cross_domains(const graph::Mesh& mesh, std::int64_t from, std::int64_t to, std::int64_t domain);

}  // namespace dse::model
