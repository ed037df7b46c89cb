#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../run_app.hpp"
#include "support/temporary_folder.hpp"

namespace dse::app::test {
namespace {

using ::testing::HasSubstr;

// Two devices; a loop of three iterations: x <- sum over both of x · w. One product has 2 · 8³ FLOPs.
constexpr const char* program = R"(HloModule step, num_partitions=2

add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b)
}

body {
  s = (s32[], f32[8,8]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f32[8,8] get-tuple-element(s), index=1
  one = s32[] constant(1)
  next = s32[] add(i, one)
  y = f32[8,8] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  z = f32[8,8] all-reduce(y), replica_groups={{0,1}}, channel_id=1, use_global_device_ids=true, to_apply=add
  ROOT t = (s32[], f32[8,8]) tuple(next, z)
}

condition {
  s = (s32[], f32[8,8]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(3)
  ROOT less = pred[] compare(i, n), direction=LT
}

ENTRY main {
  x = f32[8,8] parameter(0)
  zero = s32[] constant(0)
  s = (s32[], f32[8,8]) tuple(zero, x)
  loop = (s32[], f32[8,8]) while(s), condition=condition, body=body
  y = f32[8,8] get-tuple-element(loop), index=1
  ROOT z = f32[8,8] custom-call(y), custom_call_target="magic"
}
)";

TEST(Import, SaysWhatAProgramHolds) {
    const dse::test::TemporaryFolder folder;
    const Outcome outcome = run_app({"import", folder.write("step.hlo", program), "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const nlohmann::json json = outcome.json();
    EXPECT_EQ(json["operators"]["dot"], 1);
    EXPECT_EQ(json["operators"]["get-tuple-element"], 4);
    EXPECT_EQ(json["flops"], 2 * 8 * 8 * 8);
    // Of an iteration: the product, the counter, its comparison, the sum (64 as XLA counts it).
    EXPECT_EQ(json["flops_trip_weighted"], 3 * (2 * 8 * 8 * 8 + 1 + 1 + 64));
    ASSERT_EQ(json["collectives"].size(), 1);
    EXPECT_EQ(json["collectives"][0]["kind"], "all_reduce");
    EXPECT_EQ(json["collectives"][0]["count"], 3);
    EXPECT_EQ(json["collectives"][0]["bytes"], 3 * 8 * 8 * 4);
    EXPECT_EQ(json["unknown"]["magic"], 1);
}

// What cannot be partitioned is reported where it stands.
TEST(Import, NamesFileAndLineOfWhatIsNotPartitioned) {
    const dse::test::TemporaryFolder folder;
    const std::string file = folder.write("step.hlo", R"(HloModule step, num_partitions=2
ENTRY main {
  x = f32[8,8] parameter(0), sharding={devices=[2,1]<=[2]}
  ROOT y = f32[8,8] custom-call(x), custom_call_target="magic"
}
)");
    EXPECT_NE(run_app({"import", file}).out.find("not partitioned here: " + file + ":4: 'magic'"),
              std::string::npos);
    const Outcome outcome = run_app({"import", file, "-o", folder.path("traces")});
    EXPECT_NE(outcome.code, 0);
    EXPECT_NE(outcome.err.find(file + ":4: 'magic' is not partitioned"), std::string::npos) << outcome.err;
    EXPECT_NE(run_app({"check", file}).out.find(file + ":4: error: 'magic' is not partitioned"),
              std::string::npos);
}

TEST(Import, WritesTracesOfAllDevices) {
    const dse::test::TemporaryFolder folder;
    const std::string out = folder.path("traces");
    const Outcome outcome = run_app({"import", folder.write("step.hlo", program), "-o", out, "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.json()["traces"]["files"], 2);
    EXPECT_TRUE(std::filesystem::exists(out + "/step.0.et"));
    EXPECT_TRUE(std::filesystem::exists(out + "/step.1.et"));
    EXPECT_TRUE(std::filesystem::exists(out + "/step.json"));
}

// A billion iterations of a few nodes each.
TEST(Import, RefusesTracesThatNobodyCanPlay) {
    const dse::test::TemporaryFolder folder;
    std::string endless = program;
    endless.replace(endless.find("constant(3)"), 11, "constant(1000000000)");
    const std::string out = folder.path("traces");
    const Outcome outcome = run_app({"import", folder.write("step.hlo", endless), "-o", out});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find("its loops run too often"), std::string::npos) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(out));
}

TEST(Import, OptionsOfTracesNeedTheirFolder) {
    const dse::test::TemporaryFolder folder;
    const std::string file = folder.write("step.hlo", program);
    EXPECT_EQ(run_app({"import", file, "--gzip"}).code, 2);
    EXPECT_EQ(run_app({"import", file, "--ranks", "0"}).code, 2);
}

TEST(Import, PrintsUnknownCallsForPeople) {
    const dse::test::TemporaryFolder folder;
    const Outcome outcome = run_app({"import", folder.write("step.hlo", program)});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_NE(outcome.out.find("unknown: magic"), std::string::npos);
    EXPECT_NE(outcome.out.find("2 devices"), std::string::npos);
}

// A product over 4 devices, what it sums over cut: each does a quarter, and 2 * 3/4 of 16 KiB are sent to
// sum.
TEST(Import, SaysWhatADeviceDoesOfAShardedProgram) {
    const dse::test::TemporaryFolder folder;
    const std::string file = folder.write("step.mlir", R"(module {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%a: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
                         %b: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
      -> (tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
    %c = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    return %c : tensor<64x64xf32>
  }
}
)");
    const nlohmann::json json = run_app({"import", file, "--json"}).json();
    EXPECT_EQ(json["flops"], 2 * 64 * 64 * 64);
    EXPECT_TRUE(json["collectives"].empty());
    EXPECT_EQ(json["partitioned"]["flops"], 2 * 64 * 64 * 64 / 4);
    ASSERT_EQ(json["partitioned"]["collectives"].size(), 1);
    EXPECT_EQ(json["partitioned"]["collectives"][0]["kind"], "all_reduce");
    EXPECT_EQ(json["partitioned"]["collectives"][0]["sent"], 2 * 3 * 64 * 64);
    EXPECT_EQ(json["partitioned"]["flops_surplus"], 0);
    EXPECT_NE(run_app({"import", file}).out.find("partitioned here, for each of 4 devices"),
              std::string::npos);
}

// Of 6 rows 4 devices have 2 each: a quarter of what each does is padding.
TEST(Import, SaysWhatOfADevicesWorkIsNoneOfTheModels) {
    const dse::test::TemporaryFolder folder;
    const std::string file = folder.write("step.mlir", R"(module {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%a: tensor<6x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                         %b: tensor<64x32xf32>) -> tensor<6x32xf32> {
    %c = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<6x64xf32>, tensor<64x32xf32>) -> tensor<6x32xf32>
    return %c : tensor<6x32xf32>
  }
}
)");
    const nlohmann::json json = run_app({"import", file, "--json"}).json();
    EXPECT_EQ(json["flops_surplus"], 0);
    EXPECT_EQ(json["partitioned"]["flops"], 2 * 2 * 64 * 32);
    EXPECT_EQ(json["partitioned"]["flops_surplus"], 2 * 2 * 64 * 32 / 4);
    EXPECT_NE(run_app({"import", file}).out.find("FLOPs beyond the model's x trips    2048"),
              std::string::npos);
}

