#include <filesystem>

#include <gtest/gtest.h>

#include "../run_app.hpp"
#include "support/temporary_folder.hpp"

namespace dse::app::test {
namespace {

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

TEST(Import, NamesThePlaceOfAnError) {
    const dse::test::TemporaryFolder folder;
    const Outcome outcome =
        run_app({"import", folder.write("bad.hlo", "HloModule m\nENTRY main {\n  x = what\n}\n")});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find("bad.hlo:3:"), std::string::npos);
}

TEST(Import, ChecksProgramsLikeAnyFile) {
    const dse::test::TemporaryFolder folder;
    const Outcome outcome = run_app({"check", folder.write("step.hlo", program)});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_NE((outcome.out + outcome.err).find("'magic'"), std::string::npos);
}

}  // namespace
}  // namespace dse::app::test
