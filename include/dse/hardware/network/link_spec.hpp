#pragma once

#include "dse/base/units.hpp"
#include "dse/config/range.hpp"

namespace dse::hardware {

/// The links of one device at one level of the network.
struct LinkSpec {
    BytesPerSecond bandwidth;  ///< line rate per direction and device
    Seconds latency;           ///< of one message of a collective, software included
    /// Share of the line rate that long messages sustain.
    double efficiency{1.0};

    [[nodiscard]] BytesPerSecond sustained() const { return bandwidth * efficiency; }
};

/// Describes the fields of a link as fields of the level that it belongs to, without a section of their own.
template <class Visitor>
void describe_link(Visitor& v, LinkSpec& link) {
    v.required("bandwidth", link.bandwidth, config::positive, "line rate per direction and device");
    v.required("latency", link.latency, config::not_negative, "latency of one message of a collective");
    v.optional("efficiency", link.efficiency, config::fraction,
               "share of the line rate that long messages sustain");
}

}  // namespace dse::hardware
