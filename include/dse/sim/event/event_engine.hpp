#pragma once

#include "dse/sim/engine.hpp"

namespace dse::sim::event {

/// Simulates every node of every rank: the independent reference. Where communication shares the network or
/// slows kernels down, an event queue keeps everything in chronological order. Collectives involve the actual
/// groups of the mesh; the cost grows with nodes × ranks, memory with ranks.
class EventEngine final : public Engine {
  public:
    using Engine::play;
    Result play(const graph::Graph& graph, const Durations& durations, Asked asked) override;
    MemoryPeak peak_memory(const graph::Graph& graph) override;
};

}  // namespace dse::sim::event
