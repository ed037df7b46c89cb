#pragma once

#include <cstdint>
#include <vector>

#include "dse/ir/program/attributes.hpp"
#include "dse/ir/program/opcode.hpp"

namespace dse::frontend {

/// Groups of devices that communicate: each device is in exactly one group; devices that do not communicate
/// form groups of one.
using DevicePartition = std::vector<std::vector<std::int64_t>>;

/// The devices of a program, numbered replica × partitions + partition.
struct DeviceGrid {
    std::int64_t replicas{1};
    std::int64_t partitions{1};
    [[nodiscard]] std::int64_t devices() const { return replicas * partitions; }
    friend bool operator==(const DeviceGrid&, const DeviceGrid&) = default;
};

/// The groups of a communication, as device numbers.
///
/// For a permutation with source-target pairs: the connected components of the pairs.
/// \throws ModelError if a group contains a device that does not exist, or a device occurs twice
/// Source: StableHLO specification, "Process grouping"
DevicePartition partition_of(const ir::Communication& communication, const DeviceGrid& grid);

}  // namespace dse::frontend
