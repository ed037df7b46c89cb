#include "dse/hardware/device_class_spec.hpp"

#include <gtest/gtest.h>

#include "dse/hardware/system_spec.hpp"
#include "hardware/problem_keys.hpp"
#include "support/source_dir.hpp"

namespace dse::hardware {
namespace {

constexpr const char* small_device =
    "device: {name: x, peak: {bf16: 1 TFLOP/s}, memory: {capacity: 1 GiB, bandwidth: 1 TB/s}}\n";

TEST(DeviceClassSpec, is_a_device_and_its_ranks) {
    DeviceClassSpec read;
    EXPECT_EQ(errors_of(std::string{small_device} + "first_rank: 4\nnumber: 2\nrank_stride: 8\n", read), "");
    EXPECT_EQ(read.device.name, "x");
    EXPECT_EQ(read.ranks, (RankSet{.number = 2, .first_rank = 4, .rank_stride = 8}));
    DeviceClassSpec one;
    EXPECT_EQ(errors_of(small_device, one), "");
    EXPECT_EQ(one.ranks.number, 1);
}

TEST(DeviceClassSpec, names_its_problems) {
    DeviceClassSpec wrong;
    EXPECT_EQ(errors_of(small_device, wrong), "");
    wrong.ranks.rank_stride = 0;
    wrong.device.memory.capacity = Bytes{-1.0};
    EXPECT_EQ(keys(problems_of(wrong)), (Keys{"rank_stride", "device.memory.capacity"}));
}

/// Eight devices: two of the cluster, four of one class, two of another.
class DeviceClasses : public testing::Test {
  protected:
    DeviceClasses() {
        const config::Library library{{DSE_SOURCE_DIR}};
        config::Diagnostics diagnostics;
        const auto node = config::parse_yaml(
            "cluster: h100_ndr400\ndevices: 8\ndevice_classes:\n"
            "  - {device: a100_80_sxm, first_rank: 4, number: 4}\n"
            "  - {device: {base: h100_sxm, price: 1 USD/h}, first_rank: 0, number: 2, rank_stride: 2}\n",
            "x.yaml", diagnostics);
        config::read_struct(node, system_, &library, diagnostics);
        EXPECT_EQ(diagnostics.text(), "");
    }
    SystemSpec system_;
};

TEST_F(DeviceClasses, share_no_rank_and_are_of_the_job) {
    EXPECT_EQ(keys(problems_of(system_)), Keys{});
    system_.device_classes[1].ranks.rank_stride = 4;  // 0 and 4
    EXPECT_EQ(keys(problems_of(system_)), Keys{"device_classes.1"});
    system_.device_classes[1].ranks = {.number = 1, .first_rank = 3};
    system_.device_classes[0].ranks.number = 5;
    EXPECT_EQ(keys(problems_of(system_)), Keys{"device_classes.0"});
    system_.device_classes[0].ranks.rank_stride = -1;
    EXPECT_EQ(keys(problems_of(system_)), Keys{"device_classes.0.rank_stride"});
}

TEST_F(DeviceClasses, the_average_device_counts_each_as_often_as_it_is_there) {
    system_.cluster.device.price = DollarsPerSecond{8.0};
    system_.device_classes[0].device.price = DollarsPerSecond{4.0};
    system_.device_classes[1].device.price = DollarsPerSecond{0.0};
    // (2 · 8 + 4 · 4 + 2 · 0) / 8
    EXPECT_EQ(mean_over_devices(system_, &DeviceSpec::price).value(), 4.0);
    for (DeviceClassSpec& other : system_.device_classes) other.device.price = DollarsPerSecond{0.1};
    system_.cluster.device.price = DollarsPerSecond{0.1};
    EXPECT_EQ(mean_over_devices(system_, &DeviceSpec::price).value(), 0.1) << "to the last bit";
}

}  // namespace
}  // namespace dse::hardware
