#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dse/explore/search.hpp"
#include "dse/metrics/objective.hpp"
#include "dse/space/space.hpp"

namespace dse::explore {

/// A search of the points of a grid by methods that learn (dse list searches), one after the other, each from
/// what those before it have found; the budget is divided evenly, and what one of them leaves goes to the
/// next. No point is asked for twice.
///
/// Feasible answers are compared by their costs; others by how far from feasible they are: by the sweep's
/// constraints (`where`), by memory that is lacking, and last those of which nobody knows.
class LearningSearch final : public Search {
  public:
    /// \param space       its search names methods, budgets and seed
    /// \param known       points of the space that have answers: what is learned from them is as if they had
    /// been
    ///                    asked for. The best of them are asked for again, first, so that the search's own
    ///                    rows have all of its front
    /// \throws InputError for a method that is none, a space that has an axis without steps, objectives that
    ///         are no metrics
    LearningSearch(std::shared_ptr<const space::Space> space,
                   const std::vector<metrics::Objective>& objectives,
                   std::span<const space::Record> known = {});
    ~LearningSearch() override;

    [[nodiscard]] std::uint64_t size() const override;
    std::vector<Trial> ask() override;
    void tell(std::span<const space::Record> records) override;
    [[nodiscard]] std::size_t lag() const override;
    [[nodiscard]] std::string state() const override;

  private:
    class Course;
    std::unique_ptr<Course> course_;
};

}  // namespace dse::explore
