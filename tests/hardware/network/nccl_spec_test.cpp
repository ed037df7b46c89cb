#include "dse/hardware/network/nccl_spec.hpp"

#include <gtest/gtest.h>

#include "hardware/problem_keys.hpp"

namespace dse::hardware {
namespace {

TEST(NcclSpec, defaults_add_nothing_to_the_estimates) {
    const NcclSpec nccl;
    EXPECT_TRUE(problems_of(nccl).empty());
    EXPECT_EQ(nccl.overhead, Seconds{});
    EXPECT_EQ(nccl.sharpness, 1.0);
    EXPECT_EQ(nccl.switch_sharpness, 1.0);
    EXPECT_EQ(nccl.own_copy, 0.0);
}

TEST(NcclSpec, every_field_has_its_range) {
    NcclSpec nccl;
    nccl.nics = -1;
    nccl.net_latency = Seconds{-1.0};
    nccl.overhead = Seconds{-1.0};
    nccl.sharpness = 0.0;
    nccl.switch_sharpness = 0.0;
    nccl.own_copy = -1.0;
    EXPECT_EQ(keys(problems_of(nccl)),
              (Keys{"nics", "net_latency", "overhead", "sharpness", "switch_sharpness", "own_copy"}));
}

TEST(NcclSpec, every_choice_has_a_name) {
    EXPECT_EQ(choice_names(GpuGeneration{})[static_cast<std::size_t>(GpuGeneration::blackwell)], "blackwell");
    EXPECT_EQ(choice_names(HostProcessor{})[static_cast<std::size_t>(HostProcessor::arm)], "arm");
    EXPECT_EQ(choice_names(LibraryFeature{})[static_cast<std::size_t>(LibraryFeature::off)], "off");
    EXPECT_EQ(choice_names(FabricKind{})[static_cast<std::size_t>(FabricKind::rail_optimized)],
              "rail_optimized");
    EXPECT_EQ(choice_names(FabricReduction{})[static_cast<std::size_t>(FabricReduction::sharp)], "sharp");
}

}  // namespace
}  // namespace dse::hardware
