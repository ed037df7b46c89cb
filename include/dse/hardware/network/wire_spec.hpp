#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dse/config/choices.hpp"
#include "dse/hardware/network/link_spec.hpp"
#include "dse/hardware/problem.hpp"

namespace dse::hardware {

/// One end of wires: devices ("3" or "0-7"), or a switch (any other name).
struct WireEnd {
    std::int64_t first{0};
    std::int64_t devices{0};  ///< 0: a switch
    std::string_view hub;     ///< of a switch; part of the text that was parsed

    /// Most devices that a free wiring may have.
    static constexpr std::int64_t most_devices = std::int64_t{1} << 20U;
};
/// \return nothing if the text is empty, or a range that is reversed or exceeds most_devices
std::optional<WireEnd> parse_wire_end(std::string_view text);

enum class WireDirection : std::uint8_t {
    both,
    forth,  ///< only from `from` to `to`
};
DSE_CHOICES(WireDirection, both, forth);

/// Wires of a free wiring: from every device of one end to the switch at the other end or, between two ranges
/// of equal length, from the n-th device to the n-th.
struct WireSpec {
    std::string from;
    std::string to;
    LinkSpec link;
    /// Cost of the wire in routing: messages take the route with the lowest total.
    std::int64_t cost{1};
    WireDirection direction{WireDirection::both};
};

/// Number of devices that wires join: one more than the highest number. \pre the wires have no problems
std::int64_t wired_devices(std::span<const WireSpec> wires);

Problems problems_of(const WireSpec& wire);
/// The problems of all wires, and switches with only one wire, whose name is probably misspelt.
Problems problems_of(const std::vector<WireSpec>& wires);

template <class Visitor>
void describe(Visitor& v, WireSpec& wire) {
    v.required("from", wire.from, "devices by number, \"3\" or \"0-7\", or a switch by name");
    v.required("to", wire.to, "likewise");
    describe_link(v, wire.link);
    v.optional("cost", wire.cost, config::between(1, 1e6),
               "cost in routing; messages take the route with the lowest total");
    v.optional("direction", wire.direction, "both, or forth: only from `from` to `to`");
    check_after_reading(v, wire);
}

/// Links with reduced bandwidth.
struct DegradedSpec {
    std::string from;
    std::string to;
    double factor{1.0};  ///< factor on the bandwidth; 0: the link is down
    WireDirection direction{WireDirection::both};
};

Problems problems_of(const DegradedSpec& degraded);

template <class Visitor>
void describe(Visitor& v, DegradedSpec& degraded) {
    v.required("from", degraded.from, "a device's number, a range of them, or a switch's name");
    v.required("to", degraded.to, "likewise");
    v.required("factor", degraded.factor, config::share, "factor on the bandwidth; 0: the link is down");
    v.optional("direction", degraded.direction, "both, or forth: only from `from` to `to`");
    check_after_reading(v, degraded);
}

}  // namespace dse::hardware
