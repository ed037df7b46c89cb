#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "conformance/conformance_data.hpp"
#include "conformance/csv.hpp"
#include "conformance/error_summary.hpp"
#include "dse/model/compute/roofline.hpp"
#include "model/devices.hpp"
#include "model/works.hpp"

/// Matrix products with their published rates: chips and formats that the tables of calibration lack.
namespace dse::conformance {
namespace {

using graph::Precision;
using model::Roofline;

const std::map<std::string, std::string> devices{
    {"A100-80-PCIe", "a100_80_pcie"},
    {"A100-80-SXM", "a100_80_sxm"},
    {"B200 (sm_100)", "b200_sxm"},
    {"B200-SXM", "b200_sxm"},
    {"B300-SXM", "b300_sxm"},
    {"GB200", "gb200"},
    {"GH200", "gh200"},
    {"Gaudi2", "gaudi2"},
    {"Gaudi3", "gaudi3"},
    {"H100-SXM-80", "h100_sxm"},
    {"H100-SXM-80 (sm_90)", "h100_sxm"},
    {"MI210", "mi210"},
    {"MI300X", "mi300x"},
    {"MI325X", "mi325x"},
    {"MI355X", "mi355x"},
    {"TPU-v7x (per device = half chip)", "tpu_v7x_core"},
};

const std::map<std::string, Precision> precisions{{"fp16", Precision::fp16},
                                                  {"bf16", Precision::bf16},
                                                  {"fp8 e4m3", Precision::fp8},
                                                  {"f32 (runs as TF32)", Precision::tf32}};

/// The devices of those chips, with the rates of single products.
std::map<std::string, hardware::DeviceSpec> read_devices() {
    std::map<std::string, hardware::DeviceSpec> read;
    for (const auto& [chip, name] : devices) {
        hardware::DeviceSpec device = model::catalogue_device(name);
        device.matmul.in_training = 1.0;
        read.emplace(chip, std::move(device));
    }
    return read;
}

/// What the roofline may err by on the mean over so many products.
struct Bound {
    std::size_t rows;
    double mean;
};

// Single products err in many ways that steps do not see: XLA's runs are short, the operands of small
// products lie in caches, and the best shapes were searched for.
const std::map<std::string, Bound> bounds{
    {"A100-80-SXM, fp16", {10, 0.30}},
    {"B200 (sm_100), bf16", {228, 0.045}},
    {"B200 (sm_100), f32 (runs as TF32)", {228, 0.075}},
    {"B200 (sm_100), fp8 e4m3", {228, 0.08}},
    {"H100-SXM-80 (sm_90), bf16", {228, 0.145}},
    {"H100-SXM-80 (sm_90), f32 (runs as TF32)", {228, 0.175}},
    {"MI210, fp16", {11, 0.31}},
    {"TPU-v7x (per device = half chip), bf16", {8, 0.28}},
    {"best shapes of twelve chips", {12, 0.145}},
};

TEST_F(ConformanceData, products_meet_their_published_rates) {
    const std::map<std::string, hardware::DeviceSpec> chips = read_devices();
    std::map<std::string, ErrorSummary> groups;
    for (const CsvRow& row : read_csv(path("truth/ops_truth.csv"))) {
        if (!row.at("op").starts_with("gemm")) continue;
        graph::Compute work = model::matmul(number(row, "b"), number(row, "m"), number(row, "n"),
                                            number(row, "k"), precisions.at(row.at("dtype")));
        // These kernels write results of 16 bits or more, whatever they read.
        if (work.precision == Precision::fp8) work.written *= 2.0;
        const double measured = work.model_flop.value() / (number(row, "value") * 1e12);
        const bool single = row.at("op") == "gemm";
        groups[single ? row.at("chip") + ", " + row.at("dtype") : "best shapes of twelve chips"].add(
            Roofline{chips.at(row.at("chip")), Seconds{}}.time(work).value(), measured);
    }
    for (const auto& [group, errors] : groups) {
        fmt::print("  {:<40} {:>3} products, mean error {:5.1f} %, median {:5.1f} %, bias {:+5.1f} %\n",
                   group, errors.count(), 100 * errors.mean_absolute(), 100 * errors.median_absolute(),
                   100 * errors.bias());
        const Bound& bound = bounds.at(group);
        EXPECT_EQ(errors.count(), bound.rows) << group;
        EXPECT_LT(errors.mean_absolute(), bound.mean) << group;
    }
    EXPECT_EQ(groups.size(), bounds.size());
}

}  // namespace
}  // namespace dse::conformance
