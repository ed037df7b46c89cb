#include "dse/sim/event/meeting.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::sim::event {

namespace {

/// The ends of a pipeline have a communicator of their own.
std::uint8_t group_of(const workload::Collective& collective) {
    constexpr std::uint8_t ends = 1U << workload::mesh_axis_count;
    return collective.axes.bits() | (collective.members == workload::Members::ends ? ends : std::uint8_t{0});
}

}  // namespace

MeetingPlace::MeetingPlace(const workload::Graph& graph) : graph_{&graph} {}

void MeetingPlace::join(const ActivityPtr& activity, const workload::Collective& collective) {
    const workload::Mesh& mesh = graph_->mesh;
    if (mesh.degree(collective.axes) == 1) return;
    const std::uint8_t group = group_of(collective);
    const std::pair<std::uint8_t, std::int64_t> communicator{group, activity->rank};
    const std::uint64_t sequence = issued_[communicator]++;
    auto first = first_.find(communicator);
    if (first == first_.end()) {
        first = first_.emplace(communicator, mesh.group(collective.axes, activity->rank).front()).first;
    }
    std::unique_ptr<Meeting>& meeting = open_[{group, first->second, sequence}];
    if (!meeting) {
        meeting = std::make_unique<Meeting>();
        meeting->members = mesh.group(collective.axes, activity->rank);
        if (collective.members == workload::Members::ends)
            meeting->members = {meeting->members.front(), meeting->members.back()};
        meeting->sequence = sequence;
        meeting->group = group;
        meeting->kind = collective.kind;
        meeting->size = collective.size;
    }
    if (meeting->kind != collective.kind || meeting->size != collective.size) {
        throw ContractViolation(fmt::format(
            "ranks {} and {} disagree: collective {} of their group is {} of {} B for one, {} of {} B for "
            "the other",
            meeting->joined.front()->rank, activity->rank, sequence, workload::name(meeting->kind),
            meeting->size.value(), workload::name(collective.kind), collective.size.value()));
    }
    meeting->joined.push_back(activity);
    activity->meeting = meeting.get();
}

bool MeetingPlace::arrive(Meeting& meeting, double time) {
    meeting.start = std::max(meeting.start, time);
    return ++meeting.ready == meeting.members.size();
}

void MeetingPlace::close(const Meeting& meeting) {
    const Key key{meeting.group, meeting.members.front(), meeting.sequence};
    open_.erase(key);
}

}  // namespace dse::sim::event
