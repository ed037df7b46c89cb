#pragma once

#include <span>
#include <vector>

namespace dse::explore {

/// Estimates the best possible high-fidelity costs from low-fidelity ones, based on points that were
/// evaluated at both. Costs are to be minimised, and of any sign.
class ScreenMargin {
  public:
    explicit ScreenMargin(std::size_t objectives) : ranges_(objectives) {}

    void learn(std::span<const double> cheap, std::span<const double> dear);

    /// The best possible high-fidelity costs of a point; its low-fidelity ones as long as nothing has been
    /// learnt.
    [[nodiscard]] std::vector<double> best(std::span<const double> cheap) const;

  private:
    /// Of the ratios dear / cheap for one objective.
    struct Range {
        double low{1.0};
        double high{1.0};
        bool known{false};
    };
    std::vector<Range> ranges_;
};

}  // namespace dse::explore
