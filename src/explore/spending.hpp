#pragma once

#include <map>

#include "dse/space/record.hpp"
#include "dse/space/sweep_spec.hpp"

namespace dse::explore {

/// What a search has used of its budgets of time: that of the evaluations which it was told of, as their rows
/// have it, so that a run that goes on from them ends where it would have ended; and its own, where it
/// counts.
class Spending {
  public:
    explicit Spending(const space::SearchSpec& search)
        : time_{search.time_budget.value()}, cpu_{search.cpu_budget.value()} {}

    void add(const space::Record& record);
    /// What rank 0 spent on the search itself. \param seconds  s
    void add_own(double seconds);

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
