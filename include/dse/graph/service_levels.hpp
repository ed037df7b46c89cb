#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "dse/base/units.hpp"
#include "dse/config/range.hpp"

namespace dse::graph {

/// The latencies of a request (MLPerf inference; vLLM): time to first token, time per output token after the
/// first, inter-token latency, and end-to-end latency.
inline constexpr std::array<std::string_view, 4> latency_names{"ttft", "tpot", "itl", "e2e"};

/// The statistics of each latency.
inline constexpr std::array<std::string_view, 5> statistic_names{"mean", "p50", "p90", "p95", "p99"};

/// Upper limits on latencies (service levels), by latency and statistic; 0: no limit.
struct ServiceLevels {
    std::array<std::array<Seconds, statistic_names.size()>, latency_names.size()> most{};
    /// Relative width to which the highest request rate that meets the levels is bracketed; 0: not searched
    /// for.
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
                       "serving: upper limit of this latency; 0: none");
    }
    v.optional("rate_within", levels.rate_within, config::between(0, 1),
               "serving: relative accuracy of the highest rate that meets the levels; 0: not searched for");
}

}  // namespace dse::graph
