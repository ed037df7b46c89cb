#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "dse/metrics/objective.hpp"
#include "dse/space/record.hpp"

namespace dse::space {

/// Objectives over records: over metrics, and over what records hold beside them.
class Goals {
  public:
    /// \param more  names of Record::more, in its order
    /// \throws InputError for an objective that is neither
    Goals(const std::vector<metrics::Objective>& objectives, const std::vector<std::string>& more);

    [[nodiscard]] bool empty() const { return goals_.empty(); }
    [[nodiscard]] std::size_t size() const { return goals_.size(); }

    /// The values to be minimised, NaN where there is none.
    [[nodiscard]] std::vector<double> costs(const Record& record) const;

  private:
    struct Goal {
        double metrics::Metrics::*member{nullptr};  ///< nullptr: of Record::more
        std::size_t index{0};
        double sign{1.0};
    };

    std::vector<Goal> goals_;
};

}  // namespace dse::space
