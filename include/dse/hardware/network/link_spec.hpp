#pragma once

#include "dse/base/units.hpp"
#include "dse/config/range.hpp"

namespace dse::hardware {

/// What one device has to reach others at one level of the network.
struct LinkSpec {
    BytesPerSecond bandwidth;  ///< per direction and device, line rate
    Seconds latency;           ///< of one message of a collective, software included
    /// Share of the line rate that long messages sustain.
    double efficiency{1.0};

    [[nodiscard]] BytesPerSecond sustained() const { return bandwidth * efficiency; }
};

/// The fields of a link stand beside those of the level it belongs to: no section of their own.
template <class Visitor>
void describe_link(Visitor& v, LinkSpec& link) {
    v.required("bandwidth", link.bandwidth, config::positive, "per direction and device");
    v.required("latency", link.latency, config::not_negative, "of one message of a collective");
    v.optional("efficiency", link.efficiency, config::fraction,
               "share of the line rate that long messages sustain");
}

}  // namespace dse::hardware
