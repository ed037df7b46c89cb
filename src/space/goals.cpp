#include "dse/space/goals.hpp"

#include <algorithm>

namespace dse::space {

Goals::Goals(const std::vector<metrics::Objective>& objectives, const std::vector<std::string>& more) {
    for (const metrics::Objective& objective : objectives) {
        Goal goal;
        goal.sign = objective.direction == metrics::Direction::minimize ? 1.0 : -1.0;
        const auto own = std::find(more.begin(), more.end(), objective.metric);
        if (own != more.end()) {
            goal.index = static_cast<std::size_t>(own - more.begin());
        } else {
            goal.member = metrics::metric_field(objective.metric).member;
        }
        goals_.push_back(goal);
    }
}

std::vector<double> Goals::costs(const Record& record) const {
    std::vector<double> costs;
    costs.reserve(goals_.size());
    for (const Goal& goal : goals_) {
        const bool lacks = goal.member == nullptr && goal.index >= record.more.size();
        const double value = lacks                    ? metrics::not_a_number
                             : goal.member != nullptr ? record.metrics.*goal.member
                                                      : record.more[goal.index];
        costs.push_back(goal.sign * value);
    }
    return costs;
}

}  // namespace dse::space
