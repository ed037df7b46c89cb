#include "dse/hardware/device/device_spec.hpp"

#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "dse/config/field_index.hpp"
#include "hardware/problem_keys.hpp"

namespace dse::hardware {
namespace {

constexpr const char* datasheet = R"(
name: bare
peak:
  bf16: 100 TFLOPS
memory:
  capacity: 16 GiB
  bandwidth: 1 TB/s
)";

TEST(DeviceSpec, a_datasheet_is_enough) {
    DeviceSpec device;
    EXPECT_EQ(errors_of(datasheet, device), "");
    EXPECT_TRUE(problems_of(device).empty()) << problems_of(device).text();
    EXPECT_EQ(device.kernel_latency, Seconds{});
    EXPECT_EQ(device.price, DollarsPerSecond{});
}

TEST(DeviceSpec, computes_in_some_format) {
    DeviceSpec device;
    EXPECT_EQ(errors_of("name: x\npeak: {}\nmemory: {capacity: 1 GiB, bandwidth: 1 TB/s}\n", device),
              "x.yaml:2:7: error: peak: no rate at all (a device computes in some format)");
    EXPECT_EQ(errors_of("name: x\nmemory: {capacity: 1 GiB, bandwidth: 1 TB/s}\n", device),
              "x.yaml:1:1: error: peak: no rate at all (a device computes in some format)");
    EXPECT_EQ(
        errors_of("name: x\npeak: {int8: 92 TOPS}\nmemory: {capacity: 1 GiB, bandwidth: 34 GB/s}\n", device),
        "");
}

TEST(DeviceSpec, no_product_is_faster_than_the_peak) {
    constexpr const char* file = R"(name: x
peak: {{bf16: 100 TFLOPS}}
memory: {{capacity: 1 GiB, bandwidth: 1 TB/s}}
matmul: {{sustained: {{{}}}}}
)";
    DeviceSpec device;
    EXPECT_EQ(
        errors_of(fmt::format(file, "bf16: 101 TFLOPS"), device),
        "x.yaml:4:28: error: matmul.sustained.bf16: more than the peak of this format (peaks are dense, "
        "without sparsity; a file that states another peak than its base also states what its products "
        "sustain)");
    EXPECT_EQ(errors_of(fmt::format(file, "bf16: 100 TFLOPS"), device), "");
    EXPECT_EQ(errors_of(fmt::format(file, "fp32: 20 TFLOPS"), device), "");  // emulated
}

TEST(DeviceSpec, reports_every_error_of_a_file_at_its_place) {
    DeviceSpec device;
    const std::string errors = errors_of(R"(name: x
peak: {bf16: -1 TFLOPS, fp8: 2 TFLOPS}
memory: {capacity: 1 GiB, bandwidth: 0 TB/s}
matmul: {aera: 3}
kernel_latency: 5 GB
)",
                                         device);
    EXPECT_NE(errors.find("x.yaml:2:14: error: peak.bf16:"), std::string::npos) << errors;
    EXPECT_NE(errors.find("x.yaml:3:38: error: memory.bandwidth:"), std::string::npos) << errors;
    EXPECT_NE(errors.find("did you mean 'area'"), std::string::npos) << errors;
    EXPECT_NE(errors.find("x.yaml:5:17: error: kernel_latency:"), std::string::npos) << errors;
}

TEST(DeviceSpec, names_no_field_twice) {
    DeviceSpec device;
    config::FieldIndex index;
    index.add("device", device);
    std::set<std::string> paths;
    for (const config::FieldRef& field : index.fields()) {
        EXPECT_TRUE(paths.insert(field.info().path).second) << field.info().path;
    }
    EXPECT_TRUE(paths.contains("device.memory.capacity"));
    EXPECT_TRUE(paths.contains("device.matmul.sustained.fp8"));
}

}  // namespace
}  // namespace dse::hardware
