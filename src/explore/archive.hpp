#pragma once

#include <vector>

#include "explore/solution.hpp"

namespace dse::explore {

/// The feasible solutions that no other one of those shown is better than. Of equal costs the first stays.
class Archive {
  public:
    /// \return whether it was taken in
    bool admit(const Solution& solution);

    /// In the order in which they came.
    [[nodiscard]] const std::vector<Solution>& members() const { return members_; }

  private:
    std::vector<Solution> members_;
};

}  // namespace dse::explore
