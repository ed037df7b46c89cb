#pragma once

#include <cstdint>
#include <memory>

#include "dse/netsim/astra/events.hpp"
#include "sim/replay/astra_step.hpp"
#include "sim/replay/rank_classes.hpp"

namespace dse::sim::replay {

/// What lies between the ranks of a replay. Ranks that move in step are one actor.
class AstraWires {
  public:
    using Action = netsim::AstraEvents::Action;

    AstraWires() = default;
    AstraWires(const AstraWires&) = delete;
    AstraWires& operator=(const AstraWires&) = delete;
    virtual ~AstraWires() = default;

    virtual netsim::AstraEvents& events() = 0;
    /// \param step  of what `send` \param sent  once it is there
    virtual void send(const AstraStep& step, Action sent) = 0;
    virtual void receive(const AstraStep& step, Action received) = 0;
    /// An actor takes part in its group's next collective. \param done  once it has ended its part
    virtual void collective(std::size_t actor, const AstraStep& step, Action done) = 0;
};

/// Message by message, every rank for itself.
std::unique_ptr<AstraWires> message_wires(const AstraJob& job);

/// Collectives as a whole, once the last of their members has come: on the network without congestion
/// nothing else touches them, and nobody has ended one before all have begun it. Messages are eager.
std::unique_ptr<AstraWires> solved_wires(const AstraJob& job, const RankClasses& classes);

}  // namespace dse::sim::replay
