#include "ir/program/group_size.hpp"

#include "dse/ir/program/group_mode.hpp"

namespace dse::ir {

std::int64_t group_size(const Program& program, const Communication& communication) {
    if (communication.group_size > 0) return communication.group_size;
    const GroupMode mode = group_mode(program, communication);
    std::int64_t everybody = program.devices();
    if (mode == GroupMode::cross_replica) everybody = program.replicas;
    if (mode == GroupMode::cross_partition) everybody = program.partitions;
    const bool whole_replicas = mode == GroupMode::cross_replica_and_partition;
    if (whole_replicas && !communication.groups.everybody())
        return communication.groups.size(program.replicas) * program.partitions;
    return communication.groups.size(everybody);
}

}  // namespace dse::ir
