#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "dse/base/units.hpp"
#include "dse/config/range.hpp"

namespace dse::graph {

/// The latencies of a request (MLPerf inference; vLLM): time to first token, time per output token after it,
/// gap between two tokens, and all of it.
inline constexpr std::array<std::string_view, 4> latency_names{"ttft", "tpot", "itl", "e2e"};

/// What is said of each: the mean, and percentiles.
inline constexpr std::array<std::string_view, 5> statistic_names{"mean", "p50", "p90", "p95", "p99"};

/// Latencies that are promised, by latency and statistic; 0 where nothing is.
struct ServiceLevels {
    std::array<std::array<Seconds, statistic_names.size()>, latency_names.size()> most{};
    /// Bracket the highest rate that keeps them to within this share of it; 0: do not look for it.
    double rate_within{0.0};
    friend bool operator==(const ServiceLevels&, const ServiceLevels&) = default;
};

template <class Visitor>
void describe(Visitor& v, ServiceLevels& levels) {
    static constexpr const char* names[latency_names.size()][statistic_names.size()] = {
        {"ttft_mean", "ttft_p50", "ttft_p90", "ttft_p95", "ttft_p99"},
        {"tpot_mean", "tpot_p50", "tpot_p90", "tpot_p95", "tpot_p99"},
        {"itl_mean", "itl_p50", "itl_p90", "itl_p95", "itl_p99"},
        {"e2e_mean", "e2e_p50", "e2e_p90", "e2e_p95", "e2e_p99"}};
    for (std::size_t latency = 0; latency < levels.most.size(); ++latency) {
        for (std::size_t statistic = 0; statistic < levels.most[latency].size(); ++statistic)
            v.optional(names[latency][statistic], levels.most[latency][statistic], config::not_negative,
                       "serving: promised at most; 0: nothing is");
    }
    v.optional("rate_within", levels.rate_within, config::between(0, 1),
               "serving: look for the highest rate that keeps the levels, to within this share");
}

}  // namespace dse::graph
