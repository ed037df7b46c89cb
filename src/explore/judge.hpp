#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "dse/metrics/objective.hpp"
#include "dse/space/answers.hpp"
#include "dse/space/record.hpp"
#include "explore/solution.hpp"

namespace dse::explore {

/// Rates records for a search: costs by the objectives, and the distance from feasibility.
class Judge {
  public:
    /// \throws InputError if there is no objective, or one that is not a metric
    Judge(std::shared_ptr<const space::Space> space, const std::vector<metrics::Objective>& objectives);

    [[nodiscard]] std::size_t objectives() const { return goals_.size(); }
    Solution judge(Genome genome, const space::Record& record);

  private:
    struct Goal {
        std::size_t slot;
        double sign;  ///< −1 for maximised objectives
    };

    space::Answers answers_;
    std::vector<Goal> goals_;
};

/// Fraction by which a point exceeds the memory, according to the reason of its row ("needs 95.3 GiB of 80.0
/// GiB …"); infinite if the reason does not tell.
double shortage_in(std::string_view reason);

}  // namespace dse::explore
