#include "dse/frontend/lowering/prepare.hpp"

#include <utility>

#include "dse/ir/partition/partition.hpp"
#include "dse/ir/passes/bucket_collectives.hpp"
#include "dse/ir/passes/collective_order.hpp"
#include "dse/ir/passes/fusion.hpp"
#include "dse/ir/passes/inline_calls.hpp"
#include "dse/ir/passes/reduce_scatter.hpp"

namespace dse::frontend {

using workload::CollectiveOrder;
using workload::CompilerPasses;
using workload::Fusion;

ir::Program for_one_device(ir::Program program) {
    return program.partitioned ? std::move(program) : ir::partitioned(program);
}

ir::Program with_passes(const ir::Program& program, const CompilerPasses& passes) {
    ir::Program result = ir::inline_calls(program);
    if (passes.create_reduce_scatter) result = ir::create_reduce_scatters(result);
    if (passes.collective_order == CollectiveOrder::earliest)
        result = ir::reorder_collectives(result, ir::as_many_as_there_are);
    if (passes.collective_order == CollectiveOrder::ahead)
        result = ir::reorder_collectives(result, passes.collectives_ahead);
    if (passes.bucket_size > Bytes{}) result = ir::bucket_collectives(result, passes.bucket_size);
    const bool as_it_is =
        passes.fusion == Fusion::none || (passes.fusion == Fusion::automatic && ir::has_fusions(result));
    if (as_it_is) return result;
    return ir::fuse(
        result, passes.fusion == Fusion::elementwise ? ir::FusionLevel::elementwise : ir::FusionLevel::full);
}

}  // namespace dse::frontend