// Of 64 elements a table makes 36 FLOPs less than none: at the call, which is in line 33.
TEST(Import, NamesFileAndLineOfACallThatTakesLessThanNothing) {
    const dse::test::TemporaryFolder folder;
    const std::string file = folder.write("step.hlo", program);
    const std::string costs = folder.write("costs.yaml", "magic: {flops: in0 - 100}\n");
    const Outcome outcome = run_app({"import", file, "--foreign-costs", costs});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find(file + ":33: 'magic' takes -36 FLOPs, by 'in0 - 100' (" + costs + ":1:16)"),
              std::string::npos)
        << outcome.err;
}

// 128 elements in all take 28 FLOPs, the 32 of each of 4 devices -68: it is the table that is refused, and
// not the partitioning.
TEST(Import, NamesTheCallOfOneDeviceThatTakesLessThanNothing) {
    const dse::test::TemporaryFolder folder;
    const std::string file = folder.write("step.mlir", R"(module {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%q: tensor<4x2x2x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}, {}]>})
      -> (tensor<4x2x2x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}, {}]>}) {
    %0 = stablehlo.custom_call @dse.flash_attention(%q, %q, %q) : (tensor<4x2x2x8xf32>, tensor<4x2x2x8xf32>, tensor<4x2x2x8xf32>) -> tensor<4x2x2x8xf32>
    return %0 : tensor<4x2x2x8xf32>
  }
}
)");
    const std::string costs = folder.write("costs.yaml", "dse.flash_attention: {flops: in0 - 100}\n");
    const Outcome outcome = run_app({"import", file, "--foreign-costs", costs});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find(file + ":5: 'dse.flash_attention' takes -68 FLOPs"), std::string::npos)
        << outcome.err;
}

