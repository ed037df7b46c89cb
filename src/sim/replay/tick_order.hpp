#pragma once

#include <cstdint>

#include "dse/netsim/astra/system.hpp"

namespace dse::sim::replay {

/// Notices ends of one rank in one tick whose order decides what the rank starts next.
///
/// Which of two such ends comes first depends on the events of other ranks, and only a simulation of every
/// message tells. It makes no difference as long as no two of them meet in a lane: free it, or make one of
/// its nodes ready. Each then starts the same node, in the same tick, whether it comes first or last. Ends
/// that follow from one another in a tick have only one order.
class TickOrder {
  public:
    using Lanes = std::uint32_t;  ///< one bit for each

    /// An end, and what it changes.
    struct End {
        netsim::Ticks tick{0};
        bool follows{false};  ///< the node has started since the last end
        bool waiting{false};  ///< nodes that became ready in a pass wait for this end: the next one
        Lanes freed{0};
        Lanes ready{0};  ///< lanes of nodes that became ready
        Lanes joint{0};  ///< lanes of those that had waited for several nodes
    };

    /// \returns whether the order of this end and earlier ones of its tick could matter
    bool matters(const End& end);

    /// A node has ended as it started: what depends on it waits for the next end.
    void passed(netsim::Ticks tick) {
        begin(tick);
        instant_ = true;
    }

  private:
    void begin(netsim::Ticks tick) {
        if (tick == tick_) return;
        tick_ = tick;
        count_ = 0;
        touched_ = 0;
        instant_ = false;
    }

    netsim::Ticks tick_{-1};
    std::uint32_t count_{0};  ///< ends of this tick
    Lanes touched_{0};        ///< by them
    bool instant_{false};     ///< what a pass of this tick starts may depend on how many came before
};

}  // namespace dse::sim::replay
