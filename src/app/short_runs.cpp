#include "app/short_runs.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/human.hpp"
#include "dse/base/error.hpp"

namespace dse::app {
namespace {

/// Highest rates of qwen3_8b on 8 and 32 B200s and H100s (first token within 2 s, 500 to 64,000 requests):
/// where the arrivals last 33 levels 4 % above those of the longest runs, 15 levels 9 %, 7 levels 18 %, 3
/// levels half; where they last less than one, four to sixty times as high.
constexpr int least_levels = 10;

/// "requests < 10 * rate * level", of each level of a request; those that are not stated are 0.
std::string condition() {
    std::vector<std::string> parts;
    for (const char* latency : {"ttft", "e2e"}) {
        for (const char* statistic : {"mean", "p50", "p90", "p95", "p99"})
            parts.push_back(fmt::format("traffic.requests < {} * max_request_rate * slo.{}_{}", least_levels,
                                        latency, statistic));
    }
    return fmt::format("{}", fmt::join(parts, " or "));
}

bool is_fact(const results::ResultSchema& schema, std::string_view path, std::string_view value) {
    return std::ranges::any_of(schema.sweep.facts,
                               [&](const auto& fact) { return fact.first == path && fact.second == value; });
}

}  // namespace

ShortRuns::ShortRuns(const results::ResultSchema& schema) {
    // Of a trace the number of requests is that of its lines.
    if (!is_fact(schema, "workload.mode", "serving") || !is_fact(schema, "workload.traffic.trace", ""))
        return;
    try {
        is_short_.emplace(schema, std::vector{condition()});
    } catch (const InputError&) {
        // Nothing is searched for, or classes of requests have levels of their own.
    }
}

void ShortRuns::add(const results::Table& block, std::span<const space::Status> shown) {
    if (!is_short_) return;
    for (std::size_t row = 0; row < block.rows(); ++row)
        rows_ += shown[row] == space::Status::ok && is_short_->hold(block, row) ? 1 : 0;
}

std::string ShortRuns::text() const {
    if (rows_ == 0) return "";
    return fmt::format(
        "TOO FEW REQUESTS for max_request_rate of {}: at this rate all of them arrive within {} times what "
        "slo allows, in which no queue grows (raise traffic.requests)\n",
        counted(rows_, "row"), least_levels);
}

}  // namespace dse::app
