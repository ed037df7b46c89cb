#pragma once

#include <cstdint>

#include "dse/ir/program/program.hpp"

namespace dse::ir::hlo {

/// The largest device number in the groups and pairs of any communication, plus one; 1 if there are none.
std::int64_t devices_named(const Program& program);

/// Whether shapes are those of one device. XLA's partitioner leaves shardings only on the entry's parameters
/// and result. Before partitioning, they also occur elsewhere, or (if only the arguments have any) no
/// instruction communicates.
bool is_partitioned(const Program& program);

}  // namespace dse::ir::hlo
