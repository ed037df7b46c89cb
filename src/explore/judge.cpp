#include "explore/judge.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::explore {
namespace {

constexpr double unknown = std::numeric_limits<double>::infinity();

/// Added to the violation of points that do not fit into memory, so that they are farther from feasible than
/// those that break constraints on their answer, of which everything is known.
constexpr double beyond_constraints = 1e6;

}  // namespace

Judge::Judge(std::shared_ptr<const space::Space> space, const std::vector<metrics::Objective>& objectives)
    : answers_{std::move(space)} {
    if (objectives.empty()) throw InputError("a search that learns needs an objective (objectives: …)");
    for (const metrics::Objective& objective : objectives) {
        const auto slot = answers_.slot(objective.metric);
        if (!slot) throw InputError(fmt::format("objective '{}' is not a metric", objective.metric));
        goals_.push_back({*slot, objective.direction == metrics::Direction::minimize ? 1.0 : -1.0});
    }
}

Solution Judge::judge(Genome genome, const space::Record& record) {
    Solution solution{std::move(genome), std::vector<double>(goals_.size(), metrics::not_a_number), unknown};
    if (record.status == space::Status::out_of_memory)
        solution.violation = beyond_constraints + shortage_in(record.reason);
    if (record.status != space::Status::ok) return solution;
    answers_.take(record.point.values, record.metrics, record.more);
    for (std::size_t i = 0; i < goals_.size(); ++i)
        solution.costs[i] = goals_[i].sign * answers_[goals_[i].slot];
    const bool answered = std::all_of(solution.costs.begin(), solution.costs.end(),
                                      [](double cost) { return std::isfinite(cost); });
    if (answered) solution.violation = answers_.violation();
    return solution;
}

double shortage_in(std::string_view reason) {
    constexpr std::string_view needs = "needs ";
    constexpr std::string_view of = "GiB of ";
    const std::size_t middle = reason.find(of);
    if (!reason.starts_with(needs) || middle == std::string_view::npos) return unknown;
    const double need = std::strtod(std::string{reason.substr(needs.size())}.c_str(), nullptr);
    const double have = std::strtod(std::string{reason.substr(middle + of.size())}.c_str(), nullptr);
    if (!(have > 0.0) || !(need >= have)) return unknown;
    return need / have - 1.0;
}

}  // namespace dse::explore
