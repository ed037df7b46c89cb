#include "conformance/network_truth.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "conformance/conformance_data.hpp"
#include "conformance/csv.hpp"
#include "conformance/error_summary.hpp"
#include "dse/model/network/latency_bandwidth.hpp"
#include "dse/netsim/registry.hpp"
#include "model/devices.hpp"

/// Collectives on the catalogue's clusters against measured times, from 1 KiB to 32 GiB.
namespace dse::conformance {
namespace {

using model::LatencyBandwidth;

/// Mean and median errors of a model over all rows of systems that the catalogue holds.
ErrorSummary errors_of(const std::string& name, const std::vector<CsvRow>& rows) {
    ErrorSummary errors;
    for (const CsvRow& row : rows) {
        const char* cluster = cluster_of(row.at("system"));
        if (cluster == nullptr) continue;
        const auto network = netsim::network_models().find(name)(model::catalogue_cluster(cluster).network);
        errors.add(predict(*network, row) * 1e6, number(row, "time_us"));
    }
    fmt::print("{}: {} rows, mean {:.1f} %, median {:.1f} %, bias {:+.1f} %\n", name, errors.count(),
               100 * errors.mean_absolute(), 100 * errors.median_absolute(), 100 * errors.bias());
    return errors;
}

/// Rows of XLA's tables for one machine (medians of single calls between two events of a stream).
std::vector<CsvRow> calls_of_xla(const std::string& path, const std::string& machine) {
    std::vector<CsvRow> found;
    for (const CsvRow& row : read_csv(path))
        if (row.at("system").starts_with(machine + " NVSwitch (XLA)")) found.push_back(row);
    return found;
}

/// What a short call takes beyond the device's own time as measured in graphs: the median of calls up to
/// 64 KiB [s].
double call_time(const std::vector<CsvRow>& rows, const model::NetworkModel& device) {
    std::vector<double> beyond;
    for (const CsvRow& row : rows)
        if (number(row, "bytes") <= 65536.0)
            beyond.push_back(number(row, "time_us") * 1e-6 - predict(device, row));
    std::nth_element(beyond.begin(), beyond.begin() + static_cast<std::ptrdiff_t>(beyond.size() / 2),
                     beyond.end());
    return beyond.at(beyond.size() / 2);
}

TEST_F(ConformanceData, models_of_dimensions_beside_measured_times) {
    const std::vector<CsvRow> rows = read_csv(path("truth/network_truth.csv"));
    EXPECT_LT(errors_of("multi_dim", rows).median_absolute(), 0.14);
    // Its own units, and a switch that seven messages leave at once at full bandwidth.
    errors_of("astra_sim", rows);
}

/// Eight MI355X, whose links are those of the MI350X. The row of 1 GiB of all-reduce set the efficiency.
TEST_F(ConformanceData, collectives_of_rccl_meet_their_measured_times) {
    const LatencyBandwidth model{model::catalogue_cluster("mi350x").network};
    ErrorSummary errors;
    for (const CsvRow& row : read_csv(path("truth/network_truth.csv"))) {
        const bool set_by_it = row.at("collective") == "all_reduce" && row.at("bytes") == "1073741824";
        if (row.at("chip") == "MI355X" && row.at("nodes") == "1" && !set_by_it)
            errors.add(predict(model, row) * 1e6, number(row, "time_us"));
    }
    fmt::print("MI355X: {} rows, mean {:.1f} %, median {:.1f} %, bias {:+.1f} %\n", errors.count(),
               100 * errors.mean_absolute(), 100 * errors.median_absolute(), 100 * errors.bias());
    EXPECT_GE(errors.count(), 20U);
    EXPECT_LT(errors.median_absolute(), 0.14);
}

/// Two nodes of eight MI300X, 1 to 8 GiB. The row of 16 GiB set the efficiency of the ports.
TEST_F(ConformanceData, all_reduces_of_rccl_over_two_nodes_meet_their_measured_times) {
    const hardware::NetworkSpec network = model::catalogue_cluster("mi300x_roce400").network;
    constexpr std::array<std::pair<const char*, double>, 3> bounds{
        {{"latency_bandwidth", 0.04}, {"multi_dim", 0.13}, {"nccl", 0.08}}};
    for (const auto& [name, bound] : bounds) {
        const auto model = netsim::network_models().find(name)(network);
        ErrorSummary errors;
        for (const CsvRow& row : read_csv(path("truth/network_truth.csv")))
            if (row.at("chip") == "MI300X" && row.at("bytes") != "17179869184")
                errors.add(predict(*model, row) * 1e6, number(row, "time_us"));
        fmt::print("MI300X, {}: {} rows, mean {:.1f} %, bias {:+.1f} %\n", name, errors.count(),
                   100 * errors.mean_absolute(), 100 * errors.bias());
        EXPECT_EQ(errors.count(), 4U);
        EXPECT_LT(errors.mean_absolute(), bound) << name;
    }
}

/// Each machine with the call time of the other: what XLA adds to a collective does not depend on the chip.
TEST_F(ConformanceData, single_calls_of_xla_take_the_call_time_of_another_machine) {
    const std::array<std::pair<const char*, const char*>, 2> machines{
        {{"8xH100", "h100_ndr400"}, {"8xB200", "dgx_b200"}}};
    ErrorSummary brief;
    ErrorSummary between;
    for (std::size_t m = 0; m < machines.size(); ++m) {
        const auto& [other, other_cluster] = machines[1 - m];
        hardware::NetworkSpec network = model::catalogue_cluster(other_cluster).network;
        const auto& calibrated = netsim::network_models().find("calibrated");
        const double time =
            call_time(calls_of_xla(path("truth/network_truth.csv"), other), *calibrated(network));
        fmt::print("{}: a call takes {:.1f} us\n", other, time * 1e6);
        EXPECT_NEAR(time, 19e-6, 1e-6) << other;
        network = model::catalogue_cluster(machines[m].second).network;
        network.nccl.call_time = Seconds{time};
        const auto model = calibrated(network);
        for (const CsvRow& row : calls_of_xla(path("truth/network_truth.csv"), machines[m].first)) {
            const double bytes = number(row, "bytes");
            if (bytes < 16e6)
                (bytes <= 65536.0 ? brief : between).add(predict(*model, row) * 1e6, number(row, "time_us"));
        }
    }
    for (const auto& [name, errors] : {std::pair{"up to 64 KiB", &brief}, {"between", &between}}) {
        fmt::print("XLA, {}: {} rows, mean {:.1f} %, median {:.1f} %, bias {:+.1f} %\n", name,
                   errors->count(), 100 * errors->mean_absolute(), 100 * errors->median_absolute(),
                   100 * errors->bias());
        EXPECT_EQ(errors->count(), 30U) << name;
        EXPECT_LT(errors->median_absolute(), 0.14) << name;
    }
}

TEST_F(ConformanceData, collectives_meet_their_measured_times) {
    constexpr double large = 16.0 * 1048576.0;
    std::map<std::string, ErrorSummary> by_system;
    ErrorSummary all;
    ErrorSummary all_large;
    std::size_t without_model = 0;
    for (const CsvRow& row : read_csv(path("truth/network_truth.csv"))) {
        const char* cluster = cluster_of(row.at("system"));
        if (cluster == nullptr) {
            ++without_model;
            continue;
        }
        const LatencyBandwidth model{model::catalogue_cluster(cluster).network};
        const double predicted = predict(model, row) * 1e6;
        const double measured = number(row, "time_us");
        const bool is_large = number(row, "bytes") >= large;
        all.add(predicted, measured);
        if (is_large) all_large.add(predicted, measured);
        by_system[fmt::format("{:.34} {} over {}{}", row.at("system"), row.at("collective"), row.at("gpus"),
                              is_large ? "" : ", below 16 MiB")]
            .add(predicted, measured);
    }
    fmt::print("latency_bandwidth, error by system:\n");
    for (const auto& [system, errors] : by_system) {
        fmt::print("  {:<70} {:>3} rows, mean {:5.1f} %, bias {:+6.1f} %\n", system, errors.count(),
                   100 * errors.mean_absolute(), 100 * errors.bias());
    }
    fmt::print(
        "  all: {} rows, mean {:.1f} %, median {:.1f} %; from 16 MiB: {} rows, mean {:.1f} %, median {:.1f} "
        "%; "
        "{} rows of systems that the catalogue does not hold\n",
        all.count(), 100 * all.mean_absolute(), 100 * all.median_absolute(), all_large.count(),
        100 * all_large.mean_absolute(), 100 * all_large.median_absolute(), without_model);
    EXPECT_GT(all.count(), 250U);
    EXPECT_LT(all.median_absolute(), 0.14);
    EXPECT_LT(all_large.median_absolute(), 0.09);
}

}  // namespace
}  // namespace dse::conformance
