#pragma once

#include <memory>
#include <vector>

#include "dse/explore/search.hpp"
#include "dse/metrics/objective.hpp"
#include "dse/space/space.hpp"

namespace dse::explore {

/// Asks for all points of the space with fidelity 0, then for the promising ones with fidelity 1: those that
/// may be on the high-fidelity front, judging by the points evaluated at both. The best possible
/// high-fidelity cost of a point is its low-fidelity one times the smallest observed ratio of the two (per
/// objective, with a margin of a tenth of the ratios' range); a point whose best costs are dominated by a
/// high-fidelity answer is skipped. A random sample is asked for first, so that the ratios are not only those
/// of the front.
class ScreenSearch final : public Search {
  public:
    /// \param space  its search specifies the maximum number of high-fidelity answers (budget), the size of
    ///         the sample (population), and the seed
    /// \throws InputError for a space that is too large to be enumerated, or has an axis without steps
    ScreenSearch(const std::shared_ptr<const space::Space>& space,
                 const std::vector<metrics::Objective>& objectives);
    ~ScreenSearch() override;

    [[nodiscard]] std::uint64_t size() const override;
    std::vector<Trial> ask() override;
    void tell(std::span<const space::Record> records) override;
    [[nodiscard]] std::size_t lag() const override { return 1; }
    [[nodiscard]] std::string state() const override;

  private:
    class Course;
    std::unique_ptr<Course> course_;
};

}  // namespace dse::explore
