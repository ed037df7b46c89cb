#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "dse/graph/graph.hpp"
#include "sim/event/activity.hpp"

namespace dse::sim::event {

/// One collective: it starts on all members of its group when the last of them is ready.
struct Meeting {
    std::span<const std::int64_t> members;  ///< ranks, ascending
    std::uint64_t sequence{0};              ///< number of earlier collectives of the communicator
    std::uint32_t communicator{0};
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
    /// The member that could start last (the lowest rank if several).
    static const Activity& latest(const Meeting& meeting);
    /// Deletes the meeting of a collective that has started.
    void close(const Meeting& meeting);

  private:
    static constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();

    struct Communicator {
        std::vector<std::int64_t> members;
        std::uint64_t closed{0};  ///< number of collectives before the first one in `meetings`
        std::deque<std::unique_ptr<Meeting>> meetings;  ///< nullptr: it has started
    };
    /// A rank in its group over some axes.
    struct Seat {
        std::uint32_t communicator{nobody};
        std::uint32_t issued{0};  ///< number of its collectives
    };
    /// All groups over the same axes.
    struct Groups {
        std::uint16_t key{0};     ///< the axes, and which of their ranks are in it
        std::vector<Seat> seats;  ///< by rank
    };

    std::vector<Seat>& seats_of(const graph::Collective& collective);
    void take_seat(std::vector<Seat>& seats, std::int64_t rank, const graph::Collective& collective);
    Meeting& meeting(std::uint32_t communicator, std::uint64_t sequence, const graph::Collective& collective);

    const graph::Graph* graph_;
    std::vector<Groups> groups_;  ///< few
    std::deque<Communicator> communicators_;
};

}  // namespace dse::sim::event
