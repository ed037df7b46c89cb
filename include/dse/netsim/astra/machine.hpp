#pragma once

#include <cstdint>

#include "dse/netsim/astra/fabric.hpp"
#include "dse/netsim/astra/memory.hpp"
#include "dse/netsim/astra/schedule.hpp"
#include "dse/netsim/astra/system.hpp"

namespace dse::netsim {

/// What a node of computation takes in ASTRA-sim.
struct AstraCompute {
    enum class Source : std::uint8_t {
        recorded,             ///< as the trace says
        roofline,             ///< on a device; on its host as the trace says ("roofline-enabled")
        recorded_everything,  ///< as the trace says, communication as well ("replay-only")
    };
    Source source{Source::recorded};
    double peak{0.0};       ///< operations a second, from "peak-perf"
    double bandwidth{0.0};  ///< bytes a second, from "local-mem-bw"

    /// \param operations  > 0 \param bytes  > 0
    [[nodiscard]] Ticks roofline(double operations, double bytes) const;
    /// As whole microseconds say it; none at all are a tick.
    [[nodiscard]] static Ticks recorded(std::uint64_t micros);
};

/// All that ASTRA-sim's network, system and memory files say.
struct AstraMachine {
    AstraSystem system;
    AstraFabric::Rules rules;
    AstraCompute compute;
    AstraMemory memory;
    AstraSchedules schedules;
};

}  // namespace dse::netsim
