#pragma once

#include <cstdint>

#include "dse/hardware/link_spec.hpp"

namespace dse::hardware {

/// The fast network inside a domain (NVLink and its switches): non-blocking, every pair at full rate.
struct ScaleUpSpec {
    LinkSpec link;
    /// Devices that one domain connects.
    std::int64_t domain{1};
    /// Devices of a domain that a job takes when it spans several, as a scheduler hands them out. 0: the
    /// whole domain where the job fills its domains, else the largest power of two in it (64 of an NVL72).
    std::int64_t segment{0};
    /// All-reduce inside the switches: vector size per second, as a share of the line rate. 0: no such unit.
    double reduction_efficiency{0.0};
    /// Fewest members of a group for which the library reduces inside the switches.
    std::int64_t reduction_members{2};

    /// Devices of one domain that a job of `devices` gets, >= 1.
    [[nodiscard]] std::int64_t occupied(std::int64_t devices) const;
};

Problems problems_of(const ScaleUpSpec& scale_up);

template <class Visitor>
void describe(Visitor& v, ScaleUpSpec& scale_up) {
    describe_link(v, scale_up.link);
    v.required("domain", scale_up.domain, "devices that one scale-up domain connects");
    v.optional("segment", scale_up.segment,
               "devices of a domain that a larger job takes; 0: all, or a power of two");
    v.optional("reduction_efficiency", scale_up.reduction_efficiency,
               "all-reduce in the switches: vector per second over line rate; 0: none");
    v.optional("reduction_members", scale_up.reduction_members,
               "smallest group that reduces in the switches");
    check_after_reading(v, scale_up);
}

}  // namespace dse::hardware
