#include "dse/frontend/lowering/prepare.hpp"

#include <utility>

#include "dse/frontend/lowering/program_pass.hpp"
#include "dse/ir/partition/partition.hpp"
#include "dse/ir/passes/inline_calls.hpp"
#include "dse/ir/passes/library_exchanges.hpp"

namespace dse::frontend {

using graph::CompilerPasses;

ir::Program for_one_device(ir::Program program) {
    return program.partitioned ? std::move(program) : ir::partitioned(program);
}

ir::Program with_passes(const ir::Program& program, const CompilerPasses& passes) {
    ir::Program result = ir::with_library_exchanges(ir::inline_calls(program));
    for (const auto& pass : program_passes().rows()) result = pass.make(std::move(result), passes);
    return result;
}

}  // namespace dse::frontend
