#pragma once

#include <map>

#include "dse/space/record.hpp"
#include "dse/space/sweep_spec.hpp"

namespace dse::explore {

/// Use of a search's time budgets: the time of the evaluations it was told of, taken from their rows, so that
/// a resumed run ends where the original would have ended.
class Spending {
  public:
    explicit Spending(const space::SearchSpec& search)
        : time_{search.time_budget.value()}, cpu_{search.cpu_budget.value()} {}

    void add(const space::Record& record);

    /// Used fraction of the budget that is closest to its end; 0 without budgets.
    [[nodiscard]] double share() const;

  private:
    double time_;  ///< s; 0: none
    double cpu_;
    double all_{0.0};
    double busiest_{0.0};
    std::map<std::int32_t, double> by_rank_;
};

}  // namespace dse::explore
