#pragma once

#include <cstdint>
#include <vector>

#include "dse/sim/replay/astra_replay.hpp"

namespace dse::sim::replay {

/// Classes of ranks that do the same work at the same time, so that one of them represents all.
///
/// The ranks of a class have the same trace up to the names of their peers, and the groups and peers that
/// these names refer to are alike as well: of the same classes, at the same distance. A group whose members
/// are all of one class keeps them in step if its collectives treat all members alike; in any other group
/// each position is a class of its own. It is the coarsest such partition: classes are split until no more
/// differences are found.
///
/// Valid only on a network without congestion and if remote memory is not shared.
class RankClasses {
  public:
    /// With `none`, every rank is a class of its own.
    enum class Fold : std::uint8_t { none, equal_ranks };
    RankClasses(const AstraJob& job, Fold fold);

    [[nodiscard]] std::size_t size() const { return representatives_.size(); }
    [[nodiscard]] std::size_t of(std::int64_t rank) const {
        return class_of_[static_cast<std::size_t>(rank)];
    }
    /// Lowest rank of a class. Classes are numbered in the order of these.
    [[nodiscard]] std::int64_t representative(std::size_t number) const { return representatives_[number]; }

    /// Class of a group: groups that are alike have the same. \param group  index into AstraGroups::groups()
    [[nodiscard]] std::size_t group_class(std::size_t group) const { return group_class_[group]; }
    /// Whether the members of a group are all of one class and stay in step.
    [[nodiscard]] bool moves_in_step(std::size_t group) const { return in_step_[group]; }

    /// The common form of a message for all ranks of the classes of its two ends: to the representative of
    /// the receiving class, from that rank's own peer. Unchanged if no rank receives it.
    [[nodiscard]] netsim::AstraMessage common(const AstraJob& job, const netsim::AstraMessage& message) const;

  private:
    std::vector<std::size_t> class_of_;
    std::vector<std::int64_t> representatives_;
    std::vector<std::size_t> group_class_;
    std::vector<bool> in_step_;
};

}  // namespace dse::sim::replay
