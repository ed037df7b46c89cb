#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "dse/config/field_index.hpp"
#include "dse/config/library.hpp"
#include "dse/frontend/lowering/prepare.hpp"
#include "dse/frontend/lowering/program_pass.hpp"
#include "dse/ir/program/cost/program_cost.hpp"
#include "dse/ir/readers/hlo/read_hlo.hpp"
#include "dse/ir/readers/read_program.hpp"
#include "support/source_dir.hpp"

namespace dse::frontend {
namespace {

using graph::CollectiveOrder;
using graph::CompilerPasses;
using graph::Fusion;

// Two gathers of which the second one could go first, a sum of which each device takes its half, and two
// element-wise operations behind one another.
constexpr const char* text = R"(HloModule step, num_partitions=2, replica_count=1
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
ENTRY main {
  x = f32[64,128] parameter(0)
  u = f32[64,128] parameter(1)
  w = f32[64,128] parameter(2)
  gu = f32[128,128] all-gather(u), replica_groups={{0,1}}, dimensions={0}, channel_id=1, use_global_device_ids=true
  y = f32[64,128] dot(x, gu), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  e = f32[64,128] exponential(y)
  n = f32[64,128] negate(e)
  gw = f32[128,128] all-gather(w), replica_groups={{0,1}}, dimensions={0}, channel_id=2, use_global_device_ids=true
  z = f32[64,128] dot(n, gw), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  r = f32[64,128] all-reduce(z), replica_groups={{0,1}}, channel_id=3, use_global_device_ids=true, to_apply=add
  i = u32[] partition-id()
  h = u32[] constant(32)
  o = u32[] multiply(i, h)
  k = u32[] constant(0)
  ROOT d = f32[32,128] dynamic-slice(r, o, k), dynamic_slice_sizes={32,128}
}
)";

ir::Program step() {
    return ir::read_hlo(ir::Source::text(text, "step.hlo"));
}

CompilerPasses nothing() {
    CompilerPasses passes;
    passes.fusion = Fusion::none;
    passes.create_reduce_scatter = false;
    return passes;
}

/// The entry's operations by name, in order.
std::vector<std::string> operations(const ir::Program& program) {
    std::vector<std::string> result;
    for (const ir::Operation& operation : program[program.entry].operations)
        result.emplace_back(name(operation.opcode));
    return result;
}

struct Choice {
    const char* pass;
    CompilerPasses passes;
};

std::vector<Choice> choices() {
    std::vector<Choice> result;
    const auto add = [&result](const char* pass, auto&& set) {
        CompilerPasses passes = nothing();
        set(passes);
        result.push_back({pass, passes});
    };
    add("create_reduce_scatter", [](CompilerPasses& p) { p.create_reduce_scatter = true; });
    add("collective_order", [](CompilerPasses& p) { p.collective_order = CollectiveOrder::earliest; });
    add("collective_order", [](CompilerPasses& p) { p.collective_order = CollectiveOrder::ahead; });
    add("fusion", [](CompilerPasses& p) { p.fusion = Fusion::elementwise; });
    add("fusion", [](CompilerPasses& p) { p.fusion = Fusion::full; });
    add("fusion", [](CompilerPasses& p) { p.fusion = Fusion::automatic; });
    return result;
}

TEST(ProgramPasses, AreFieldsOfASweep) {
    const config::Library library({});
    CompilerPasses passes;
    config::FieldIndex fields{library};
    fields.add("", passes);
    for (const auto& row : program_passes().rows()) {
        const auto is_named = [&row](const config::FieldRef& field) { return field.info().path == row.name; };
        EXPECT_TRUE(std::any_of(fields.fields().begin(), fields.fields().end(), is_named)) << row.name;
    }
}

TEST(ProgramPasses, EachDoesWhatItsFieldSaysAndKeepsTheProducts) {
    const ir::Program before = step();
    const double flops = ir::program_cost(before).by_trips.dot;
    EXPECT_EQ(flops, 2 * 2.0 * 64 * 128 * 128);
    for (const Choice& choice : choices()) {
        const ir::Program after = program_passes().find(choice.pass)(before, choice.passes);
        ir::validate(after);
        EXPECT_NE(operations(after), operations(before)) << choice.pass;
        EXPECT_EQ(ir::program_cost(after).by_trips.dot, flops) << choice.pass;
    }
}

TEST(ProgramPasses, CollectivesBlockWhereNothingMayRunBesideThem) {
    CompilerPasses passes = nothing();
    passes.overlap_collectives = false;
    const ir::Program after = program_passes().find("overlap_collectives")(step(), passes);
    int blocking = 0;
    for (const ir::Operation& operation : after[after.entry].operations) blocking += operation.blocks ? 1 : 0;
    EXPECT_EQ(blocking, 3);
}

TEST(ProgramPasses, LeaveAProgramWhereNothingIsAsked) {
    const ir::Program before = step();
    for (const auto& row : program_passes().rows())
        EXPECT_EQ(operations(row.make(before, nothing())), operations(before)) << row.name;
}

// A loop over 32 layers: the first forward gathers stand in front of it, its last iteration behind it.
TEST(ProgramPasses, PipelineLoops) {
    const ir::Program before = ir::read_program(
        ir::Source::file(DSE_SOURCE_DIR "/workloads/captures/jax/llama3_8b_fsdp8.after_spmd.hlo.gz"));
    CompilerPasses passes = nothing();
    passes.collective_pipelining = true;
    const ir::Program after = with_passes(before, passes);
    std::vector<std::int64_t> trips;
    for (const ir::Operation& operation : after[after.entry].operations) {
        if (const auto* loop = after.attribute_if<ir::Loop>(operation)) trips.push_back(*loop->trip_count);
    }
    // Backward: the first iteration as well, whose gradients nothing has reduced before.
    EXPECT_EQ(trips, (std::vector<std::int64_t>{31, 30}));
    EXPECT_EQ(ir::program_cost(after).by_trips.dot, ir::program_cost(before).by_trips.dot);
}

TEST(ProgramPasses, Recompute) {
    const ir::Program before =
        ir::read_program(ir::Source::file(DSE_SOURCE_DIR "/workloads/captures/torch/llama3_8b_tp8.fx.gz"));
    const double dot = ir::program_cost(before).by_trips.dot;
    for (const graph::Recompute what : {graph::Recompute::selective, graph::Recompute::full}) {
        CompilerPasses passes = nothing();
        passes.recomputation = what;
        const ir::Program after = with_passes(before, passes);
        const auto& operations = after[after.entry].operations;
        EXPECT_TRUE(std::any_of(operations.begin(), operations.end(),
                                [](const ir::Operation& operation) { return operation.repeats; }));
        const ir::Cost cost = ir::program_cost(after).by_trips;
        EXPECT_EQ(cost.dot - cost.surplus, dot);
        EXPECT_EQ(cost.surplus > 0.0, what == graph::Recompute::full);
    }
}

// The second gather goes first, both become one.
TEST(ProgramPasses, AreDoneInTheirOrder) {
    CompilerPasses passes = nothing();
    passes.collective_order = CollectiveOrder::earliest;
    passes.bucket_size = Bytes{1 << 20};
    const std::vector<std::string> found = operations(with_passes(step(), passes));
    EXPECT_EQ(std::count(found.begin(), found.end(), "all_gather"), 1);
    passes.collective_order = CollectiveOrder::program;
    const std::vector<std::string> in_place = operations(with_passes(step(), passes));
    EXPECT_EQ(std::count(in_place.begin(), in_place.end(), "all_gather"), 2);
}

}  // namespace
}  // namespace dse::frontend
