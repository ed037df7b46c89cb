#pragma once

#include "dse/ir/program/opcode.hpp"
#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// Whom the numbers in the groups of a collective mean by what its text says: with no channel replicas, each
/// partition for itself. With one, of all-to-alls, permutes and broadcasts partitions, each replica for
/// itself; of others replicas with all their partitions, or devices where ids are global.
/// \param global_ids  use_global_device_ids; without a channel it says nothing
/// Source: StableHLO specification, "Process grouping" of each collective; the same holds in HLO
GroupMode stated_group_mode(Opcode opcode, bool has_channel, bool global_ids);

/// Whom they mean in this program: as stated, unless they name more than one of what the program says that
/// there is one of. Replicas or partitions are then not counted in the text, and the numbers are those of
/// devices. \pre communication is of an operation of this program
/// Source: XLA's verifier, which takes a count of 1 for one that is not set, and holds groups against others
GroupMode group_mode(const Program& program, const Communication& communication);

}  // namespace dse::ir
