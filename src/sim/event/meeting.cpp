#include "dse/sim/event/meeting.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::sim::event {

MeetingPlace::MeetingPlace(const workload::Graph& graph) : graph_{&graph} {}

void MeetingPlace::join(const ActivityPtr& activity, const workload::Collective& collective) {
    const workload::Mesh& mesh = graph_->mesh;
    if (mesh.degree(collective.axes) == 1) return;
    const std::pair<std::uint8_t, std::int64_t> communicator{collective.axes.bits(), activity->rank};
    const std::uint64_t sequence = issued_[communicator]++;
    auto first = first_.find(communicator);
    if (first == first_.end()) {
        first = first_.emplace(communicator, mesh.group(collective.axes, activity->rank).front()).first;
    }
    std::unique_ptr<Meeting>& meeting = open_[{collective.axes.bits(), first->second, sequence}];
    if (!meeting) {
        meeting = std::make_unique<Meeting>();
        meeting->members = mesh.group(collective.axes, activity->rank);
        meeting->sequence = sequence;
        meeting->axes = collective.axes;
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
    const Key key{meeting.axes.bits(), meeting.members.front(), meeting.sequence};
    open_.erase(key);
}

}  // namespace dse::sim::event
