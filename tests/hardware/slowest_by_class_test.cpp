#include "dse/hardware/slowest_by_class.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "dse/base/normal_distribution.hpp"
#include "dse/hardware/device/slowest_device.hpp"

namespace dse::hardware {
namespace {

/// The number of devices that would be as slow, by class.
class SlowestByClass : public testing::Test {
  protected:
    SlowestByClass() {
        system_.devices = 1024;
        system_.cluster.device.peak.bf16 = FlopPerSecond{1e15};
        system_.cluster.device.matmul.variation = 0.015;
    }
    void add_class(double speed, std::int64_t number) {
        DeviceSpec device = system_.cluster.device;
        device.peak.bf16 = device.peak.bf16 * speed;
        const auto first = system_.device_classes.empty() ? 0
                                                          : system_.device_classes.back().ranks.first_rank +
                                                                system_.device_classes.back().ranks.number;
        system_.device_classes.push_back({device, {.number = number, .first_rank = first}});
    }
    [[nodiscard]] std::vector<double> in_training(std::int64_t in_step = 1024) const {
        std::vector<double> shares;
        for (const DeviceSpec& device : slowest_by_class(system_, in_step))
            shares.push_back(device.matmul.in_training);
        return shares;
    }
    /// Share of the mean device that the slowest of so many has.
    [[nodiscard]] double of(std::int64_t devices) const {
        return slowest_of(system_.cluster.device, {devices, 1}).matmul.in_training;
    }
    [[nodiscard]] std::vector<double> of(std::initializer_list<std::int64_t> devices) const {
        std::vector<double> shares;
        for (const std::int64_t number : devices) shares.push_back(of(number));
        return shares;
    }
    /// Time of a product on the slowest device of the job.
    [[nodiscard]] double time() const {
        double longest = 0.0;
        for (const DeviceSpec& device : slowest_by_class(system_, 1024))
            longest = std::max(longest, 1e15 / (device.peak.bf16.value() * device.matmul.in_training));
        return longest;
    }

    SystemSpec system_;
};

TEST_F(SlowestByClass, one_class_is_the_slowest_of_the_job) {
    EXPECT_EQ(in_training(), of({1024}));
    EXPECT_EQ(in_training(8), of({8}));
}

/// Four slices of 256 devices, the last of which is not full with 1,000 of them.
TEST_F(SlowestByClass, the_job_waits_for_its_slowest_domain) {
    DeviceSpec& device = system_.cluster.device;
    device.matmul.domain_variation = 0.04;
    system_.cluster.network.scale_up.domain = 256;
    EXPECT_EQ(domains_of(system_, 256), 1);
    EXPECT_EQ(domains_of(system_, 257), 2);
    EXPECT_EQ(domains_of(system_, 1000), 4);
    EXPECT_EQ(in_training().front(), slowest_of(device, {1024, 4}).matmul.in_training);
    EXPECT_EQ(in_training(256).front(), slowest_of(device, {256, 1}).matmul.in_training);
    EXPECT_LT(in_training().front(), in_training(256).front());
    add_class(0.5, 1);
    EXPECT_EQ(in_training().back(), 1.0) << "one device is in one domain";
}

/// One slow device among 1,023 others is no slower than the mean of its kind.
TEST_F(SlowestByClass, one_device_waits_for_itself) {
    add_class(0.5, 1);
    EXPECT_EQ(in_training(), of({1023, 1}));
    EXPECT_EQ(of(1), 1.0);
}

/// Twice as fast: the others decide, and it is as fast as the mean of its kind.
TEST_F(SlowestByClass, a_much_faster_class_waits_for_its_own) {
    add_class(2.0, 16);
    EXPECT_EQ(in_training(), of({1008, 16}));
}

TEST_F(SlowestByClass, equal_devices_are_one_class) {
    add_class(1.0, 1);
    add_class(1.0, 500);
    EXPECT_EQ(in_training(), of({1024, 1024, 1024}));
    EXPECT_EQ(in_training(8), of({8, 8, 8}));
}

/// The slowest of 1,024 is expected to be 4.9 % slower than the mean: what is 1 % slower may be the slowest
/// of all, or one of the others.
TEST_F(SlowestByClass, a_slightly_slower_class_may_have_the_slowest) {
    add_class(0.99, 24);
    EXPECT_EQ(in_training(), of({1024, 24}));
    system_.device_classes.clear();
    add_class(0.94, 24);
    EXPECT_EQ(in_training(), of({1000, 24})) << "6 % slower: always";
    system_.device_classes.clear();
    add_class(1.01, 24);
    EXPECT_EQ(in_training(), of({1000, 1024}));
}

TEST_F(SlowestByClass, a_class_of_all_ranks_is_the_job) {
    add_class(0.5, 1024);
    EXPECT_EQ(in_training(), of({1, 1024}));
}

/// Not even where a class becomes as fast as the others, or passes them.
TEST_F(SlowestByClass, a_faster_class_never_makes_a_job_slower) {
    for (const std::int64_t number : {1, 16, 512, 1000}) {
        double before = 0.0;
        for (double speed = 0.9; speed < 1.1; speed += 0.0005) {
            system_.device_classes.clear();
            add_class(speed, number);
            if (before > 0.0) {
                EXPECT_LE(time(), before * (1.0 + 1e-12)) << number << " of speed " << speed;
                EXPECT_LE(before, time() * 1.001) << number << ", a jump at speed " << speed;
            }
            before = time();
        }
    }
}

/// Products of V100 are timed in fp16, their only 16-bit format.
TEST_F(SlowestByClass, rates_are_those_of_a_format_that_a_device_has) {
    add_class(1.0, 24);
    DeviceSpec& old = system_.device_classes[0].device;
    old.peak.bf16 = FlopPerSecond{};
    old.peak.fp16 = FlopPerSecond{1e15};
    EXPECT_EQ(in_training(), of({1024, 1024}));
    old.peak.fp16 = FlopPerSecond{};
    old.peak.fp32 = FlopPerSecond{1e14};
    EXPECT_EQ(in_training(), of({1000, 24}));
    old.matmul.sustained.fp32 = FlopPerSecond{1e15};
    EXPECT_EQ(in_training(), of({1024, 1024}));
    old.matmul.sustained.fp32 = FlopPerSecond{};
    old.peak.fp32 = FlopPerSecond{2e15};
    old.matmul.peak_share = 0.5;
    EXPECT_EQ(in_training(), of({1024, 1024})) << "half of the peak, where no rate was measured";
    old.matmul.sustained.fp32 = FlopPerSecond{1e15};
    old.efficiency.gemm = 0.9;
    EXPECT_EQ(in_training(), of({1000, 24})) << "a tenth slower";
    old.matmul.in_training = 0.5;
    EXPECT_EQ(slowest_by_class(system_, 1024)[1].matmul.in_training, 0.5 * of(24));
}

}  // namespace
}  // namespace dse::hardware
