#pragma once

#include <span>
#include <vector>

#include "dse/netsim/astra/collective_ticks.hpp"
#include "dse/netsim/astra/player.hpp"

namespace dse::sim::replay {

/// The ends of one collective on the network without congestion, from when its members begin: by closed forms
/// where they begin together, by its recurrence where it is a ring, else message by message. Keeps its
/// memory.
class SolvedCollective {
  public:
    explicit SolvedCollective(const netsim::AstraSystem& system) : system_{system} {}

    /// Of members that are all alike and begin together. \returns ticks after that
    netsim::Ticks in_step(const netsim::AstraPlan& plan, netsim::AstraHops link);

    /// \param members  ranks in the order of the group, or of the ring that they are
    /// \param start    when they begin, the first of them at 0
    std::vector<netsim::Ticks> ends(const netsim::AstraPlan& plan, std::span<const std::int64_t> members,
                                    const netsim::AstraStart& start);

    /// Ticks between the last message that a member gets and its end.
    [[nodiscard]] netsim::Ticks handling(const netsim::AstraPlan& plan) const;

  private:
    const netsim::AstraSystem& system_;
    netsim::AstraCollectiveTicks ticks_;
};

/// The ranks that a plan of all ranks brings together with this one: those that differ from it in the plan's
/// dimensions only, along the first of them first.
std::vector<std::int64_t> block_of(const netsim::AstraPlan& plan, std::int64_t rank);

}  // namespace dse::sim::replay
