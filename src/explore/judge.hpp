#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "dse/metrics/objective.hpp"
#include "dse/space/answers.hpp"
#include "dse/space/record.hpp"
#include "explore/solution.hpp"

namespace dse::explore {

/// Says what a record is worth to a search: costs by the objectives, and how far from feasible it is.
class Judge {
  public:
    /// \throws InputError when there is no objective, or one that is no metric
    Judge(std::shared_ptr<const space::Space> space, const std::vector<metrics::Objective>& objectives);

    [[nodiscard]] std::size_t objectives() const { return goals_.size(); }
    Solution judge(Genome genome, const space::Record& record);

  private:
    struct Goal {
        std::size_t slot;
        double sign;  ///< −1 of what is to be large
    };

    space::Answers answers_;
    std::vector<Goal> goals_;
};

/// By what share a point needs more memory than there is, from the reason of its row ("needs 95.3 GiB of
/// 80.0 GiB …"); infinite where the reason does not say so.
double shortage_in(std::string_view reason);

}  // namespace dse::explore
