#pragma once

#include <span>
#include <vector>

namespace dse::explore {

/// What dear answers may be at best, from cheap ones: learnt from points that were answered by both. Costs
/// are to be minimised, of any sign.
class ScreenMargin {
  public:
    explicit ScreenMargin(std::size_t objectives) : ranges_(objectives) {}

    void learn(std::span<const double> cheap, std::span<const double> dear);

    /// The dear costs of a point at best; its cheap ones while nothing is learnt.
    [[nodiscard]] std::vector<double> best(std::span<const double> cheap) const;

  private:
    /// Of the ratios dear / cheap of one objective.
    struct Range {
        double low{1.0};
        double high{1.0};
        bool known{false};
    };
    std::vector<Range> ranges_;
};

}  // namespace dse::explore
