#pragma once

#include <cstdint>
#include <memory>

#include "dse/netsim/astra/events.hpp"
#include "sim/replay/astra_step.hpp"
#include "sim/replay/rank_classes.hpp"

namespace dse::sim::replay {

/// What to do where the order of the events of a tick could change a time, and the order in which they are
/// simulated is not ASTRA-sim's.
enum class Doubt : std::uint8_t { accept, stop };

/// Communication between the ranks of a replay. Ranks that move in step are one actor.
class AstraWires {
  public:
    using Action = netsim::AstraEvents::Action;

    AstraWires() = default;
    AstraWires(const AstraWires&) = delete;
    AstraWires& operator=(const AstraWires&) = delete;
    virtual ~AstraWires() = default;

    virtual netsim::AstraEvents& events() = 0;
    /// \param step  a send
    /// \param sent  called once the message has been sent
    virtual void send(const AstraStep& step, Action sent) = 0;
    virtual void receive(const AstraStep& step, Action received) = 0;
    /// An actor takes part in its group's next collective. \param done  called once its part has ended
    virtual void collective(std::size_t actor, const AstraStep& step, Action done) = 0;
    /// Whether it has stopped because of a doubt: nothing of what runs will end.
    [[nodiscard]] virtual bool has_stopped() const { return false; }
};

/// Simulates message by message, each rank separately.
std::unique_ptr<AstraWires> message_wires(const AstraJob& job);

/// Computes each collective as a whole once its last member has arrived: on a network without congestion
/// nothing else affects it, and no member ends before all have started. Messages are eager.
std::unique_ptr<AstraWires> solved_wires(const AstraJob& job, const RankClasses& classes, Doubt doubt);

}  // namespace dse::sim::replay
