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

/// A search over the points of a grid by methods that learn (dse list searches), one after the other, each
/// starting from the results of those before it. The budget is divided evenly, and unused budget goes to the
/// next method. No point is asked for twice.
///
/// Feasible answers are compared by their costs, others by their violation: of the sweep's constraints
/// (`where`) first, then of memory; points of unknown violation come last.
class LearningSearch final : public Search {
  public:
    /// \param space       its search specifies methods, budgets and seed
    /// \param known       points of the space with known answers, from which methods learn as if they had
    ///         been asked for. The best of them are asked for again, first, so that the search's own rows
    ///         contain its whole front
    /// \throws InputError for an unknown method, a space that has an axis without steps, objectives that are
    ///         not metrics
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
