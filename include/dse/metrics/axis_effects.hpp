#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace dse::metrics {

/// The influence of one axis on a value, as shares of its variance over the given rows.
struct AxisEffect {
    double first{0.0};       ///< first-order effect: variance of the means over its values
    double first_rank{0.0};  ///< the same for the ranks of the value, which is robust to outliers
    /// Total effect, interactions included: variance that remains if all other axes are fixed. Absent if no
    /// two rows differ in this axis alone.
    std::optional<double> total;
    double seen{0.0};  ///< share of the rows on which `total` is based
    /// Spearman's correlation with the position on the axis; absent if all values are equal.
    std::optional<double> trend;
};

/// The joint effect of two axes beyond their first-order effects.
struct Interaction {
    std::size_t one{0};
    std::size_t other{0};
    double share{0.0};
};

/// First-order and total shares of variance. For a full grid they equal the Sobol indices. For other sets of
/// rows, first-order shares are corrected for chance (epsilon squared), and negative shares are set to 0.
/// Source: Saltelli et al., "Global sensitivity analysis: the primer" (2008), ch. 4; Kelley, "An unbiased
///         correlation ratio measure", PNAS 21 (1935).
class AxisEffects {
  public:
    /// \param places  shape [axis][row]: position of the row's value on the axis
    /// \param values  shape (rows,), finite
    AxisEffects(std::span<const std::vector<std::uint32_t>> places, std::span<const double> values);

    [[nodiscard]] const std::vector<AxisEffect>& axes() const { return axes_; }
    /// All pairs, largest first.
    [[nodiscard]] const std::vector<Interaction>& interactions() const { return interactions_; }
    /// Whether all values are equal, so that no axis has an effect.
    [[nodiscard]] bool constant() const { return constant_; }

  private:
    std::vector<AxisEffect> axes_;
    std::vector<Interaction> interactions_;
    bool constant_{false};
};

}  // namespace dse::metrics
