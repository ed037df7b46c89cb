#include <functional>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "conformance/conformance_data.hpp"
#include "conformance/csv.hpp"
#include "conformance/error_summary.hpp"
#include "dse/model/compute/roofline.hpp"
#include "model/devices.hpp"
#include "model/works.hpp"

/// Matrix products of the catalogue's devices against measured kernel times.
namespace dse::conformance {
namespace {

using graph::Precision;
using model::Roofline;

class GemmCalibration : public ConformanceData {
  protected:
    /// \param kept  which rows of the table belong to the device and format
    ErrorSummary errors(hardware::DeviceSpec device, const std::string& file, Precision precision,
                        const std::function<bool(const CsvRow&)>& kept) const {
        device.matmul.in_training = 1.0;  // the tables hold single products
        const Roofline roofline{device, Seconds{}};
        ErrorSummary summary;
        for (const CsvRow& row : read_csv(path("measured/" + file))) {
            if (!kept(row)) continue;
            const double batch = row.contains("B") ? number(row, "B") : 1.0;
            graph::Compute work =
                model::matmul(batch, number(row, "M"), number(row, "N"), number(row, "K"), precision);
            // These kernels write 16-bit results, whatever they read.
            work.written = Bytes{2.0 * batch * number(row, "M") * number(row, "N")};
            summary.add(roofline.time(work).value() * 1e6, number(row, "latency_us"));
        }
        return summary;
    }

    static void report(const char* what, const ErrorSummary& summary) {
        fmt::print("{:<44} {:>4} rows, mean error {:5.1f} %, median {:5.1f} %, bias {:+5.1f} %\n", what,
                   summary.count(), 100 * summary.mean_absolute(), 100 * summary.median_absolute(),
                   100 * summary.bias());
    }
};

std::function<bool(const CsvRow&)> where(std::string column, std::string beginning) {
    return [column = std::move(column), beginning = std::move(beginning)](const CsvRow& row) {
        return row.at(column).starts_with(beginning);
    };
}

/// The same device with nothing but its rates: what the GEMM form has to beat.
hardware::DeviceSpec plain(hardware::DeviceSpec device) {
    device.matmul.area = 0.0;
    device.matmul.depth = 0.0;
    device.matmul.sharpness = 0.0;
    return device;
}

TEST_F(GemmCalibration, a100_in_long_runs) {
    const auto device = model::catalogue_cluster("dgx_a100_hdr200").device;
    const char* file = "calibration_gemm_vidur_a100_h100.csv";
    const auto summary = errors(device, file, Precision::fp16, where("device", "A100"));
    const auto roofline = errors(plain(device), file, Precision::fp16, where("device", "A100"));
    report("A100 fp16 (Vidur)", summary);
    report("  as a plain roofline", roofline);
    EXPECT_EQ(summary.count(), 773U);
    EXPECT_LT(summary.mean_absolute(), 0.065);
    EXPECT_GT(roofline.mean_absolute(), summary.mean_absolute() + 0.02);
}

TEST_F(GemmCalibration, h100_in_long_runs) {
    const auto device = model::catalogue_cluster("h100_ndr400").device;
    const char* file = "calibration_gemm_vidur_a100_h100.csv";
    const auto summary = errors(device, file, Precision::fp16, where("device", "H100"));
    const auto roofline = errors(plain(device), file, Precision::fp16, where("device", "H100"));
    report("H100 fp16 (Vidur)", summary);
    report("  as a plain roofline", roofline);
    EXPECT_EQ(summary.count(), 677U);
    EXPECT_LT(summary.mean_absolute(), 0.08);
    EXPECT_GT(roofline.mean_absolute(), summary.mean_absolute() + 0.02);
}

/// Short runs boost the clock and keep their operands in the cache: other constants, same form.
TEST_F(GemmCalibration, h100_in_short_runs) {
    auto device = model::catalogue_cluster("h100_ndr400").device;
    const char* file = "calibration_gemm_xla_h100_sm90.csv";
    report("H100 bf16 (XLA), constants of long runs",
           errors(device, file, Precision::bf16, where("dtype", "bf16")));
    device.matmul.sustained.bf16 = FlopPerSecond{931e12};
    device.efficiency.gemm = 1.0;
    device.memory = {device.memory.capacity, BytesPerSecond{4176e9}, 1.0};
    device.matmul.area = 4.3e5;
    device.matmul.depth = 212.0;
    device.matmul.sharpness = 5.5;
    device.kernel_latency = Seconds{5.0e-6};
    const auto summary = errors(device, file, Precision::bf16, where("dtype", "bf16"));
    report("H100 bf16 (XLA)", summary);
    EXPECT_EQ(summary.count(), 168U);
    EXPECT_LT(summary.mean_absolute(), 0.04);
}

TEST_F(GemmCalibration, b200_in_both_formats) {
    auto device = model::catalogue_cluster("dgx_b200").device;
    const char* file = "calibration_gemm_xla_b200_sm100.csv";
    const auto bf16 = errors(device, file, Precision::bf16, where("dtype", "bf16"));
    report("B200 bf16 (XLA)", bf16);
    report("  as a plain roofline", errors(plain(device), file, Precision::bf16, where("dtype", "bf16")));
    // Loaded devices sustain 3432 TFLOP/s in fp8; these runs are short.
    report("B200 fp8 (XLA), rate of long runs",
           errors(device, file, Precision::fp8, where("dtype", "f8e4m3fnxf8e4m3fn")));
    device.matmul.sustained.fp8 = FlopPerSecond{3860e12} / device.efficiency.gemm;
    const auto fp8 = errors(device, file, Precision::fp8, where("dtype", "f8e4m3fnxf8e4m3fn"));
    report("B200 fp8 (XLA)", fp8);
    EXPECT_EQ(bf16.count(), 168U);
    EXPECT_LT(bf16.mean_absolute(), 0.05);
    EXPECT_LT(fp8.mean_absolute(), 0.055);
}

}  // namespace
}  // namespace dse::conformance
