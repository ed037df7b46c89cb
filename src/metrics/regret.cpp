#include "dse/metrics/regret.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace dse::metrics {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// Lower is better.
double cost_of(double answer, Direction direction) {
    if (std::isnan(answer)) return infinite;
    return direction == Direction::minimize ? answer : 1.0 / answer;
}

}  // namespace

std::vector<std::vector<double>> regrets(const std::vector<std::vector<double>>& answers,
                                         Direction direction) {
    std::vector<std::vector<double>> result = answers;
    const std::size_t draws = answers.empty() ? 0 : answers.front().size();
    for (std::size_t draw = 0; draw < draws; ++draw) {
        double best = infinite;
        for (const std::vector<double>& own : answers) best = std::min(best, cost_of(own[draw], direction));
        const bool is_known = best > 0.0 && std::isfinite(best);
        for (std::size_t design = 0; design < answers.size(); ++design)
            result[design][draw] = is_known ? cost_of(answers[design][draw], direction) / best - 1.0
                                            : std::numeric_limits<double>::quiet_NaN();
    }
    return result;
}

RegretSummary summed_up(std::vector<double> regrets) {
    std::erase_if(regrets, [](double regret) { return std::isnan(regret); });
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    if (regrets.empty()) return {unknown, unknown, unknown};
    std::sort(regrets.begin(), regrets.end());
    const auto number = static_cast<double>(regrets.size());
    const auto ninth = static_cast<std::size_t>(std::ceil(0.9 * number - 1e-9));
    return {std::accumulate(regrets.begin(), regrets.end(), 0.0) / number, regrets[ninth - 1],
            regrets.back()};
}

}  // namespace dse::metrics
