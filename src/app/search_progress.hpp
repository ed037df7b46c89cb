#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/json_output.hpp"
#include "dse/metrics/objective.hpp"
#include "dse/metrics/pareto.hpp"
#include "dse/results/table.hpp"

namespace dse::app {

/// How a search came to its front: the points after which it had a share of its last hypervolume.
struct SearchProgress {
    struct Mark {
        double share;
        std::uint64_t points;
    };
    std::string method;
    std::vector<Mark> marks;
};

/// Watches the rows of a search go by, in the order of asking.
class SearchCourse {
  public:
    /// \param columns  a table without rows, with the columns of those that will come
    explicit SearchCourse(const results::Table& columns);

    /// \param status  of the block's rows, in the place of its own
    void add(const results::Table& block, std::span<const space::Status> status);

    /// Hypervolume by logarithms of costs that are all positive, each objective up to 1.1 times the worst of
    /// all feasible rows.
    /// \param objectives  of the sweep, those that have values
    /// \return nothing for a grid, where no row is feasible, and of more rows than a million
    [[nodiscard]] std::optional<SearchProgress> progress(
        const std::vector<metrics::Objective>& objectives) const;

  private:
    std::string method_;
    std::vector<metrics::Objective> objectives_;
    metrics::CostTable costs_;
    bool watches_;
};

/// "Search nsga2: 50 % of its hypervolume after 40 points, 90 % after 200, 99 % after 700 of 4,000".
std::string to_text(const SearchProgress& progress, std::uint64_t points);
Json to_json(const SearchProgress& progress);

}  // namespace dse::app
