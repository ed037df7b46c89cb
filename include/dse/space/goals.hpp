#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "dse/metrics/objective.hpp"
#include "dse/space/record.hpp"

namespace dse::space {

/// Objectives over records: over metrics and over the additional values of records.
class Goals {
  public:
    /// \param more  names of the values in Record::more, in order
    /// \throws InputError for an objective that is neither a metric nor one of these
    Goals(const std::vector<metrics::Objective>& objectives, const std::vector<std::string>& more);

    [[nodiscard]] bool empty() const { return goals_.empty(); }
    [[nodiscard]] std::size_t size() const { return goals_.size(); }

    /// The values to be minimized; NaN if there is none.
    [[nodiscard]] std::vector<double> costs(const Record& record) const;

  private:
    struct Goal {
        double metrics::Metrics::*member{nullptr};  ///< nullptr: a value in Record::more
        std::size_t index{0};
        double sign{1.0};
    };

    std::vector<Goal> goals_;
};

}  // namespace dse::space
