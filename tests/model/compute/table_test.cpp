#include "dse/model/compute/table.hpp"

#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "model/devices.hpp"
#include "model/works.hpp"
#include "support/soft_equal.hpp"

namespace dse::model {
namespace {

using graph::OpClass;
using graph::Precision;
using testing::HasSubstr;

/// By the roofline 1000 cubed takes 20 us, 2000 cubed 160 us.
Table table() {
    return Table{measured_device(), Seconds{}};
}

TEST(Table, a_row_is_answered_as_measured) {
    EXPECT_SOFT_EQ(Seconds{30e-6}, table().time(matmul(1, 1000, 1000, 1000)));
    EXPECT_SOFT_EQ(Seconds{480e-6}, table().time(matmul(1, 2000, 2000, 2000)));
    EXPECT_SOFT_EQ(Seconds{4e-6}, table().time(streaming(OpClass::elementwise, 2e6, 0)));
    EXPECT_EQ(table().account(matmul(1, 1000, 1000, 1000)).remark, "");
}

/// Factors of 1.5 and 3 at the ends of a cube: half way between them in all logarithms sqrt(4.5).
TEST(Table, between_rows_the_factor_is_interpolated) {
    const double middle = std::sqrt(2.0) * 1000;
    const Seconds bare = Roofline(measured_device(), Seconds{}).time(matmul(1, middle, middle, middle));
    EXPECT_SOFT_EQ(bare * std::sqrt(4.5), table().time(matmul(1, middle, middle, middle)));
}

TEST(Table, outside_its_range_the_edge_scales_the_roofline) {
    EXPECT_SOFT_EQ(Seconds{1280e-6 * 3}, table().time(matmul(1, 4000, 4000, 4000)));
    EXPECT_THAT(table().account(matmul(1, 4000, 4000, 4000)).remark,
                HasSubstr("outside the table (batch 1 to 1, m 1000 to 2000"));
    EXPECT_THAT(table().account(streaming(OpClass::elementwise, 1e9, 0)).remark,
                HasSubstr("outside the table"));
}

TEST(Table, a_format_of_equal_width_answers_for_the_other) {
    graph::Compute work = matmul(1, 1000, 1000, 1000);
    work.precision = Precision::fp16;
    hardware::DeviceSpec device = measured_device();
    device.peak.fp16 = device.peak.bf16;
    EXPECT_SOFT_EQ(Seconds{30e-6}, Table(device, Seconds{}).time(work));
}

TEST(Table, what_it_does_not_hold_is_the_rooflines) {
    const Roofline roofline{measured_device(), Seconds{}};
    const graph::Compute softmax = streaming(OpClass::softmax, 1e6, 1e6);
    EXPECT_EQ(table().time(softmax), roofline.time(softmax));
    EXPECT_EQ(table().account(softmax).remark, "no softmax in the table: as the roofline");
    graph::Compute fp32 = matmul(1, 100, 100, 100, Precision::fp32);
    EXPECT_EQ(table().time(fp32), roofline.time(fp32));
    EXPECT_THAT(table().account(fp32).remark, HasSubstr("no product of this format"));
    // Nor do rows in bf16 answer for integers, though these run at its rate: 2e9 operations at 100 TFLOP/s.
    const graph::Compute int8 = matmul(1, 1000, 1000, 1000, Precision::int8);
    EXPECT_SOFT_EQ(Seconds{20e-6}, table().time(int8));
    EXPECT_THAT(table().account(int8).remark, HasSubstr("no product of this format"));
}

/// At 400 TOPS 1000 cubed takes 5 us; measured were 7.5.
TEST(Table, integers_have_rows_of_their_own) {
    hardware::DeviceSpec device = measured_device();
    device.peak.int8 = FlopPerSecond{400e12};
    std::vector<hardware::MeasuredRow> rows = *device.table.rows;
    rows.push_back({"gemm", "int8", 1, 1000, 1000, 1000, Bytes{}, Seconds{7.5e-6}, 5});
    device.table.rows = std::make_shared<const std::vector<hardware::MeasuredRow>>(std::move(rows));
    const Table table{device, Seconds{}};
    EXPECT_SOFT_EQ(Seconds{7.5e-6}, table.time(matmul(1, 1000, 1000, 1000, Precision::int8)));
    EXPECT_SOFT_EQ(Seconds{30e-6}, table.time(matmul(1, 1000, 1000, 1000)));
}

/// A device with twice the rate of products, and its sibling's rows: 1000 cubed takes 10 us by the roofline,
/// and 1.5 times as long.
TEST(Table, times_follow_the_rates_that_an_axis_sets) {
    hardware::DeviceSpec device = measured_device();
    device.peak.fp16 = device.peak.bf16;
    device.table.rates = {device.peak, device.matmul.sustained, device.memory.bandwidth};
    graph::Compute half = matmul(1, 1000, 1000, 1000);
    half.precision = Precision::fp16;
    const auto times = [&] {
        const Table table{device, Seconds{}};
        return std::array{table.time(matmul(1, 1000, 1000, 1000)).value(), table.time(half).value(),
                          table.time(streaming(OpClass::elementwise, 2e6, 0)).value()};
    };
    const auto before = times();
    EXPECT_SOFT_EQ(30e-6, before[0]);
    device.peak.bf16 = device.peak.bf16 * 2.0;
    const auto twice = times();
    EXPECT_SOFT_EQ(15e-6, twice[0]);
    EXPECT_SOFT_EQ(before[1], twice[1]);
    device.peak.fp16 = device.peak.fp16 * 2.0;
    EXPECT_SOFT_EQ(twice[0], times()[0]);
    EXPECT_SOFT_EQ(15e-6, times()[1]);
    device.memory.bandwidth = device.memory.bandwidth * 2.0;
    EXPECT_SOFT_EQ(before[2] / 2.0, times()[2]);
}

/// Two kernels of 2 MB each took what two of them take.
TEST(Table, bytes_are_those_of_one_kernel) {
    EXPECT_SOFT_EQ(Seconds{8e-6}, table().time(streaming(OpClass::elementwise, 4e6, 0, 2)));
}

TEST(Table, nothing_is_faster_than_its_launch) {
    EXPECT_SOFT_EQ(Seconds{1e-3}, Table(measured_device(), Seconds{1e-3}).time(matmul(1, 1000, 1000, 1000)));
}

TEST(Table, a_device_without_rows_is_refused) {
    EXPECT_THROW(Table(bare_device(), Seconds{}), ModelError);
}

}  // namespace
}  // namespace dse::model
