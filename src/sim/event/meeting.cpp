#include "sim/event/meeting.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "dse/base/check.hpp"
#include "dse/base/error.hpp"

namespace dse::sim::event {

namespace {

/// A subset of a group's ranks has its own communicator.
std::uint16_t key_of(const graph::Collective& collective) {
    const auto members = static_cast<unsigned>(collective.members);
    return static_cast<std::uint16_t>(members << graph::mesh_axis_count | collective.axes.bits());
}

struct Asker {
    std::int64_t rank{0};
    graph::CollectiveKind kind{};
    Bytes size;
};

[[noreturn]] void refuse(Asker one, Asker other, std::uint64_t sequence) {
    if (other.rank < one.rank) std::swap(one, other);
    throw ContractViolation(fmt::format(
        "ranks {} and {} disagree: collective {} of their group is {} of {} B for one, {} of {} B for "
        "the other",
        one.rank, other.rank, sequence, graph::name(one.kind), one.size.value(), graph::name(other.kind),
        other.size.value()));
}

}  // namespace

MeetingPlace::MeetingPlace(const graph::Graph& graph) : graph_{&graph} {}

std::vector<MeetingPlace::Seat>& MeetingPlace::seats_of(const graph::Collective& collective) {
    const std::uint16_t key = key_of(collective);
    for (Groups& groups : groups_) {
        if (groups.key == key) return groups.seats;
    }
    groups_.push_back({key, std::vector<Seat>(static_cast<std::size_t>(graph_->mesh.ranks()))});
    return groups_.back().seats;
}

void MeetingPlace::take_seat(std::vector<Seat>& seats, std::int64_t rank,
                             const graph::Collective& collective) {
    Communicator made{graph::members_of(collective.axes, collective.members, graph_->mesh, rank), 0, {}};
    const auto seat = [&seats](std::int64_t member) -> std::uint32_t& {
        return seats[static_cast<std::size_t>(member)].communicator;
    };
    std::uint32_t& first = seat(made.members.front());
    if (first == nobody) {
        first = static_cast<std::uint32_t>(communicators_.size());
        for (const std::int64_t member : made.members) seat(member) = first;
        communicators_.push_back(std::move(made));
    }
    DSE_REQUIRE(seat(rank) == first);
}

Meeting& MeetingPlace::meeting(std::uint32_t communicator, std::uint64_t sequence,
                               const graph::Collective& collective) {
    Communicator& of = communicators_[communicator];
    const std::uint64_t place = sequence - of.closed;
    while (of.meetings.size() <= place) {
        auto made = std::make_unique<Meeting>();
        made->members = of.members;
        made->sequence = of.closed + of.meetings.size();
        made->communicator = communicator;
        made->kind = collective.kind;
        made->size = collective.size;
        made->joined.reserve(of.members.size());
        of.meetings.push_back(std::move(made));
    }
    return *of.meetings[place];
}

void MeetingPlace::join(const ActivityPtr& activity, const graph::Collective& collective) {
    if (graph_->mesh.degree(collective.axes) == 1) return;
    std::vector<Seat>& seats = seats_of(collective);
    Seat& seat = seats[static_cast<std::size_t>(activity->rank)];
    if (seat.communicator == nobody) take_seat(seats, activity->rank, collective);
    Meeting& meeting = this->meeting(seat.communicator, seat.issued++, collective);
    if (meeting.kind != collective.kind || meeting.size != collective.size) {
        refuse({meeting.joined.front()->rank, meeting.kind, meeting.size},
               {activity->rank, collective.kind, collective.size}, meeting.sequence);
    }
    meeting.joined.push_back(activity);
    activity->meeting = &meeting;
}

bool MeetingPlace::arrive(Meeting& meeting, double time) {
    meeting.start = std::max(meeting.start, time);
    return ++meeting.ready == meeting.members.size();
}

const Activity& MeetingPlace::latest(const Meeting& meeting) {
    return **std::max_element(
        meeting.joined.begin(), meeting.joined.end(), [](const ActivityPtr& a, const ActivityPtr& b) {
            return a->last_time != b->last_time ? a->last_time < b->last_time : a->rank > b->rank;
        });
}

void MeetingPlace::close(const Meeting& meeting) {
    Communicator& of = communicators_[meeting.communicator];
    of.meetings[meeting.sequence - of.closed] = nullptr;
    while (!of.meetings.empty() && of.meetings.front() == nullptr) {
        of.meetings.pop_front();
        ++of.closed;
    }
}

}  // namespace dse::sim::event
