#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/json_output.hpp"
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

/// Rows stand in the order of asking; hypervolume by logarithms of costs that are all positive, each
/// objective up to 1.1 times the worst of all feasible rows. \return nothing for a grid, and where no row is
/// feasible
std::optional<SearchProgress> search_progress(const results::Table& table,
                                              const std::vector<metrics::Objective>& objectives);

/// "Search nsga2: 50 % of its hypervolume after 40 points, 90 % after 200, 99 % after 700 of 4,000".
std::string to_text(const SearchProgress& progress, std::uint64_t points);
Json to_json(const SearchProgress& progress);

}  // namespace dse::app
