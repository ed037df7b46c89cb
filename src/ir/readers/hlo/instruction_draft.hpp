#pragma once

#include <string_view>
#include <vector>

#include "dse/ir/program/program.hpp"
#include "dse/ir/program/program_builder.hpp"

namespace dse::ir::hlo {

/// An instruction while it is being read.
struct InstructionDraft {
    Opcode opcode{Opcode::unknown};
    Opcode wrapped{Opcode::unknown};  ///< for `dot-start`: dot
    NameId name{no_name};
    NameId label{no_name};
    std::uint32_t line{0};
    std::vector<ValueId> operands;
    std::vector<ComputationId> called;
    Attribute attribute;
    std::vector<Sharding> sharding;
    std::string_view backend_config;
    NameId composite{no_name};  ///< name of the operator that a `call` represents
    bool is_composite{false};
    bool global_ids{false};
    bool blocks{false};
};

/// Completes what depends on several attributes: what the numbers in groups identify, what a call represents,
/// custom calls that only state a sharding, the stated trip count, whether a collective blocks kernels.
void finish(InstructionDraft& draft, ProgramBuilder& builder);

}  // namespace dse::ir::hlo
