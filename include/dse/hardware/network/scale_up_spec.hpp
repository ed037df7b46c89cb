#pragma once

#include <cstdint>

#include "dse/hardware/network/link_spec.hpp"
#include "dse/hardware/network/switch_reduction_spec.hpp"
#include "dse/hardware/problem.hpp"

namespace dse::hardware {

/// The fast network inside a domain (NVLink and its switches). It is non-blocking: every pair has the full
/// rate.
struct ScaleUpSpec {
    LinkSpec link;
    /// Number of devices that one domain connects.
    std::int64_t domain{1};
    /// Number of devices per domain that a scheduler assigns to a job that spans several domains. 0: the
    /// whole domain if the job fills its domains, else the largest power of two in it (64 of an NVL72).
    std::int64_t segment{0};
    SwitchReductionSpec reduction;
    /// The links of a device go to the other devices of its domain in equal shares, without a switch (HGX
    /// boards of four): between two devices there are the links of one share.
    bool meshed{false};

    /// Number of devices per domain that a job of `devices` uses, >= 1.
    [[nodiscard]] std::int64_t occupied(std::int64_t devices) const;

    /// What one of `members` devices of a domain can send to the others.
    [[nodiscard]] BytesPerSecond sustained(std::int64_t members) const;
};

Problems problems_of(const ScaleUpSpec& scale_up);

template <class Visitor>
void describe(Visitor& v, ScaleUpSpec& scale_up) {
    describe_link(v, scale_up.link);
    v.required("domain", scale_up.domain, config::at_least(1),
               "number of devices that one scale-up domain connects");
    v.optional("segment", scale_up.segment, config::not_negative,
               "devices per domain that a larger job uses; 0: all, or a power of two");
    v.optional("meshed", scale_up.meshed,
               "each pair of devices has links of its own instead of a switch (network latency_bandwidth)");
    describe_switch_reduction(v, scale_up.reduction);
    check_after_reading(v, scale_up);
}

}  // namespace dse::hardware
