#include "program_groups.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "frontend/lowering/collective_call.hpp"

namespace dse::frontend {
namespace {

/// The properties that determine the groups of a collective.
struct Meeting {
    const ir::Communication* stated{nullptr};  ///< null: not stated
    bool is_permutation{false};

    friend bool operator==(const Meeting& a, const Meeting& b) {
        if (a.is_permutation != b.is_permutation) return false;
        if (a.stated == nullptr || b.stated == nullptr) return a.stated == b.stated;
        return a.stated->mode == b.stated->mode && a.stated->group_size == b.stated->group_size &&
               a.stated->groups == b.stated->groups && a.stated->pairs == b.stated->pairs;
    }
};

/// Index of a value in a list; appends it if it is not in the list.
template <class T>
std::size_t place_in(std::vector<T>& list, T value) {
    const auto found = std::find(list.begin(), list.end(), value);
    const auto place = static_cast<std::size_t>(found - list.begin());
    if (found == list.end()) list.push_back(std::move(value));
    return place;
}

}  // namespace

ProgramGroups::ProgramGroups(const ir::Program& program) {
    const DeviceGrid grid = grid_of(program);
    std::map<ir::AttributeId, std::size_t> meeting_by_attribute;
    std::vector<Meeting> meetings;
    std::vector<std::size_t> partition_by_meeting;
    std::vector<DevicePartition> partitions;
    for (const ir::Computation& computation : program.computations) {
        for (const ir::Operation& operation : computation.operations) {
            const auto call = collective_call(program, operation);
            if (!call) continue;
            const Meeting meeting{program.attribute_if<ir::Communication>(operation),
                                  call->kind == graph::CollectiveKind::ring_shift};
            const std::size_t place = place_in(meetings, meeting);
            meeting_by_attribute[operation.attribute] = place;
            if (place == partition_by_meeting.size())
                partition_by_meeting.push_back(place_in(partitions, partition_of(program, operation, grid)));
        }
    }
    mesh_.emplace(partitions, grid.devices());
    if (gathers_parameters(program)) mesh_->assign(graph::MeshAxis::data);
    std::vector<graph::AxisSet> axes;
    for (const DevicePartition& partition : partitions) axes.push_back(mesh_->axes_of(partition));
    for (const auto& [attribute, meeting] : meeting_by_attribute)
        axes_[attribute] = axes[partition_by_meeting[meeting]];
}

graph::AxisSet ProgramGroups::axes_of(const ir::Operation& operation) const {
    return axes_.at(operation.attribute);
}

}  // namespace dse::frontend
