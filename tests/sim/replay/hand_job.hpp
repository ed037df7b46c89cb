#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dse/sim/replay/astra_replay.hpp"
#include "support/hand_trace.hpp"

namespace dse::sim::replay {

using test::HandTrace;
using trace::chakra::CommType;

/// A job of ranks with traces made by hand on one dimension, fully connected: 1 byte a tick, no latency, no
/// endpoint delay, recorded times.
class HandJob {
  public:
    explicit HandJob(std::int64_t ranks) : hands(static_cast<std::size_t>(ranks)), listed{ranks} {
        netsim::AstraSystem& system = machine.system;
        system.add({hardware::DimensionKind::fully_connected, ranks, 1.0, 0.0});
        const netsim::AstraAlgorithm ring;
        system.set_algorithms({&ring, 1});
        system.endpoint_delay = 0;
    }

    /// Ranks with equal traces share them.
    AstraJob& job() {
        traces_.clear();
        for (HandTrace& hand : hands) {
            traces_.push_back(hand.build("hand." + std::to_string(traces_.size()) + ".et"));
            for (const auto& other : traces_) {
                if (*other.trace == *traces_.back().trace) {
                    traces_.back().trace = other.trace;
                    break;
                }
            }
        }
        groups_.emplace(traces_, listed);
        job_.emplace(AstraJob{traces_, *groups_, machine});
        return *job_;
    }

    std::vector<HandTrace> hands;
    trace::chakra::Groups listed;
    netsim::AstraMachine machine;

  private:
    std::vector<trace::chakra::RankTrace> traces_;
    std::optional<AstraGroups> groups_;
    std::optional<AstraJob> job_;
};

}  // namespace dse::sim::replay
