#pragma once

#include "dse/hardware/network/link_spec.hpp"
#include "dse/hardware/problem.hpp"

namespace dse::hardware {

/// The network between domains, in which every device has its own share of a NIC.
struct ScaleOutSpec {
    LinkSpec link;
    /// Bandwidth into the fabric over bandwidth across it, for traffic that leaves a domain; >= 1.
    double oversubscription{1.0};

    /// What one device gets when all send across the fabric at once.
    [[nodiscard]] BytesPerSecond sustained() const { return link.sustained() / oversubscription; }
};

Problems problems_of(const ScaleOutSpec& scale_out);

template <class Visitor>
void describe(Visitor& v, ScaleOutSpec& scale_out) {
    describe_link(v, scale_out.link);
    v.optional("oversubscription", scale_out.oversubscription, config::at_least(1),
               "bandwidth into the fabric divided by bandwidth across it");
    check_after_reading(v, scale_out);
}

}  // namespace dse::hardware
