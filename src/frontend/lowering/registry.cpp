#include "dse/frontend/lowering/program_pass.hpp"
#include "dse/ir/passes/blocking_collectives.hpp"
#include "dse/ir/passes/bucket_collectives.hpp"
#include "dse/ir/passes/collective_order.hpp"
#include "dse/ir/passes/collective_pipelining.hpp"
#include "dse/ir/passes/fusion.hpp"
#include "dse/ir/passes/recomputation.hpp"
#include "dse/ir/passes/reduce_scatter.hpp"

namespace dse::frontend {

using graph::CollectiveOrder;
using graph::CompilerPasses;
using graph::Fusion;

namespace {

ir::Program create_reduce_scatter(ir::Program program, const CompilerPasses& passes) {
    return passes.create_reduce_scatter ? ir::create_reduce_scatters(program) : program;
}

ir::Program collective_pipelining(ir::Program program, const CompilerPasses& passes) {
    return passes.collective_pipelining ? ir::pipeline_collectives(program) : program;
}

ir::Program recomputation(ir::Program program, const CompilerPasses& passes) {
    switch (passes.recomputation) {
        case graph::Recompute::none:
            break;
        case graph::Recompute::selective:
            return ir::recompute(program, ir::Recomputation::selective);
        case graph::Recompute::full:
            return ir::recompute(program, ir::Recomputation::full);
    }
    return program;
}

ir::Program collective_order(ir::Program program, const CompilerPasses& passes) {
    switch (passes.collective_order) {
        case CollectiveOrder::earliest:
            return ir::reorder_collectives(program, ir::as_many_as_there_are);
        case CollectiveOrder::ahead:
            return ir::reorder_collectives(program, passes.collectives_ahead);
        case CollectiveOrder::program:
            break;
    }
    return program;
}

ir::Program bucket_size(ir::Program program, const CompilerPasses& passes) {
    return passes.bucket_size > Bytes{} ? ir::bucket_collectives(program, passes.bucket_size) : program;
}

ir::Program fusion(ir::Program program, const CompilerPasses& passes) {
    switch (passes.fusion) {
        case Fusion::none:
            return program;
        case Fusion::elementwise:
            return ir::fuse(program, ir::FusionLevel::elementwise);
        case Fusion::automatic:
            if (ir::has_fusions(program)) return program;
            break;
        case Fusion::full:
            break;
    }
    return ir::fuse(program, ir::FusionLevel::full);
}

ir::Program overlap_collectives(ir::Program program, const CompilerPasses& passes) {
    return passes.overlap_collectives ? program : ir::block_collectives(std::move(program));
}

// The precision of kernels is set by lowering, not by a pass.
ir::Program fp32_products(ir::Program program, const CompilerPasses& /*passes*/) {
    return program;
}

}  // namespace

const FactoryTable<ProgramPass>& program_passes() {
    static const FactoryTable<ProgramPass> table(
        "pass",
        {
            {"create_reduce_scatter",
             "true | false: an all-reduce of which each device reads only its slice becomes a reduce-scatter",
             create_reduce_scatter},
            {"collective_pipelining",
             "true | false: loops gather for the next iteration and use reductions of the previous one",
             collective_pipelining},
            {"recomputation", "none | selective | full: what the backward pass recomputes", recomputation},
            {"collective_order",
             "program | earliest | ahead (by collectives_ahead): when collectives are issued",
             collective_order},
            {"bucket_size", "collectives of the same kind and group are combined, up to this size",
             bucket_size},
            {"fusion", "none | elementwise | full | auto: which operations form one kernel", fusion},
            {"overlap_collectives", "true | false: collectives run concurrently with kernels",
             overlap_collectives},
            {"fp32_products", "auto | tf32 | fp32: precision of products of 32-bit operands", fp32_products},
        });
    return table;
}

}  // namespace dse::frontend
