#pragma once

#include "dse/ir/program/opcode.hpp"
#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// What the numbers in a collective's groups identify, according to its text. Without a channel: replicas,
/// separately for each partition. With a channel: for all-to-alls, permutes and broadcasts partitions,
/// separately for each replica; for other collectives replicas with all their partitions, or devices if ids
/// are global.
/// \param global_ids  use_global_device_ids; ignored without a channel
/// Source: StableHLO specification, "Process grouping" of each collective; the same holds in HLO
GroupMode stated_group_mode(Opcode opcode, bool has_channel, bool global_ids);

/// What they identify in this program: as stated, unless they name several replicas or partitions of which
/// the program has only one. The text then lacks that count, and the numbers identify devices.
/// \pre communication belongs to an operation of this program
/// Source: XLA's verifier, which takes an unset count as 1 and checks groups against the others
GroupMode group_mode(const Program& program, const Communication& communication);

}  // namespace dse::ir
