#pragma once

#include <span>
#include <vector>

#include "dse/netsim/astra/collective_ticks.hpp"
#include "dse/netsim/astra/player.hpp"

namespace dse::sim::replay {

/// Computes the ends of a collective on a network without congestion from the starts of its members: by
/// closed forms if they start together, by a recurrence for rings, otherwise message by message. Reuses its
/// memory.
class SolvedCollective {
  public:
    explicit SolvedCollective(const netsim::AstraSystem& system) : system_{system} {}

    /// Whether the ends of its members, as `ends` and `in_step` compute them, hold for any order of the
    /// events of a tick.
    bool is_certain(const netsim::AstraPlan& plan, const netsim::AstraStart& start);

    /// For members that are all alike and start together. \returns ticks from their start
    netsim::Ticks in_step(const netsim::AstraPlan& plan, netsim::AstraHops link);

    /// \param members  ranks in the order of the group, or of the ring that they form
    /// \param start    when they start, relative to the first of them
    std::vector<netsim::Ticks> ends(const netsim::AstraPlan& plan, std::span<const std::int64_t> members,
                                    const netsim::AstraStart& start);

    /// Ticks between the last message that a member receives and its end.
    [[nodiscard]] netsim::Ticks handling(const netsim::AstraPlan& plan) const;

  private:
    const netsim::AstraSystem& system_;
    netsim::AstraCollectiveTicks ticks_;
};

/// The ranks that run a plan of all ranks together with this one: those that differ from it only in the
/// plan's dimensions. The first of these dimensions varies fastest.
std::vector<std::int64_t> block_of(const netsim::AstraPlan& plan, std::int64_t rank);

}  // namespace dse::sim::replay