// 256 bytes summed over 8 devices, by a ring: 2 · 256 · 7/8 = 448, whether the 8 are replicas or partitions.
TEST(Import, CountsTheMembersOfGroupsOfReplicasOrPartitions) {
    const dse::test::TemporaryFolder folder;
    for (const std::string count : {"replica_count=8", "num_partitions=8"}) {
        const std::string file = folder.write("step.hlo", "HloModule step, " + count + R"(
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b)
}
ENTRY main {
  x = f32[64] parameter(0)
  ROOT y = f32[64] all-reduce(x), replica_groups=[1,8]<=[8], channel_id=1, to_apply=add
}
)");
        const nlohmann::json json = run_app({"import", file, "--json"}).json();
        ASSERT_EQ(json["collectives"].size(), 1) << count;
        EXPECT_EQ(json["collectives"][0]["sent"], 448) << count;
    }
}

TEST(Import, NamesThePlaceOfAnError) {
    const dse::test::TemporaryFolder folder;
    const Outcome outcome =
        run_app({"import", folder.write("bad.hlo", "HloModule m\nENTRY main {\n  x = what\n}\n")});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find("bad.hlo:3:"), std::string::npos);
}

TEST(Import, TakesTheNamesThatSweepsTake) {
    EXPECT_THAT(run_app({"import", "jax/resnet50.sdy.mlir.gz"}).out, HasSubstr("MLIR, 1 module, 1 device"));
    const auto unknown = run_app({"import", "resnet50.sdy.mlir.gz"});
    EXPECT_EQ(unknown.code, 2);
    EXPECT_THAT(unknown.err, HasSubstr("did you mean 'jax/resnet50.sdy.mlir.gz'?"));
}

// As XLA names its dumps (--xla_dump_to).
TEST(Import, ChecksDumpsOfXla) {
    const dse::test::TemporaryFolder folder;
    const std::string file = folder.write("module_0001.jit_step.before_optimizations.txt", program);
    const Outcome outcome = run_app({"check", file});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_NE(outcome.out.find(file + ": ok (program)"), std::string::npos) << outcome.out;
    const Outcome notes = run_app({"check", folder.write("notes.txt", "bring milk\n")});
    EXPECT_EQ(notes.code, 1);
    EXPECT_NE(notes.out.find("is neither HLO"), std::string::npos) << notes.out;
}

TEST(Import, ChecksProgramsLikeAnyFile) {
    const dse::test::TemporaryFolder folder;
    const Outcome outcome = run_app({"check", folder.write("step.hlo", program)});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_NE((outcome.out + outcome.err).find("'magic'"), std::string::npos);
}

/// Two operations whose sizes a run decides; a sweep of them says what its program does not, as the program
/// itself does.
TEST(Import, WarnsOfSizesThatAreNotInTheText) {
    const dse::test::TemporaryFolder folder;
    const std::string file = folder.write("open.hlo", R"(HloModule step
ENTRY main {
  x = f32[?,8] parameter(0)
  ROOT y = f32[?,8] custom-call(x), custom_call_target="magic"
}
)");
    const std::string sizes = file + ":3: warning: 'x' (f32[?,8]) has a dimension of unknown size";
    EXPECT_NE(run_app({"import", file}).out.find(sizes), std::string::npos);
    EXPECT_EQ(run_app({"import", file, "--json"}).json()["values_without_size"], 2);
    EXPECT_NE(run_app({"check", file}).out.find(sizes), std::string::npos);
    const std::string sweep = folder.write(
        "t.yaml", "name: t\nworkload: {ir: '" + file +
                      "'}\nsystem: {cluster: h100_ndr400, devices: 1}\naxes: {fusion: [none, auto]}\n");
    const std::string said = run_app({"check", sweep}).out;
    EXPECT_NE(said.find(sweep + ":2:16: warning: workload.ir: " + file + ":3: 'x' (f32[?,8])"),
              std::string::npos)
        << said;
    EXPECT_NE(said.find("the costs of 'magic' are unknown"), std::string::npos) << said;
}

}  // namespace
}  // namespace dse::app::test
