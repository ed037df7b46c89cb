#pragma once

#include "dse/base/units.hpp"
#include "dse/graph/work.hpp"
#include "dse/hardware/network/nccl_spec.hpp"

namespace dse::model {

/// One collective inside a scale-up domain: the sooner of two ways, one for short messages and one for long
/// ones, each a latency that grows with the group and a share of the links' rate, which for long messages
/// grows with the group as (members / 8)^long_growth.
struct Staircase {
    Seconds short_latency;
    Seconds short_step;  ///< of each member beyond the first
    double short_share;
    Seconds long_latency;
    Seconds long_step;
    double long_share;
    double long_growth;
};

/// What fits a generation of devices. \returns nullptr where nobody measured
const Staircase* staircase(graph::CollectiveKind kind, hardware::GpuGeneration generation);

}  // namespace dse::model
