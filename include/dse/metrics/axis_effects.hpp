#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace dse::metrics {

/// How far one axis decides a value, as shares of its variance over the rows that there are.
struct AxisEffect {
    double first{0.0};       ///< by itself: variance of the means over its values
    double first_rank{0.0};  ///< the same of the value's ranks: no outlier weighs
    /// With all others that it acts together with: variance that is left where all other axes are fixed. None
    /// where no two rows differ in this axis alone.
    std::optional<double> total;
    double seen{0.0};  ///< share of the rows that `total` rests on
    /// Spearman's correlation with the place among its values; none where all values are equal.
    std::optional<double> trend;
};

/// What two axes do together beyond what each does.
struct Interaction {
    std::size_t one{0};
    std::size_t other{0};
    double share{0.0};
};

/// Shares of variance, first-order and total: of a full grid the Sobol indices exactly. Of other rows, first
/// orders are freed of what chance alone would give them (epsilon squared), and shares below 0 are 0.
/// Source: Saltelli et al., "Global sensitivity analysis: the primer" (2008), ch. 4; Kelley, "An unbiased
///         correlation ratio measure", PNAS 21 (1935).
class AxisEffects {
  public:
    /// \param places  shape [axis][row]: the place of the row's value on the axis
    /// \param values  shape (rows,), finite
    AxisEffects(std::span<const std::vector<std::uint32_t>> places, std::span<const double> values);

    [[nodiscard]] const std::vector<AxisEffect>& axes() const { return axes_; }
    /// Of all pairs, the largest first.
    [[nodiscard]] const std::vector<Interaction>& interactions() const { return interactions_; }
    /// Whether all values are equal: nothing decides them.
    [[nodiscard]] bool constant() const { return constant_; }

  private:
    std::vector<AxisEffect> axes_;
    std::vector<Interaction> interactions_;
    bool constant_{false};
};

}  // namespace dse::metrics
