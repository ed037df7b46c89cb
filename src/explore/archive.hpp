#pragma once

#include <vector>

#include "explore/solution.hpp"

namespace dse::explore {

/// The feasible solutions that no other solution seen is better than. Among solutions with equal costs the
/// first one stays.
class Archive {
  public:
    /// \return whether it was admitted
    bool admit(const Solution& solution);

    /// In the order in which they were admitted.
    [[nodiscard]] const std::vector<Solution>& members() const { return members_; }

  private:
    std::vector<Solution> members_;
};

}  // namespace dse::explore
