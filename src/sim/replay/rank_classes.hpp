#pragma once

#include <cstdint>
#include <vector>

#include "dse/sim/replay/astra_replay.hpp"

namespace dse::sim::replay {

/// Ranks that do the same at the same time, so that one of them stands for all.
///
/// They have the same trace up to the names of their peers; the groups and the peers that these names stand
/// for are alike in turn: of the same classes, equally far. A group whose members are all of one class keeps
/// them in step where its collectives treat all members alike; in any other group each position is a class of
/// its own. The coarsest such partition: classes that must differ are split until none is left.
///
/// Holds on a network without congestion only, and where remote memory is not shared.
class RankClasses {
  public:
    /// \param fold  false: every rank is a class of its own
    enum class Fold : std::uint8_t { none, equal_ranks };
    RankClasses(const AstraJob& job, Fold fold);

    [[nodiscard]] std::size_t size() const { return representatives_.size(); }
    [[nodiscard]] std::size_t of(std::int64_t rank) const {
        return class_of_[static_cast<std::size_t>(rank)];
    }
    /// The lowest rank of a class. Classes are numbered in this order.
    [[nodiscard]] std::int64_t representative(std::size_t number) const { return representatives_[number]; }

    /// Groups that are alike have the same number. \param group  index into AstraGroups::groups()
    [[nodiscard]] std::size_t group_class(std::size_t group) const { return group_class_[group]; }
    /// Whether the members of a group are all of one class and stay in step.
    [[nodiscard]] bool moves_in_step(std::size_t group) const { return in_step_[group]; }

    /// A message as all ranks of the classes of its ends name it: of the receiving class's representative,
    /// from that one's own peer. As it is where nobody receives it.
    [[nodiscard]] netsim::AstraMessage common(const AstraJob& job, const netsim::AstraMessage& message) const;

  private:
    std::vector<std::size_t> class_of_;
    std::vector<std::int64_t> representatives_;
    std::vector<std::size_t> group_class_;
    std::vector<bool> in_step_;
};

}  // namespace dse::sim::replay
