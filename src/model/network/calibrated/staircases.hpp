#pragma once

#include <optional>

#include "dse/base/units.hpp"
#include "dse/graph/work.hpp"
#include "dse/hardware/network/nccl_spec.hpp"

namespace dse::model {

/// One collective inside a scale-up domain: the faster of two algorithms, one for short messages and one for
/// long ones. Each has a latency that grows with the group and attains a fraction of the links' rate; for
/// long messages this fraction grows with the group as (members / 8)^long_growth.
struct Staircase {
    Seconds short_latency;
    Seconds short_step;  ///< per member beyond the first
    double short_share;
    Seconds long_latency;
    Seconds long_step;
    double long_share;
    double long_growth;
};

/// Constants for a generation of devices. \returns nothing if there are no measurements
std::optional<Staircase> staircase(graph::CollectiveKind kind, hardware::GpuGeneration generation);

/// Constants for a generation that was not measured: latencies of all generations are alike in units of the
/// time of a short all-gather between two devices (NcclSpec::short_all_gather), and so are shares of links.
/// \returns nothing for collectives that were not measured
std::optional<Staircase> staircase(graph::CollectiveKind kind, Seconds short_all_gather);

}  // namespace dse::model
