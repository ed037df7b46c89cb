#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "conformance/conformance_data.hpp"
#include "conformance/csv.hpp"
#include "conformance/error_summary.hpp"
#include "conformance/network_truth.hpp"
#include "dse/netsim/registry.hpp"
#include "model/devices.hpp"

/// NCCL's tuning model beside measured collectives, by system, size and network model.
namespace dse::conformance {
namespace {

constexpr std::array models{"nccl", "latency_bandwidth", "multi_dim", "astra_sim"};
using Errors = std::array<ErrorSummary, models.size()>;

/// Latency decides, or bandwidth, or both.
const char* size_class(double bytes) {
    if (bytes < 1048576.0) return "< 1 MiB";
    return bytes < 64.0 * 1048576.0 ? "1 to 64 MiB" : "from 64 MiB";
}

void print(const std::string& name, const Errors& errors) {
    fmt::print("  {:<64} {:>3}", name, errors[0].count());
    for (const ErrorSummary& of_model : errors) {
        fmt::print(" | {:5.1f} {:5.1f} {:+6.1f}", 100 * of_model.median_absolute(),
                   100 * of_model.mean_absolute(), 100 * of_model.bias());
    }
    fmt::print("\n");
}

using Networks = std::map<std::string, std::array<std::unique_ptr<model::NetworkModel>, models.size()>>;

const std::array<std::unique_ptr<model::NetworkModel>, models.size()>& networks_of(const std::string& cluster,
                                                                                   Networks& known) {
    auto& networks = known[cluster];
    if (networks[0] != nullptr) return networks;
    const hardware::NetworkSpec spec = model::catalogue_cluster(cluster).network;
    for (std::size_t m = 0; m < models.size(); ++m) {
        networks[m] = netsim::network_models().find(models[m])(spec);
    }
    return networks;
}

TEST_F(ConformanceData, nccl_meets_measured_collectives) {
    std::map<std::string, Errors> by_system;
    std::map<std::string, Errors> by_size;
    std::map<std::string, std::size_t> without;
    Errors all;
    Networks known;
    for (const CsvRow& row : read_csv(path("truth/network_truth.csv"))) {
        const char* cluster = cluster_of(row.at("system"));
        if (cluster == nullptr) {
            ++without[row.at("system")];
            continue;
        }
        const double bytes = number(row, "bytes");
        const std::string system =
            fmt::format("{:.30} {} x {}", row.at("system"), row.at("collective"), row.at("gpus"));
        const auto& networks = networks_of(cluster, known);
        for (std::size_t m = 0; m < models.size(); ++m) {
            const double predicted = predict(*networks[m], row) * 1e6;
            const double measured = number(row, "time_us");
            by_system[fmt::format("{}, {}", system, size_class(bytes))][m].add(predicted, measured);
            by_size[size_class(bytes)][m].add(predicted, measured);
            all[m].add(predicted, measured);
        }
    }
    fmt::print("median, mean and bias [%] of nccl | latency_bandwidth | multi_dim | astra_sim\n");
    for (const auto& [name, errors] : by_system) print(name, errors);
    for (const auto& [name, errors] : by_size) print(name, errors);
    print("all", all);
    for (const auto& [system, rows] : without) fmt::print("  no cluster: {} ({} rows)\n", system, rows);

    const ErrorSummary& nccl = all[0];
    EXPECT_EQ(nccl.count(), 332U);
    EXPECT_LT(nccl.median_absolute(), 0.09);
    EXPECT_LT(nccl.mean_absolute(), all[1].mean_absolute());
    EXPECT_LT(by_size["from 64 MiB"][0].median_absolute(), 0.05);
}

}  // namespace
}  // namespace dse::conformance
