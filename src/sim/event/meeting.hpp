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
    std::uint64_t sequence{0};          ///< how many the members' communicator had before
    std::uint16_t group{0};             ///< axes of the communicator, and which of their ranks are in it
    graph::CollectiveKind kind{};
    Bytes size;
    std::vector<ActivityPtr> joined;  ///< that have been issued
    std::size_t ready{0};             ///< of these, that could start
    double start{0};                  ///< when the last of the ready ones could
};

/// Brings the members of collectives together: the n-th collective over some axes that a rank issues is the
/// n-th of every other member.
class MeetingPlace {
  public:
    explicit MeetingPlace(const graph::Graph& graph);

    /// The rank issues a collective.
    /// \throws ContractViolation naming the ranks when members disagree about what it is
    void join(const ActivityPtr& activity, const graph::Collective& collective);
    /// A member could start.
    /// \return whether this was the last one
    static bool arrive(Meeting& meeting, double time);
    /// The member that could start last, the first such one.
    static ActivityPtr latest(const Meeting& meeting);
    /// Forgets a collective that has started: the meeting is gone.
    void close(const Meeting& meeting);

  private:
    using Key = std::tuple<std::uint16_t, std::int64_t, std::uint64_t>;  // group, first member, sequence

    const graph::Graph* graph_;
    std::map<std::pair<std::uint16_t, std::int64_t>, std::uint64_t> issued_;  // by group and rank
    std::map<std::pair<std::uint16_t, std::int64_t>, std::int64_t> first_;    // member of the group, likewise
    std::map<Key, std::unique_ptr<Meeting>> open_;
};

}  // namespace dse::sim::event
