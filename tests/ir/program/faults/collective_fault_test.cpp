#include <gtest/gtest.h>

#include "ir/program/faults/refusals.hpp"

namespace dse::ir {
namespace {

using test::fault_in_hlo;
using test::fault_in_mlir;

// Two groups of four devices; of all devices; two groups of two replicas with all of their 8 partitions.
const std::string fours = ", replica_groups={{0,1,2,3},{4,5,6,7}}, channel_id=1, use_global_device_ids=true";
const std::string everybody = ", replica_groups={}";
const std::string replicas = ", replica_groups={{0,1},{2,3}}, channel_id=1";

TEST(CollectiveFault, SumsKeepTheirShape) {
    EXPECT_EQ(fault_in_hlo({"f32[8]"}, "f32[8] all-reduce(p0), to_apply=sum" + fours), "");
    EXPECT_EQ(fault_in_hlo({"f32[8]"}, "f32[2] all-reduce(p0), to_apply=sum" + fours),
              "its operand is f32[8], but its result is f32[2]: their shapes must be equal");
    const std::string both = " all-reduce(p0, p1), to_apply=sum" + fours;
    EXPECT_EQ(fault_in_hlo({"f32[8]", "f32[4]"}, "(f32[8], f32[4])" + both), "");
    EXPECT_NE(fault_in_hlo({"f32[8]", "f32[4]"}, "(f32[8], f32[8])" + both), "");
    EXPECT_EQ(fault_in_hlo({"f32[8]", "f32[4]"}, "f32[8]" + both), "it has 2 operands, but 1 results");
    EXPECT_NE(fault_in_hlo({"f32[8]"}, "f32[4] all-reduce-start(p0), to_apply=sum" + fours), "");
    EXPECT_EQ(fault_in_hlo({"f32[8]"}, "f32[8] collective-broadcast(p0), replica_groups={{0,1}}"), "");
    EXPECT_NE(fault_in_hlo({"f32[8]"}, "f32[4] collective-broadcast(p0), replica_groups={{0,1}}"), "");
}

TEST(CollectiveFault, GathersGrowByTheGroup) {
    const auto gather = [](const std::string& result, const std::string& groups) {
        return fault_in_hlo({"f32[8,2]"}, result + " all-gather(p0), dimensions={0}" + groups);
    };
    EXPECT_EQ(gather("f32[32,2]", fours), "");
    EXPECT_EQ(gather("f32[16,2]", fours),
              "its operand is f32[8,2], but its result is f32[16,2]: groups of 4 devices hold parts "
              "of dimension 0 only; the other sizes must be equal");
    EXPECT_NE(gather("f32[8,8]", fours), "");
    EXPECT_EQ(gather("f32[128,2]", replicas), "") << "2 replicas of 8 partitions";
    EXPECT_NE(gather("f32[16,2]", replicas), "");
    EXPECT_EQ(gather("f32[24,2]", everybody), "") << "however many there are";
    EXPECT_NE(gather("f32[25,2]", everybody), "");
    EXPECT_EQ(fault_in_hlo({"f32[8,2]"}, "f32[32,2] all-gather(p0), dimensions={2}" + fours),
              "its operand f32[8,2] has no dimension 2");
    const std::string start = " all-gather-start(p0), dimensions={0}" + fours;
    EXPECT_EQ(fault_in_hlo({"f32[8]"}, "(f32[8], f32[32])" + start), "");
    EXPECT_NE(fault_in_hlo({"f32[8]"}, "(f32[8], f32[16])" + start), "");
    EXPECT_EQ(fault_in_hlo({"(f32[8], f32[32])"}, "f32[32] all-gather-done(p0)"), "");
    EXPECT_EQ(fault_in_hlo({"(f32[8], f32[32])"}, "f32[8] all-gather-done(p0)"),
              "its start returns f32[32], but its result is f32[8]");
}

TEST(CollectiveFault, ScatteredSumsShrinkByTheGroup) {
    const auto scatter = [](const std::string& result, const std::string& groups) {
        return fault_in_hlo({"f32[8,2]"},
                            result + " reduce-scatter(p0), dimensions={0}, to_apply=sum" + groups);
    };
    EXPECT_EQ(scatter("f32[2,2]", fours), "");
    EXPECT_NE(scatter("f32[4,2]", fours), "");
    EXPECT_EQ(scatter("f32[4,2]", everybody), "");
    EXPECT_NE(scatter("f32[3,2]", everybody), "");
    // torch_xla orders its exchanges by a scalar that goes through them.
    EXPECT_EQ(fault_in_hlo({"f32[8]", "f32[]"},
                           "(f32[2], f32[]) reduce-scatter(p0, p1), dimensions={0}, to_apply=sum" + fours),
              "");
}

TEST(CollectiveFault, ExchangesOfAllWithAllKeepElements) {
    const auto exchange = [](const std::string& operand, const std::string& result) {
        return fault_in_hlo({operand}, result + " all-to-all(p0), dimensions={0}" + fours);
    };
    EXPECT_EQ(exchange("f32[8]", "f32[8]"), "");
    EXPECT_NE(exchange("f32[8]", "f32[4]"), "");
    EXPECT_EQ(exchange("f32[6]", "f32[6]"),
              "its operand is f32[6], but its result is f32[6]: groups of 4 devices split dimension 0 "
              "and concatenate along dimension 0");
    EXPECT_EQ(fault_in_hlo({"f32[3]", "f32[3]"},
                           "(f32[3], f32[3]) all-to-all(p0, p1), replica_groups={{0,1},{2,3}}"),
              "");
    EXPECT_NE(fault_in_hlo({"f32[3]", "f32[3]"},
                           "(f32[3], f32[6]) all-to-all(p0, p1), replica_groups={{0,1},{2,3}}"),
              "");
    // 8 x 6 cut along dimension 0 among 4, put together along dimension 1: 2 x 24.
    const std::string turn =
        "\"stablehlo.all_to_all\"(%0) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = "
        "4 : i64, "
        "replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> : (tensor<8x6xf32>) -> ";
    EXPECT_EQ(fault_in_mlir({"8x6xf32"}, turn + "tensor<2x24xf32>"), "");
    EXPECT_NE(fault_in_mlir({"8x6xf32"}, turn + "tensor<3x24xf32>"), "");
}

TEST(CollectiveFault, PermutationsKeepTheirShape) {
    const std::string pairs = "(p0), source_target_pairs={{0,1},{1,0}}";
    EXPECT_EQ(fault_in_hlo({"f32[8]"}, "f32[8] collective-permute" + pairs), "");
    EXPECT_NE(fault_in_hlo({"f32[8]"}, "f32[4] collective-permute" + pairs), "");
    EXPECT_EQ(fault_in_hlo({"(f32[8], f32[4])"}, "(f32[8], f32[4]) collective-permute" + pairs), "");
    EXPECT_NE(fault_in_hlo({"(f32[8], f32[4])"}, "(f32[8]) collective-permute" + pairs), "");
    EXPECT_EQ(fault_in_hlo({"f32[8]"}, "(f32[8], f32[8], u32[], u32[]) collective-permute-start" + pairs),
              "");
    EXPECT_EQ(fault_in_hlo({"(f32[8], f32[8], u32[], u32[])"}, "f32[8] collective-permute-done(p0)"), "");
    EXPECT_NE(fault_in_hlo({"(f32[8], f32[8], u32[], u32[])"}, "f32[4] collective-permute-done(p0)"), "");
}

// The verifier of StableHLO asks for a multiple only, and Shardy's tests rest on that.
TEST(CollectiveFault, StableHloAsksForMultiples) {
    const std::string gather =
        "\"stablehlo.all_gather\"(%0) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : "
        "tensor<1x2xi64>}> : (tensor<8xf32>) -> ";
    EXPECT_EQ(fault_in_mlir({"8xf32"}, gather + "tensor<16xf32>"), "");
    EXPECT_EQ(fault_in_mlir({"8xf32"}, gather + "tensor<8xf32>"), "");
    EXPECT_NE(fault_in_mlir({"8xf32"}, gather + "tensor<12xf32>"), "");
}

}  // namespace
}  // namespace dse::ir
