// Also tests: lowering/prepare.cpp
#include "dse/frontend/ir_frontend.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/graph/totals.hpp"
#include "support/error_message.hpp"
#include "support/temporary_folder.hpp"

namespace dse::frontend {
namespace {

// Two devices: y = tanh(x · w), summed over both.
constexpr const char* program = R"(HloModule step, num_partitions=2

add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b)
}

ENTRY main {
  x = f32[16,32] parameter(0)
  w = f32[32,64] parameter(1)
  y = f32[16,64] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  t = f32[16,64] tanh(y)
  ROOT s = f32[16,64] all-reduce(t), replica_groups={{0,1}}, channel_id=1, use_global_device_ids=true, to_apply=add
}
)";

class IrFrontendTest : public ::testing::Test {
  protected:
    IrFrontendTest() {
        workload_.ir = folder_.write("step.hlo", program);
        layout_.mesh = graph::Mesh::dense(1, 1, 2, 1);
    }
    double kernels() {
        const graph::Graph& graph = frontend_.build(workload_, layout_);
        double count = 0.0;
        for (const graph::Region& region : graph.regions) {
            for (const graph::Item& item : region.items)
                count += std::holds_alternative<graph::Compute>(graph.works[item.work.index()]) ? 1 : 0;
        }
        return count;
    }
    test::TemporaryFolder folder_;
    graph::WorkloadSpec workload_;
    graph::ResolvedLayout layout_;
    IrFrontend frontend_{config::Library{{}}};
};

TEST_F(IrFrontendTest, BuildsAGraphAndKeepsIt) {
    const graph::Graph& graph = frontend_.build(workload_, layout_);
    EXPECT_EQ(graph::totals(graph).model_flop, Flop{2.0 * 2 * 16 * 32 * 64});
    EXPECT_EQ(graph.mesh.ranks(), 2);
    EXPECT_EQ(&frontend_.build(workload_, layout_), &graph);
    const std::uint64_t revision = graph.revision;
    workload_.stack.cuda_graphs = true;
    EXPECT_NE(frontend_.build(workload_, layout_).revision, revision);
}

TEST_F(IrFrontendTest, PassesAreFields) {
    // An epilogue is fused; without fusion it is a kernel of its own.
    EXPECT_EQ(kernels(), 1);
    workload_.passes.fusion = graph::Fusion::none;
    EXPECT_EQ(kernels(), 2);
    workload_.passes.fusion = graph::Fusion::elementwise;
    EXPECT_EQ(kernels(), 2);
}

TEST_F(IrFrontendTest, RefusesOtherNumbersOfDevices) {
    layout_.mesh = graph::Mesh::dense(1, 1, 8, 1);
    EXPECT_NE(
        test::error_message<ModelError>([&] { frontend_.build(workload_, layout_); }).find("for 2 devices"),
        std::string::npos);
}

TEST_F(IrFrontendTest, NamesFileAndLineOfWhatItRefuses) {
    workload_.ir = folder_.write("call.hlo", R"(HloModule step
ENTRY main {
  x = f32[8] parameter(0)
  ROOT y = f32[8] custom-call(x), custom_call_target="magic"
}
)");
    workload_.foreign_costs = folder_.write("costs.yaml", "magic: {flops: in0 - 9}\n");
    layout_.mesh = graph::Mesh::dense(1, 1, 1, 1);
    EXPECT_NE(test::error_message<ModelError>([&] {
                  frontend_.build(workload_, layout_);
              }).find("call.hlo:4: 'magic' takes -1 FLOPs"),
              std::string::npos);
}

TEST_F(IrFrontendTest, CountsTheArgumentsOfAllDevices) {
    EXPECT_EQ(frontend_.parameter_count(workload_), 2.0 * (16 * 32 + 32 * 64));
}

TEST_F(IrFrontendTest, SaysWhereItLookedForAFile) {
    workload_.ir = "nowhere.mlir";
    EXPECT_NE(test::error_message([&] { frontend_.build(workload_, layout_); }).find("nowhere.mlir"),
              std::string::npos);
}

}  // namespace
}  // namespace dse::frontend
