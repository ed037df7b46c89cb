#include "frontend/lowering/device_partition.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::frontend {
namespace {

using Lists = std::vector<std::vector<std::int64_t>>;

/// Converts groups of replicas or partitions to groups of devices.
Lists to_devices(const Lists& groups, ir::GroupMode mode, const DeviceGrid& grid) {
    Lists result;
    switch (mode) {
        case ir::GroupMode::flattened_ids:
            return groups;
        case ir::GroupMode::cross_replica:
            for (std::int64_t partition = 0; partition < grid.partitions; ++partition) {
                for (const auto& group : groups) {
                    auto& devices = result.emplace_back();
                    for (const std::int64_t replica : group)
                        devices.push_back(replica * grid.partitions + partition);
                }
            }
            return result;
        case ir::GroupMode::cross_partition:
            for (std::int64_t replica = 0; replica < grid.replicas; ++replica) {
                for (const auto& group : groups) {
                    auto& devices = result.emplace_back();
                    for (const std::int64_t partition : group)
                        devices.push_back(replica * grid.partitions + partition);
                }
            }
            return result;
        case ir::GroupMode::cross_replica_and_partition:
            break;
    }
    for (const auto& group : groups) {
        auto& devices = result.emplace_back();
        for (const std::int64_t replica : group) {
            for (std::int64_t partition = 0; partition < grid.partitions; ++partition)
                devices.push_back(replica * grid.partitions + partition);
        }
    }
    return result;
}

/// Number of replicas, partitions or devices that the groups refer to.
std::int64_t members_of(ir::GroupMode mode, const DeviceGrid& grid) {
    switch (mode) {
        case ir::GroupMode::cross_partition:
            return grid.partitions;
        case ir::GroupMode::flattened_ids:
            return grid.devices();
        case ir::GroupMode::cross_replica:
        case ir::GroupMode::cross_replica_and_partition:
            break;
    }
    return grid.replicas;
}

Lists connected_by(const std::vector<std::pair<std::int64_t, std::int64_t>>& pairs, std::int64_t members) {
    std::vector<std::int64_t> leader(static_cast<std::size_t>(members));
    std::iota(leader.begin(), leader.end(), std::int64_t{0});
    const auto find = [&](std::int64_t member) {
        while (leader[static_cast<std::size_t>(member)] != member)
            member = leader[static_cast<std::size_t>(member)] =
                leader[static_cast<std::size_t>(leader[static_cast<std::size_t>(member)])];
        return member;
    };
    for (const auto& [source, target] : pairs) {
        if (std::min(source, target) < 0 || std::max(source, target) >= members)
            throw ModelError(
                fmt::format("a permutation from {} to {} among {} devices", source, target, members));
        const std::int64_t a = find(source);
        const std::int64_t b = find(target);
        leader[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    }
    Lists groups(static_cast<std::size_t>(members));
    for (std::int64_t member = 0; member < members; ++member)
        groups[static_cast<std::size_t>(find(member))].push_back(member);
    std::erase_if(groups, [](const auto& group) { return group.empty(); });
    return groups;
}

/// Adds the devices that are in no group, as groups of one.
DevicePartition complete(Lists groups, std::int64_t devices) {
    std::vector<char> named(static_cast<std::size_t>(devices), 0);
    for (const auto& group : groups) {
        for (const std::int64_t device : group) {
            if (device < 0 || device >= devices)
                throw ModelError(fmt::format("a group names device {} of {}", device, devices));
            if (named[static_cast<std::size_t>(device)]++ != 0)
                throw ModelError(fmt::format("device {} stands in two groups of one collective", device));
        }
    }
    for (std::int64_t device = 0; device < devices; ++device) {
        if (named[static_cast<std::size_t>(device)] == 0) groups.push_back({device});
    }
    return groups;
}

}  // namespace

DevicePartition partition_of(const ir::Communication& communication, const DeviceGrid& grid) {
    const std::int64_t members = members_of(communication.mode, grid);
    const Lists groups = communication.pairs.empty() ? communication.groups.members(members)
                                                     : connected_by(communication.pairs, members);
    return complete(to_devices(groups, communication.mode, grid), grid.devices());
}

}  // namespace dse::frontend
