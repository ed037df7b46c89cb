#pragma once

#include <cstdint>
#include <string_view>

#include "dse/netsim/astra/machine.hpp"
#include "dse/sim/replay/astra_replay.hpp"
#include "sim/replay/issue_queue.hpp"

namespace dse::sim::replay {

/// What ASTRA-sim does for a node of a trace.
struct AstraStep {
    enum class What : std::uint8_t {
        nothing,     ///< ends when it starts
        time,        ///< takes `ticks`
        memory,      ///< loads or stores `message.bytes` of remote memory
        send,        ///< `message`
        receive,     ///< `message`
        collective,  ///< `plan`, on `group`
    };
    What what{What::nothing};
    netsim::Ticks ticks{0};
    bool counts_as_compute{false};  ///< for `time`
    netsim::AstraMessage message;
    netsim::AstraPlan plan;
    std::size_t group{AstraGroups::all};
    std::int64_t priority{0};
};

/// \throws InputError naming the node if ASTRA-sim could not run it
AstraStep astra_step(const AstraJob& job, std::int64_t rank, trace::chakra::NodeIndex node);

/// What a node occupies: nothing for receives, otherwise the host, the device, or the lane of communication
/// and remote memory.
Lane lane_of(const trace::chakra::TraceStep& step);
inline constexpr std::size_t astra_lanes = 4;

/// "rank 3: record 7 (node 12 'name')"
std::string place_of(const AstraJob& job, std::int64_t rank, trace::chakra::NodeIndex node);

}  // namespace dse::sim::replay
