#pragma once

#include <cstdint>

#include "dse/netsim/astra/fabric.hpp"
#include "dse/netsim/astra/memory.hpp"
#include "dse/netsim/astra/schedule.hpp"
#include "dse/netsim/astra/system.hpp"

namespace dse::netsim {

/// Time of compute nodes in ASTRA-sim.
struct AstraCompute {
    enum class Source : std::uint8_t {
        recorded,             ///< as recorded in the trace
        roofline,             ///< roofline on devices, as recorded on hosts ("roofline-enabled")
        recorded_everything,  ///< as recorded, also for communication ("replay-only")
    };
    Source source{Source::recorded};
    double peak{0.0};       ///< operations per second, from "peak-perf"
    double bandwidth{0.0};  ///< bytes per second, from "local-mem-bw"

    /// \param operations  > 0 \param bytes  > 0
    [[nodiscard]] Ticks roofline(double operations, double bytes) const;
    /// Ticks of a time recorded in whole microseconds; 0 counts as one tick.
    [[nodiscard]] static Ticks recorded(std::uint64_t micros);
};

/// The content of ASTRA-sim's network, system and memory files.
struct AstraMachine {
    AstraSystem system;
    AstraFabric::Rules rules;
    AstraCompute compute;
    AstraMemory memory;
    AstraSchedules schedules;
};

}  // namespace dse::netsim
