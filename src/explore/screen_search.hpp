#pragma once

#include <memory>
#include <vector>

#include "dse/explore/search.hpp"
#include "dse/metrics/objective.hpp"
#include "dse/space/space.hpp"

namespace dse::explore {

/// Asks for all points of the space with fidelity 0, then for the promising ones with fidelity 1: those that
/// may be on the front of the dear answers as far as the points say that were answered by both. What the dear
/// answer to a point may be at best is its cheap one times the smallest ratio seen of both (an objective at a
/// time, with a tenth of the ratios' range in reserve); a point whose best is dominated by a dear answer is
/// left out. A sample is asked for first, so that ratios are not those of the front alone.
class ScreenSearch final : public Search {
  public:
    /// \param space  its search says how many dear answers there may be (budget), how large the sample is
    ///               (population), and the seed
    /// \throws InputError for a space that is too large to be walked, or has an axis without steps
    ScreenSearch(std::shared_ptr<const space::Space> space,
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
