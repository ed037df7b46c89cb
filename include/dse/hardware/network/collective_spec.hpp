#pragma once

#include <cstdint>
#include <vector>

#include "dse/base/units.hpp"
#include "dse/config/choices.hpp"
#include "dse/hardware/network/schedule_spec.hpp"
#include "dse/hardware/problem.hpp"

namespace dse::hardware {

/// Order in which the chunks of a collective pass through the dimensions of a network.
enum class DimensionOrder : std::uint8_t {
    ascending,  ///< innermost first for every chunk
    balanced,   ///< by load, for each chunk. Source: Themis (Rashidi et al., ISCA 2022)
};
DSE_CHOICES(DimensionOrder, ascending, balanced);

/// How all-gathers and reduce-scatters pass from one scale-up domain to the next.
enum class Gathering : std::uint8_t {
    logarithmic,  ///< the distance doubles with each step
    ring,  ///< from member to member, whatever their number. NCCL and RCCL have trees for all-reduces alone.
};
DSE_CHOICES(Gathering, logarithmic, ring);

/// The communication library. The defaults are the textbook latency–bandwidth model.
struct CollectiveSpec {
    /// Fixed time of every collective: kernel launch, synchronization of the members.
    Seconds launch;
    /// Fixed time of an all-to-all. 0: launch.
    Seconds exchange_launch;
    /// Fixed time of a message between two devices.
    Seconds message_launch;
    /// Fixed time of the library's all-reduce where `launch` is that of a serving engine's own, which runs
    /// within a domain where it is faster (network latency_bandwidth). 0: `launch` is the library's.
    Seconds library_launch;
    /// Time in which the members of such an all-reduce wait for one another, once a step. 0: two latencies.
    Seconds barrier;
    /// Further fixed time of such an all-reduce in two steps (reduce-scatter and all-gather).
    Seconds two_step_launch;
    /// Size up to which more than two devices take one step, and beyond which the library reduces, whatever
    /// is faster. 0: the fastest of the three.
    Bytes one_step_limit;
    /// Share of a link's bandwidth that such an all-reduce reaches in one step among `one_step_members`
    /// devices or more, to each of which all others send at once. 0: the link's own.
    double one_step_efficiency{0.0};
    std::int64_t one_step_members{2};
    /// Exponent that joins latency L and transfer time X: (L^sharpness + X^sharpness)^(1/sharpness). 1: their
    /// sum. Below 1, medium sizes take longer than the sum, as if a library switches from a protocol with low
    /// latency and half the bandwidth to one with full bandwidth.
    double sharpness{1.0};
    /// Share of the shorter of two phases (inside and across domains) that is hidden by the longer one: 0
    /// means sequential, 1 fully pipelined.
    double phase_overlap{0.0};
    /// Steps of an all-gather or reduce-scatter over several domains (network latency_bandwidth).
    Gathering gathering{Gathering::logarithmic};
    /// Number of pieces in which a collective passes through the dimensions (models with dimensions).
    std::int64_t chunks{4};
    /// Order in which a chunk passes through the dimensions (multi_dim).
    DimensionOrder dimension_order{DimensionOrder::ascending};
    /// Collectives defined by trace files. The first one of the right kind with as many members as the group
    /// is used.
    std::vector<ScheduleSpec> schedules;
};

Problems problems_of(const CollectiveSpec& collective);

template <class Visitor>
void describe(Visitor& v, CollectiveSpec& collective) {
    v.optional("launch", collective.launch, config::not_negative, "fixed time of every collective");
    v.optional("exchange_launch", collective.exchange_launch, config::not_negative,
               "fixed time of an all-to-all; 0: launch");
    v.optional("library_launch", collective.library_launch, config::not_negative,
               "fixed time of the library's all-reduce beside a serving engine's own; 0: there is none");
    v.optional("barrier", collective.barrier, config::not_negative,
               "time in which the members of its all-reduce wait for one another; 0: two latencies");
    v.optional("two_step_launch", collective.two_step_launch, config::not_negative,
               "further fixed time of its all-reduce in two steps");
    v.optional("one_step_limit", collective.one_step_limit, config::not_negative,
               "size up to which it takes one step, and beyond which the library reduces; 0: the fastest");
    v.optional("one_step_efficiency", collective.one_step_efficiency, config::share,
               "share of the bandwidth that it reaches in one step; 0: efficiency of the link");
    v.optional("one_step_members", collective.one_step_members, config::at_least(2),
               "members from which one_step_efficiency applies");
    v.optional("message_launch", collective.message_launch, config::not_negative,
               "fixed time of a message between two devices");
    v.optional("sharpness", collective.sharpness, config::positive,
               "exponent that joins latency and transfer time; 1: the sum");
    v.optional("phase_overlap", collective.phase_overlap, config::share,
               "share of the shorter phase that is hidden by the longer one");
    v.optional("gathering", collective.gathering,
               "steps of all-gather and reduce-scatter over several domains: logarithmic or ring");
    v.optional("chunks", collective.chunks, config::at_least(1),
               "pieces in which a collective passes through the dimensions");
    v.optional("dimension_order", collective.dimension_order,
               "order in which chunks pass through the dimensions");
    v.records("schedules", collective.schedules, "collectives defined by trace files");
    check_after_reading(v, collective);
}

}  // namespace dse::hardware
