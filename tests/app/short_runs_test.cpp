#include "app/short_runs.hpp"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dse::app {
namespace {

using ::testing::HasSubstr;
using Facts = std::vector<std::pair<std::string, std::string>>;

/// Rows with these highest rates, of a sweep of 2,000 requests with a level of 2 s for the first token.
std::string text_of(const std::vector<double>& rates, const Facts& more = {}) {
    results::Table table;
    table.schema.metrics = {{"max_request_rate", "1/s"}};
    table.schema.sweep.facts = {{"workload.mode", "serving"}, {"workload.traffic.requests", "2000"}};
    for (const char* latency : {"ttft", "e2e"}) {
        for (const char* statistic : {"mean", "p50", "p90", "p95"})
            table.schema.sweep.facts.emplace_back(std::string{"workload.slo."} + latency + "_" + statistic,
                                                  "0");
    }
    table.schema.sweep.facts.insert(table.schema.sweep.facts.end(),
                                    {{"workload.slo.ttft_p99", "2"}, {"workload.slo.e2e_p99", "0"}});
    if (more.empty()) table.schema.sweep.facts.emplace_back("workload.traffic.trace", "");
    for (const auto& fact : more) table.schema.sweep.facts.push_back(fact);
    table.metrics = {rates};
    table.point_id.assign(rates.size(), 0);
    table.status.assign(rates.size(), space::Status::ok);
    ShortRuns runs{table.schema};
    runs.add(table, table.status);
    return runs.text();
}

TEST(ShortRuns, AreThoseWhoseRequestsArriveWithinAFewLevels) {
    // 2,000 requests at 90 per second arrive in 22 s, at 110 in 18 s, of 10 · 2 s.
    EXPECT_EQ(text_of({90.0, 0.0, std::numeric_limits<double>::quiet_NaN()}), "");
    EXPECT_THAT(text_of({90.0, 110.0, 5000.0}), HasSubstr("TOO FEW REQUESTS for max_request_rate of 2 rows"));
}

TEST(ShortRuns, OfTracesNothingIsKnown) {
    EXPECT_EQ(text_of({5000.0}, {{"workload.traffic.trace", "own.csv"}}), "");
}

}  // namespace
}  // namespace dse::app
