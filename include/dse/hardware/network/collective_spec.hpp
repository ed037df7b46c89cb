#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "dse/base/units.hpp"
#include "dse/hardware/network/schedule_spec.hpp"
#include "dse/hardware/problem.hpp"

namespace dse::hardware {

/// In which order the chunks of a collective pass the dimensions of a network.
enum class DimensionOrder : std::uint8_t {
    ascending,  ///< innermost first, every chunk
    balanced,  ///< each chunk where it fills what is loaded least. Source: Themis (Rashidi et al., ISCA 2022)
};
std::span<const std::string_view> choice_names(DimensionOrder);

/// The communication library. The defaults are textbook latency–bandwidth.
struct CollectiveSpec {
    /// Fixed time of any collective: kernel launch, synchronisation of the members.
    Seconds launch;
    /// Fixed time of a message between two devices.
    Seconds message_launch;
    /// Exponent that joins latency L and transfer time X: (L^sharpness + X^sharpness)^(1/sharpness). 1: their
    /// sum. Below 1: middle sizes are dearer than the sum, as where a library changes from a protocol with
    /// low latency and half the bandwidth to one with full bandwidth.
    double sharpness{1.0};
    /// Share of the shorter of two phases (inside and across domains) that hides behind the longer: 0 one
    /// after the other, 1 fully pipelined.
    double phase_overlap{0.0};
    /// Pieces of a collective that pass the dimensions one behind the other (models with dimensions).
    std::int64_t chunks{4};
    /// Order in which a chunk passes the dimensions (multi_dim).
    DimensionOrder dimension_order{DimensionOrder::ascending};
    /// Collectives that trace files spell out; the first that does what is asked for, with as many members as
    /// the group.
    std::vector<ScheduleSpec> schedules;
};

Problems problems_of(const CollectiveSpec& collective);

template <class Visitor>
void describe(Visitor& v, CollectiveSpec& collective) {
    v.optional("launch", collective.launch, config::not_negative, "fixed time of any collective");
    v.optional("message_launch", collective.message_launch, config::not_negative,
               "fixed time of a message between two devices");
    v.optional("sharpness", collective.sharpness, config::positive,
               "exponent that joins latency and transfer time; 1: the sum");
    v.optional("phase_overlap", collective.phase_overlap, config::share,
               "share of the shorter phase that the longer one hides");
    v.optional("chunks", collective.chunks, config::at_least(1),
               "pieces that pass the dimensions one behind the other");
    v.optional("dimension_order", collective.dimension_order, "in which order chunks pass the dimensions");
    v.records("schedules", collective.schedules, "collectives that trace files spell out");
    check_after_reading(v, collective);
}

}  // namespace dse::hardware
