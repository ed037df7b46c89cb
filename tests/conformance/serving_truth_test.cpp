#include <fmt/format.h>
#include <gtest/gtest.h>

#include "conformance/conformance_data.hpp"
#include "dse/eval/validation/validate_serving.hpp"
#include "support/source_dir.hpp"

/// Measured deployments, predicted from their sizes and what is known of their engines.
namespace dse::conformance {
namespace {

using eval::ServingSummary;

std::vector<ServingSummary> summaries_of(const std::string& table) {
    const config::Library library({DSE_SOURCE_DIR});
    config::Diagnostics diagnostics;
    const std::string file = std::string{DSE_SOURCE_DIR} + "/workloads/measured/serving.yaml";
    const auto facts = eval::read_serving_facts(config::load_yaml(file, diagnostics), diagnostics);
    diagnostics.throw_if_any();
    return eval::summarize(eval::validate_serving(eval::read_serving_rows(table), facts, library));
}

const ServingSummary& named(const std::vector<ServingSummary>& all, const std::string& name) {
    for (const ServingSummary& each : all) {
        if (each.name == name) return each;
    }
    throw std::runtime_error("no deployments: " + name);
}

TEST_F(ConformanceData, deployments_meet_their_measured_latencies) {
    const auto summaries = summaries_of(path("serving/serving_points.csv"));
    for (const ServingSummary& s : summaries) {
        fmt::print(
            "  {:<56} {:>3} rows, tpot {:5.1f} % ({:+6.1f} %), ttft {:5.1f} % ({:+6.1f} %), request {:5.1f} "
            "%\n",
            s.name, s.tpot.rows, 100 * s.tpot.median, 100 * s.tpot.bias, 100 * s.ttft.median,
            100 * s.ttft.bias, 100 * s.request.median);
    }
    const ServingSummary& one = named(summaries, "one pool");
    EXPECT_GE(one.tpot.rows, 900U);
    EXPECT_LE(one.tpot.median, 0.06);
    EXPECT_LE(one.ttft.median, 0.15);
    EXPECT_LE(one.request.median, 0.06);
    const ServingSummary& two = named(summaries, "two pools");
    EXPECT_GE(two.tpot.rows, 30U);
    EXPECT_LE(two.tpot.median, 0.09);
    EXPECT_LE(two.ttft.median, 0.25);
    EXPECT_LE(two.request.median, 0.09);
}

}  // namespace
}  // namespace dse::conformance
