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

/// An answer as the expressions of `metrics` and `where` see it: the values of the point, then all metrics,
/// then those that the evaluator adds, then those that the sweep derives. Used by one thread.
class Answers {
  public:
    explicit Answers(std::shared_ptr<const Space> space);

    /// \param values   of the point, shape (Space::width(),)
    /// \param added    what the evaluator adds; further values are not looked at
    void take(std::span<const double> values, const metrics::Metrics& metrics,
              std::span<const double> added = {});

    /// What the sweep derives, shape (Space::metrics().size(),).
    [[nodiscard]] std::span<const double> derived() const;

    /// Of a metric, derived ones included; nothing when there is none of this name.
    [[nodiscard]] std::optional<std::size_t> slot(std::string_view metric) const;
    [[nodiscard]] double operator[](std::size_t slot) const { return values_[slot]; }

    /// How far the answer is from fulfilling the sweep's constraints: 0 where it does. For each that it does
    /// not: by what share of the larger side the smaller one is too large, at most 1; where a side is 0, x /
    /// (1
    /// + x) of the difference x; 1 where it is no comparison of numbers, or a side has no value.
    [[nodiscard]] double violation() const;

  private:
    [[nodiscard]] double excess(const Constraint& constraint) const;

    std::shared_ptr<const Space> space_;
    std::vector<double> values_;
};

}  // namespace dse::space
