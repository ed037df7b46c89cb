#pragma once

#include <cstdint>
#include <string_view>

#include "dse/netsim/astra/machine.hpp"
#include "dse/sim/replay/astra_replay.hpp"
#include "sim/replay/issue_queue.hpp"

namespace dse::sim::replay {

/// What a node of a trace has ASTRA-sim do.
struct AstraStep {
    enum class What : std::uint8_t {
        nothing,     ///< ends as it begins
        time,        ///< takes `ticks`
        memory,      ///< loads or stores `message.bytes` of remote memory
        send,        ///< `message`
        receive,     ///< `message`
        collective,  ///< `plan`, with its group
    };
    What what{What::nothing};
    netsim::Ticks ticks{0};
    bool counts_as_compute{false};  ///< of `time`
    netsim::AstraMessage message;
    netsim::AstraPlan plan;
    std::size_t group{AstraGroups::all};
    std::int64_t priority{0};
};

/// \throws InputError naming the node where ASTRA-sim could not play it
AstraStep astra_step(const AstraJob& job, std::int64_t rank, trace::chakra::NodeIndex node);

/// What a node occupies: receives nothing, others the host, the device, or what serves communication and
/// remote memory.
Lane lane_of(const trace::chakra::TraceStep& step);
inline constexpr std::size_t astra_lanes = 4;

/// "rank 3: record 7 (node 12 'name')"
std::string place_of(const AstraJob& job, std::int64_t rank, trace::chakra::NodeIndex node);

}  // namespace dse::sim::replay
