#include "dse/model/compute/systolic.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "conformance/conformance_data.hpp"
#include "conformance/csv.hpp"
#include "conformance/error_summary.hpp"
#include "dse/model/compute/roofline.hpp"
#include "dse/model/compute/systolic/systolic_run.hpp"
#include "model/devices.hpp"
#include "model/works.hpp"

/// The closed forms of systolic arrays against SCALE-Sim v3, count by count.
namespace dse::conformance {
namespace {

using hardware::Dataflow;
using model::SystolicFolds;

Dataflow dataflow_of(const std::string& name) {
    return name == "os" ? Dataflow::os : name == "ws" ? Dataflow::ws : Dataflow::is;
}

class SystolicConformance : public ConformanceData {
  protected:
    /// \param utilization  agreement of percentages, which one file rounds
    static void compare(const SystolicFolds& folds, const CsvRow& row, double utilization = 1e-9) {
        const double cycles = number(row, "total_cycles");
        EXPECT_EQ(folds.cycles(), cycles);
        EXPECT_NEAR(100 * folds.overall_utilization(cycles), number(row, "overall_util"), utilization);
        EXPECT_NEAR(100 * folds.mapping_efficiency(), number(row, "mapping_eff"), utilization);
        EXPECT_NEAR(100 * folds.compute_utilization(), number(row, "compute_util"), utilization);
        EXPECT_EQ(folds.ifmap_reads(), number(row, "sram_if_reads"));
        EXPECT_EQ(folds.filter_reads(), number(row, "sram_fl_reads"));
        EXPECT_EQ(folds.ofmap_writes(), number(row, "sram_of_writes"));
    }

    static SystolicFolds folds(const CsvRow& row, const graph::GemmShape& product) {
        return {{number(row, "rows"), number(row, "cols"), dataflow_of(row.at("dataflow"))}, product};
    }

    static graph::GemmShape product(const CsvRow& row) {
        return {1, number(row, "M"), number(row, "N"), number(row, "K")};
    }
};

TEST_F(SystolicConformance, every_product_that_was_run) {
    std::size_t rows = 0;
    for (const CsvRow& row : read_csv(path("scale_sim/gemm_reference.csv"))) {
        EXPECT_EQ(row.at("stall_cycles"), "0");
        compare(folds(row, product(row)), row);
        ++rows;
    }
    EXPECT_EQ(rows, 86U);
}

TEST_F(SystolicConformance, every_product_of_the_closed_form) {
    std::size_t rows = 0;
    for (const CsvRow& row : read_csv(path("scale_sim/gemm_closed_form_all.csv"))) {
        compare(folds(row, product(row)), row);
        ++rows;
    }
    EXPECT_EQ(rows, 216U);
}

TEST_F(SystolicConformance, every_layer_of_resnet50) {
    std::size_t rows = 0;
    for (const CsvRow& row : read_csv(path("scale_sim/resnet50_128x128_ws.csv"))) {
        const SystolicFolds folds{{128, 128, Dataflow::ws}, product(row)};
        const double cycles = number(row, "total_cycles_scalesim");
        EXPECT_EQ(folds.cycles(), cycles) << row.at("layer");
        EXPECT_NEAR(100 * folds.overall_utilization(cycles), number(row, "overall_util"), 6e-4);
        EXPECT_NEAR(100 * folds.mapping_efficiency(), number(row, "mapping_eff"), 6e-4);
        ++rows;
    }
    EXPECT_EQ(rows, 54U);
}

/// Where the bandwidth is enough, limiting it changes nothing.
TEST_F(SystolicConformance, every_row_without_stalls_of_those_with_limited_bandwidth) {
    std::size_t rows = 0;
    for (const CsvRow& row : read_csv(path("scale_sim/user_bw_stall_reference.csv"))) {
        if (row.at("stall_cycles") != "0") continue;
        graph::GemmShape shape{1, 0, 0, 0};
        ASSERT_EQ(std::sscanf(row.at("dims").c_str(), "%lfx%lfx%lf", &shape.m, &shape.n, &shape.k), 3);
        compare(folds(row, shape), row);
        ++rows;
    }
    EXPECT_EQ(rows, 21U);
}

/// The device's constants were fitted to these rows; analysis/dse_analysis/fit_systolic.py says 7.0 % on
/// products that a fit has not seen. The authors' three regressions have 23 % there.
TEST_F(SystolicConformance, products_on_a_tpu_v4) {
    const hardware::DeviceSpec device = model::catalogue_cluster("tpu_v4_pod").device;
    const model::Systolic systolic{device, Seconds{}};
    const model::Roofline roofline{device, Seconds{}};
    ErrorSummary summary;
    ErrorSummary datasheet;
    for (const CsvRow& row : read_csv(path("measured/calibration_gemm_tpuv4.csv"))) {
        const graph::Compute work =
            model::matmul(1, number(row, "M"), number(row, "N"), number(row, "K"), graph::Precision::fp16);
        summary.add(systolic.time(work).value() * 1e6, number(row, "latency_us"));
        datasheet.add(roofline.time(work).value() * 1e6, number(row, "latency_us"));
    }
    fmt::print(
        "TPU v4 products: {} rows, mean error {:.1f} %, median {:.1f} %, bias {:+.1f} %; datasheet {:.1f} "
        "%\n",
        summary.count(), 100 * summary.mean_absolute(), 100 * summary.median_absolute(), 100 * summary.bias(),
        100 * datasheet.mean_absolute());
    EXPECT_EQ(summary.count(), 783U);
    EXPECT_LT(summary.mean_absolute(), 0.073);
    EXPECT_GT(datasheet.mean_absolute(), 3 * summary.mean_absolute());
}

}  // namespace
}  // namespace dse::conformance
