#include "eval/serve/class_values.hpp"

#include <array>

#include "dse/metrics/metrics.hpp"

namespace dse::eval {
namespace {

constexpr std::array latencies_of_columns{serving::Latency::ttft, serving::Latency::tpot,
                                          serving::Latency::e2e};

}  // namespace

std::vector<double> class_values(const serving::Outcome& outcome, bool states_levels) {
    std::vector<double> values;
    for (const serving::ClassOutcome& one : outcome.classes) {
        for (const serving::Latency latency : latencies_of_columns) {
            values.insert(values.end(), one.latency[latency].begin(), one.latency[latency].end());
        }
        const auto good = static_cast<double>(one.good);
        const auto sent = static_cast<double>(one.answered + one.refused + one.lost);
        values.push_back(static_cast<double>(one.answered));
        values.push_back(states_levels ? good / outcome.duration : metrics::not_a_number);
        values.push_back(states_levels && sent > 0.0 ? good / sent : metrics::not_a_number);
        values.push_back(one.worst_level);
    }
    return values;
}

}  // namespace dse::eval
