#pragma once

#include <cstdint>

#include "dse/ir/program/program.hpp"

namespace dse::ir::hlo {

/// One more than the largest device number in any communication's groups and pairs; 1 where there are none.
std::int64_t devices_named(const Program& program);

/// Whether shapes are those of one device. XLA's partitioner leaves shardings on the entry's parameters and
/// result only; before it, they stand inside too, or (where nothing but the arguments has any) no
/// instruction communicates.
bool is_partitioned(const Program& program);

}  // namespace dse::ir::hlo
