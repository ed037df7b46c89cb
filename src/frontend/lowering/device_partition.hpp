#pragma once

#include <cstdint>
#include <vector>

#include "dse/ir/program/attributes.hpp"
#include "dse/ir/program/opcode.hpp"

namespace dse::frontend {

/// Which devices meet: every device in one list, devices that meet nobody alone in one of their own.
using DevicePartition = std::vector<std::vector<std::int64_t>>;

/// Devices of a program, numbered replica × partitions + partition.
struct DeviceGrid {
    std::int64_t replicas{1};
    std::int64_t partitions{1};
    [[nodiscard]] std::int64_t devices() const { return replicas * partitions; }
    friend bool operator==(const DeviceGrid&, const DeviceGrid&) = default;
};

/// Who meets in a communication, in numbers of devices.
///
/// Of a permutation with source and target pairs: those that pairs connect, directly or through others.
/// \throws ModelError where a group names a device that does not exist, or one twice
/// Source: StableHLO specification, "Process grouping"
DevicePartition partition_of(const ir::Communication& communication, const DeviceGrid& grid);

}  // namespace dse::frontend
