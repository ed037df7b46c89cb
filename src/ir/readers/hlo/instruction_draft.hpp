#pragma once

#include <string_view>
#include <vector>

#include "dse/ir/program/program.hpp"
#include "dse/ir/program/program_builder.hpp"

namespace dse::ir::hlo {

/// What is known of an instruction while it is read.
struct InstructionDraft {
    Opcode opcode{Opcode::unknown};
    Opcode wrapped{Opcode::unknown};  ///< of `dot-start`: dot
    NameId name{no_name};
    NameId label{no_name};
    std::uint32_t line{0};
    std::vector<ValueId> operands;
    std::vector<ComputationId> called;
    Attribute attribute;
    std::vector<Sharding> sharding;
    std::string_view backend_config;
    NameId composite{no_name};  ///< `call` that stands for an operator of this name
    bool is_composite{false};
    bool global_ids{false};
    bool blocks{false};
};

/// Draws the conclusions that need several attributes together: whom the numbers in groups mean, what a
/// call stands for, custom calls that only state a sharding, the stated trip count, whether a collective has
/// no kernels beside it.
void finish(InstructionDraft& draft, ProgramBuilder& builder);

}  // namespace dse::ir::hlo
