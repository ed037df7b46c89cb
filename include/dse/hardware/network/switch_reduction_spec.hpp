#pragma once

#include <cstdint>

#include "dse/base/units.hpp"
#include "dse/config/range.hpp"
#include "dse/hardware/network/link_spec.hpp"

namespace dse::hardware {

/// All-reduce inside the switches of one level or dimension (NVLS, SHARP).
struct SwitchReductionSpec {
    /// Vector size reduced per second, as a share of the line rate. 0: switches cannot reduce.
    double efficiency{0.0};
    /// Smallest group for which the library reduces in the switches.
    std::int64_t members{2};

    [[nodiscard]] bool serves(std::int64_t group) const { return efficiency > 0.0 && group >= members; }
    /// Vector size reduced per second. \param link  link of a device into the switch
    [[nodiscard]] BytesPerSecond rate(const LinkSpec& link) const { return link.bandwidth * efficiency; }

    friend bool operator==(const SwitchReductionSpec&, const SwitchReductionSpec&) = default;
};

/// Adds what is wrong to the problems of the struct that it stands in.
/// Its fields stand beside those of the level or dimension that it belongs to: no section of their own.
template <class Visitor>
void describe_switch_reduction(Visitor& v, SwitchReductionSpec& reduction) {
    v.optional("reduction_efficiency", reduction.efficiency, config::share,
               "all-reduce in the switches: vector per second relative to the line rate; 0: none");
    v.optional("reduction_members", reduction.members, config::at_least(2),
               "smallest group that reduces in the switches");
}

}  // namespace dse::hardware
