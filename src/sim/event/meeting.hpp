#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "dse/graph/graph.hpp"
#include "sim/event/activity.hpp"

namespace dse::sim::event {

/// One collective: it starts on all members of its group when the last of them is ready.
struct Meeting {
    std::vector<std::int64_t> members;  ///< ranks, ascending
    std::uint64_t sequence{0};          ///< number of earlier collectives of the communicator
    std::uint16_t group{0};             ///< the communicator: its axes, and which of their ranks are in it
    graph::CollectiveKind kind{};
    Bytes size;
    std::vector<ActivityPtr> joined;  ///< activities that have been issued
    std::size_t ready{0};             ///< number of these that could start
    double start{0};                  ///< when the last of these could start
};

/// Matches the members of collectives: the n-th collective that a rank issues over some axes is the n-th of
/// every other member.
class MeetingPlace {
  public:
    explicit MeetingPlace(const graph::Graph& graph);

    /// Called when a rank issues a collective.
    /// \throws ContractViolation naming the ranks if members disagree about kind or size
    void join(const ActivityPtr& activity, const graph::Collective& collective);
    /// Called when a member could start.
    /// \return whether it is the last one
    static bool arrive(Meeting& meeting, double time);
    /// The member that could start last (the first one if several).
    static ActivityPtr latest(const Meeting& meeting);
    /// Deletes the meeting of a collective that has started.
    void close(const Meeting& meeting);

  private:
    using Key = std::tuple<std::uint16_t, std::int64_t, std::uint64_t>;  // group, first member, sequence

    const graph::Graph* graph_;
    std::map<std::pair<std::uint16_t, std::int64_t>, std::uint64_t> issued_;  // by group and rank
    std::map<std::pair<std::uint16_t, std::int64_t>, std::int64_t>
        first_;  // first member of the group, by group and rank
    std::map<Key, std::unique_ptr<Meeting>> open_;
};

}  // namespace dse::sim::event
