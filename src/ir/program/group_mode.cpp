#include "dse/ir/program/group_mode.hpp"

#include <algorithm>
#include <cstdint>

#include "dse/ir/program/opcode_traits.hpp"

namespace dse::ir {
namespace {

/// The largest number in the groups or pairs; -1 if there are none.
std::int64_t last_number(const Communication& communication) {
    std::int64_t last = communication.groups.last_device();
    for (const auto& [source, target] : communication.pairs) last = std::max({last, source, target});
    return last;
}

}  // namespace

GroupMode stated_group_mode(Opcode opcode, bool has_channel, bool global_ids) {
    if (!has_channel) return GroupMode::cross_replica;
    switch (traits(opcode).exchange) {
        case Exchange::all_to_all:
        case Exchange::permute:
        case Exchange::broadcast:
            return GroupMode::cross_partition;
        default:
            return global_ids ? GroupMode::flattened_ids : GroupMode::cross_replica_and_partition;
    }
}

GroupMode group_mode(const Program& program, const Communication& communication) {
    if (program.devices() == 1) return GroupMode::flattened_ids;
    if (communication.mode == GroupMode::flattened_ids) return communication.mode;
    const std::int64_t count =
        communication.mode == GroupMode::cross_partition ? program.partitions : program.replicas;
    return count == 1 && last_number(communication) >= count ? GroupMode::flattened_ids : communication.mode;
}

}  // namespace dse::ir
