#include "dse/frontend/lowering/prepare.hpp"

#include <utility>

#include "dse/base/error.hpp"
#include "dse/ir/partition/partition.hpp"
#include "dse/ir/passes/fusion.hpp"
#include "dse/ir/passes/inline_calls.hpp"
#include "dse/ir/passes/reduce_scatter.hpp"

namespace dse::frontend {

using workload::CompilerPasses;
using workload::Fusion;

ir::Program for_one_device(ir::Program program) {
    return program.partitioned ? std::move(program) : ir::partitioned(program);
}

ir::Program with_passes(const ir::Program& program, const CompilerPasses& passes) {
    if (passes.collective_order != workload::CollectiveOrder::program)
        throw ModelError("collective_order: only program can be played");
    if (passes.bucket_size > Bytes{}) throw ModelError("bucket_size: only 0 B can be played");
    ir::Program result = ir::inline_calls(program);
    if (passes.create_reduce_scatter) result = ir::create_reduce_scatters(result);
    const bool as_it_is =
        passes.fusion == Fusion::none || (passes.fusion == Fusion::automatic && ir::has_fusions(result));
    if (as_it_is) return result;
    return ir::fuse(
        result, passes.fusion == Fusion::elementwise ? ir::FusionLevel::elementwise : ir::FusionLevel::full);
}

}  // namespace dse::frontend
