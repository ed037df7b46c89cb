#pragma once

#include "dse/base/units.hpp"
#include "dse/hardware/problem.hpp"

namespace dse::hardware {

/// What one device has to reach others at one level of the network.
struct LinkSpec {
    BytesPerSecond bandwidth;  ///< per direction and device, line rate
    Seconds latency;           ///< of one message of a collective, software included
    /// Share of the line rate that long messages sustain.
    double efficiency{1.0};

    [[nodiscard]] BytesPerSecond sustained() const { return bandwidth * efficiency; }
};

Problems problems_of(const LinkSpec& link);

/// The fields of a link stand beside those of the level it belongs to: no section of their own.
template <class Visitor>
void describe_link(Visitor& v, LinkSpec& link) {
    v.required("bandwidth", link.bandwidth, "per direction and device");
    v.required("latency", link.latency, "of one message of a collective");
    v.optional("efficiency", link.efficiency, "share of the line rate that long messages sustain");
}

}  // namespace dse::hardware
