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

/// Progress of a search: the number of points after which it had reached a share of its final hypervolume.
struct SearchProgress {
    struct Mark {
        double share;
        std::uint64_t points;
    };
    std::string method;
    std::vector<Mark> marks;
};

/// Records the rows of a search in the order in which it asked for them.
class SearchCourse {
  public:
    /// \param columns  a table without rows, with the columns of the rows to be added
    explicit SearchCourse(const results::Table& columns);

    /// \param status  statuses of the block's rows, which replace its own
    void add(const results::Table& block, std::span<const space::Status> status);

    /// The hypervolume uses the logarithms of costs if all of them are positive; the reference point is 1.1
    /// times the worst value of all feasible rows in each objective.
    /// \param objectives  the sweep's objectives that have values
    /// \return nothing for a grid, if no row is feasible, or for more than a million rows
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
