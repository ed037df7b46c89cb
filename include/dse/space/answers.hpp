#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "dse/metrics/metrics.hpp"
#include "dse/space/space.hpp"

namespace dse::space {

/// The variables of the expressions of `metrics` and `where`: the values of the point, then all metrics, then
/// those that the evaluator adds, then those that the sweep derives. Used by one thread.
class Answers {
  public:
    explicit Answers(std::shared_ptr<const Space> space);

    /// \param values   values of the point, shape (Space::width(),)
    /// \param added    metrics that the evaluator adds; further values are ignored
    void take(std::span<const double> values, const metrics::Metrics& metrics,
              std::span<const double> added = {});

    /// The metrics that the sweep derives, shape (Space::metrics().size(),).
    [[nodiscard]] std::span<const double> derived() const;

    /// Slot of a metric, derived ones included; nothing if there is none of this name.
    [[nodiscard]] std::optional<std::size_t> slot(std::string_view metric) const;
    [[nodiscard]] double operator[](std::size_t slot) const { return values_[slot]; }

    /// Degree to which the result violates the sweep's constraints; 0 if all are met. Each violated
    /// constraint contributes the difference of its sides as a share of the larger one, at most 1; if a side
    /// is 0, x / (1 + x) for a difference x; and 1 if it is not a comparison of numbers or a side has no
    /// value.
    [[nodiscard]] double violation() const;

  private:
    [[nodiscard]] double excess(const Constraint& constraint) const;

    std::shared_ptr<const Space> space_;
    std::vector<double> values_;
};

}  // namespace dse::space
