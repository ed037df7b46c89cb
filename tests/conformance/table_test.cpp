#include "dse/model/compute/table.hpp"

#include <functional>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "conformance/conformance_data.hpp"
#include "conformance/csv.hpp"
#include "conformance/error_summary.hpp"
#include "model/devices.hpp"
#include "model/works.hpp"

/// The shipped tables hold a part of what was measured: held against the other rows, beside the roofline.
namespace dse::conformance {
namespace {

using graph::Precision;
using model::Roofline;
using model::Table;

using Kept = std::function<bool(const CsvRow&)>;

struct Errors {
    ErrorSummary table;
    ErrorSummary roofline;
};

class TableConformance : public ConformanceData {
  protected:
    /// Products that are no row of the table. \param kept  which rows of the file belong to device and format
    Errors products(const hardware::DeviceSpec& device, const std::string& file, Precision precision,
                    const Kept& kept) const {
        const Table table{device, Seconds{}};
        const Roofline roofline{device, Seconds{}};
        std::set<std::array<double, 4>> seen;
        for (const hardware::MeasuredRow& row : *device.table.rows)
            seen.insert({row.batch, row.m, row.n, row.k});
        Errors errors;
        for (const CsvRow& row : read_csv(path("measured/" + file))) {
            const double batch = row.contains("B") ? number(row, "B") : 1.0;
            const std::array<double, 4> shape{batch, number(row, "M"), number(row, "N"), number(row, "K")};
            if (!kept(row) || seen.contains(shape)) continue;
            const graph::Compute work = model::matmul(shape[0], shape[1], shape[2], shape[3], precision);
            errors.table.add(table.time(work).value() * 1e6, number(row, "latency_us"));
            errors.roofline.add(roofline.time(work).value() * 1e6, number(row, "latency_us"));
        }
        return errors;
    }

    /// Kernels that move so many arrays. The table holds medians over bins of them.
    Errors streams(const hardware::DeviceSpec& device, const std::string& file, graph::OpClass op_class,
                   double bytes_an_element, const Kept& kept) const {
        const Table table{device, Seconds{}};
        const Roofline roofline{device, Seconds{}};
        Errors errors;
        for (const CsvRow& row : read_csv(path("measured/" + file))) {
            if (!kept(row)) continue;
            const graph::Compute work =
                model::streaming(op_class, number(row, "elems") * bytes_an_element, 0.0);
            errors.table.add(table.time(work).value() * 1e6, number(row, "latency_us"));
            errors.roofline.add(roofline.time(work).value() * 1e6, number(row, "latency_us"));
        }
        return errors;
    }

    static void report(const char* what, const Errors& errors) {
        fmt::print("{:<44} {:>4} rows, table {:5.1f} % (median {:4.1f} %), roofline {:5.1f} %\n", what,
                   errors.table.count(), 100 * errors.table.mean_absolute(),
                   100 * errors.table.median_absolute(), 100 * errors.roofline.mean_absolute());
    }
};

Kept where(std::string column, std::string value) {
    return [column = std::move(column), value = std::move(value)](const CsvRow& row) {
        return row.at(column).find(value) != std::string::npos;
    };
}

Kept both(Kept a, Kept b) {
    return [a = std::move(a), b = std::move(b)](const CsvRow& row) { return a(row) && b(row); };
}

TEST_F(TableConformance, products_on_gpus) {
    const auto a100 = model::catalogue_device("a100_80_sxm");
    const auto h100 = model::catalogue_device("h100_sxm");
    const char* vidur = "calibration_gemm_vidur_a100_h100.csv";
    const Errors on_a100 = products(a100, vidur, Precision::fp16, where("device", "A100"));
    const Errors on_h100 = products(h100, vidur, Precision::fp16, where("device", "H100"));
    report("A100 fp16 (Vidur)", on_a100);
    report("H100 fp16 (Vidur)", on_h100);
    EXPECT_GT(on_a100.table.count(), 500U);
    EXPECT_LT(on_a100.table.mean_absolute(), 0.065);
    EXPECT_LT(on_h100.table.mean_absolute(), 0.08);
    EXPECT_LT(on_h100.table.mean_absolute(), on_h100.roofline.mean_absolute());
    const auto b200 = model::catalogue_device("b200_sxm");
    const char* xla = "calibration_gemm_xla_b200_sm100.csv";
    const Errors bf16 = products(b200, xla, Precision::bf16, where("dtype", "bf16xbf16"));
    const Errors fp8 = products(b200, xla, Precision::fp8, where("dtype", "f8e4m3fnxf8e4m3fn"));
    report("B200 bf16 (XLA)", bf16);
    report("B200 fp8 (XLA)", fp8);
    EXPECT_LT(bf16.table.mean_absolute(), 0.04);
    EXPECT_LT(fp8.table.mean_absolute(), 0.055);
}

TEST_F(TableConformance, products_on_a_tpu) {
    const Errors errors = products(model::catalogue_device("tpu_v4"), "calibration_gemm_tpuv4.csv",
                                   Precision::fp16, [](const CsvRow&) { return true; });
    report("TPU v4 fp16", errors);
    EXPECT_LT(errors.table.mean_absolute(), 0.065);
    EXPECT_GT(errors.roofline.mean_absolute(), 4 * errors.table.mean_absolute());
}

TEST_F(TableConformance, kernels_that_stream) {
    using graph::OpClass;
    const auto tpu = model::catalogue_device("tpu_v4");
    const char* on_tpu = "calibration_elementwise_tpuv4.csv";
    const Errors add = streams(tpu, on_tpu, OpClass::elementwise, 6.0, where("op", "add"));
    const Errors relu = streams(tpu, on_tpu, OpClass::elementwise, 4.0, where("op", "relu"));
    const Errors norm = streams(tpu, on_tpu, OpClass::normalization, 4.0, where("op", "layer_norm"));
    report("TPU v4 add", add);
    report("TPU v4 relu, whose rows the table has not seen", relu);
    report("TPU v4 layer norm", norm);
    EXPECT_LT(add.table.mean_absolute(), 0.06);
    EXPECT_LT(relu.table.mean_absolute(), 0.08);
    EXPECT_LT(norm.table.mean_absolute(), 0.05);
    const auto a100 = model::catalogue_device("a100_80_sxm");
    const Errors gpu = streams(a100, "calibration_elementwise_vidur_a100_h100.csv", OpClass::elementwise, 6.0,
                               both(where("device", "A100"), where("op", "add")));
    report("A100 fp16 add", gpu);
    // Whole microseconds; one size that was measured twice differs by a factor of up to two.
    EXPECT_LT(gpu.table.mean_absolute(), 0.18);
    const auto pcie = model::catalogue_device("a100_80_pcie");
    const Errors softmax =
        streams(pcie, "calibration_elementwise_neusight_fp32_a100_h100.csv", OpClass::softmax, 8.0,
                both(where("device", "A100 80GB PCIe"), where("op", "softmax")));
    report("A100 PCIe fp32 softmax", softmax);
    EXPECT_LT(softmax.table.mean_absolute(), 0.15);
}

}  // namespace
}  // namespace dse::conformance
