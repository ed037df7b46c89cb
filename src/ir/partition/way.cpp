#include "ir/partition/way.hpp"

namespace dse::ir::partition {

bool use_free_axes(std::vector<Axes>& shards, const Axes& group, const Axes& mesh) {
    Axes free = mesh;
    for (const Axes& axes : shards) free = without(free, axes);
    if (free.empty() || parts_of(free) % parts_of(group) != 0) return false;
    free = without(free, group);
    for (Axes& axes : shards) {
        if (within(axes, group).empty()) continue;
        const auto other = taken_from(free, parts_of(axes));
        axes = other ? *other : Axes{};
    }
    return true;
}

}  // namespace dse::ir::partition
