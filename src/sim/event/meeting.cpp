#include "sim/event/meeting.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::sim::event {

namespace {

/// A subset of a group's ranks has its own communicator.
std::uint16_t group_of(const graph::Collective& collective) {
    const auto members = static_cast<unsigned>(collective.members);
    return static_cast<std::uint16_t>(members << graph::mesh_axis_count | collective.axes.bits());
}

}  // namespace

MeetingPlace::MeetingPlace(const graph::Graph& graph) : graph_{&graph} {}

void MeetingPlace::join(const ActivityPtr& activity, const graph::Collective& collective) {
    const graph::Mesh& mesh = graph_->mesh;
    if (mesh.degree(collective.axes) == 1) return;
    const std::uint16_t group = group_of(collective);
    const std::pair<std::uint16_t, std::int64_t> communicator{group, activity->rank};
    const std::uint64_t sequence = issued_[communicator]++;
    const auto members = [&] {
        return graph::members_of(collective.axes, collective.members, mesh, activity->rank);
    };
    auto first = first_.find(communicator);
    if (first == first_.end()) {
        first = first_.emplace(communicator, members().front()).first;
    }
    std::unique_ptr<Meeting>& meeting = open_[{group, first->second, sequence}];
    if (!meeting) {
        meeting = std::make_unique<Meeting>();
        meeting->members = members();
        meeting->sequence = sequence;
        meeting->group = group;
        meeting->kind = collective.kind;
        meeting->size = collective.size;
    }
    if (meeting->kind != collective.kind || meeting->size != collective.size) {
        throw ContractViolation(fmt::format(
            "ranks {} and {} disagree: collective {} of their group is {} of {} B for one, {} of {} B for "
            "the other",
            meeting->joined.front()->rank, activity->rank, sequence, graph::name(meeting->kind),
            meeting->size.value(), graph::name(collective.kind), collective.size.value()));
    }
    meeting->joined.push_back(activity);
    activity->meeting = meeting.get();
}

bool MeetingPlace::arrive(Meeting& meeting, double time) {
    meeting.start = std::max(meeting.start, time);
    return ++meeting.ready == meeting.members.size();
}

ActivityPtr MeetingPlace::latest(const Meeting& meeting) {
    return *std::max_element(
        meeting.joined.begin(), meeting.joined.end(),
        [](const ActivityPtr& a, const ActivityPtr& b) { return a->last_time < b->last_time; });
}

void MeetingPlace::close(const Meeting& meeting) {
    const Key key{meeting.group, meeting.members.front(), meeting.sequence};
    open_.erase(key);
}

}  // namespace dse::sim::event
