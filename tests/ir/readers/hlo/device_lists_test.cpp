// Also tests: readers/hlo/device_count.cpp

#include "ir/readers/hlo/device_lists.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "hlo_text.hpp"

namespace dse::ir::hlo {
namespace {

using Members = std::vector<std::vector<std::int64_t>>;

DeviceGroups groups(const std::string& text) {
    const Source source = Source::text(text, "t");
    Scanner scanner{source};
    DeviceGroups result = read_device_groups(scanner);
    EXPECT_TRUE(scanner.at_end()) << text;
    return result;
}

TEST(DeviceLists, ReadsGroupsInEachForm) {
    EXPECT_TRUE(groups("{}").everybody());
    EXPECT_TRUE(groups("{{}}").everybody());
    EXPECT_EQ(groups("{{0,2},{1,3}}").members(4), (Members{{0, 2}, {1, 3}}));
    EXPECT_EQ(groups("[2,2]<=[4]").members(4), (Members{{0, 1}, {2, 3}}));
    EXPECT_EQ(groups("[2,2]<=[2,2]T(1,0)").members(4), (Members{{0, 2}, {1, 3}}));
}

// Devices 0 … 5 as a grid a × b = 2 × 3: along b the rows, along a the columns, along both all six.
TEST(DeviceLists, ReadsGroupsAlongAxesOfAMesh) {
    EXPECT_EQ(groups("mesh['a'=2,'b'=3] {'b'}").members(6), (Members{{0, 1, 2}, {3, 4, 5}}));
    EXPECT_EQ(groups("mesh['a'=2,'b'=3] {'a'}").members(6), (Members{{0, 3}, {1, 4}, {2, 5}}));
    EXPECT_EQ(groups("mesh['a'=2,'b'=3] {'b','a'}").members(6), (Members{{0, 3, 1, 4, 2, 5}}));
    // Devices 0 4 1 5 2 6 3 7 as four rows of two: their columns.
    EXPECT_EQ(groups("mesh['a'=4,'b'=2], device_ids=([2,4]T(1,0)) {'a'}").members(8),
              (Members{{0, 1, 2, 3}, {4, 5, 6, 7}}));
    EXPECT_EQ(groups("mesh['a'=2,'b'=3, device_ids=(5,4,3,2,1,0)] {'b'}").members(6),
              (Members{{5, 4, 3}, {2, 1, 0}}));
}

// An axis of 8 as 2 × 2 × 2; the middle one joins devices 2 apart.
TEST(DeviceLists, ReadsGroupsAlongPartsOfAnAxis) {
    EXPECT_EQ(groups("mesh['a'=8] {'a':(2)2}").members(8), (Members{{0, 2}, {1, 3}, {4, 6}, {5, 7}}));
}

TEST(DeviceLists, ReadsPairs) {
    const Source source = Source::text("{{0,1},{1, 0}}", "t");
    Scanner scanner{source};
    EXPECT_EQ(read_device_pairs(scanner),
              (std::vector<std::pair<std::int64_t, std::int64_t>>{{0, 1}, {1, 0}}));
}

TEST(DeviceLists, RefusesWhatCannotBe) {
    for (const char* text :
         {"[2,4]<=[9]", "[2,2]<=[2,2]T(0,0)", "[4]<=[4]", "[0,4]<=[0]", "mesh['a'=2] {'b'}",
          "mesh['a'=4, device_ids=(0,1)] {'a'}", "mesh['a'=8] {'a':(3)2}", "mesh['a'=4] {'a':(1)2,'a':(1)2}",
          "[8388608,8388608]<=[70368744177664]", "{{0,1}", "2"})
        EXPECT_THROW(groups(text), InputError) << text;
}

TEST(DeviceLists, TellHowManyDevicesThereAre) {
    const Program program = hlo_instructions(
        "p = f32[2] parameter(0)\nr = f32[2] all-reduce(p), replica_groups={{0,5}}, to_apply={ a = f32[] "
        "parameter(0)\n b = f32[] parameter(1)\n s = f32[] add(a, b) }");
    EXPECT_EQ(program.devices(), 6);
    EXPECT_TRUE(program.partitioned);
    EXPECT_EQ(
        hlo_instructions(
            "p = f32[2] parameter(0)\nr = f32[2] collective-permute(p), source_target_pairs={{0,1},{1,2}}")
            .devices(),
        3);
}

TEST(DeviceLists, TellWhetherShapesAreThoseOfOneDevice) {
    const std::string cut = "p = f32[8] parameter(0), sharding={devices=[4]<=[4]}\n";
    EXPECT_FALSE(hlo_instructions(cut + "n = f32[8] negate(p)").partitioned);
    EXPECT_TRUE(hlo_instructions(cut + "n = f32[32] all-gather(p), dimensions={0}").partitioned);
    EXPECT_FALSE(
        hlo_instructions(
            cut +
            "n = f32[8] negate(p), sharding={devices=[4]<=[4]}\nm = f32[32] all-gather(n), dimensions={0}")
            .partitioned);
    EXPECT_TRUE(hlo_program("HloModule m, is_scheduled=true\nENTRY e {" + cut + "}").partitioned);
}

}  // namespace
}  // namespace dse::ir::hlo
