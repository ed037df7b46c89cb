#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "dse/results/interval_set.hpp"
#include "results/row_source.hpp"

namespace dse::results {

/// Where the row of a point stands in a source.
struct RowPlace {
    std::uint64_t point_id{0};
    std::uint64_t row{0};
};

/// What of a source can be believed.
struct Scan {
    std::vector<RowPlace> places;   ///< of valid rows, ascending by point id, then by row
    IntervalSet covered;            ///< indices that need no second look
    std::uint64_t failures{0};      ///< valid rows whose evaluation broke or ran out of time
    std::uint64_t invalid_rows{0};  ///< torn, garbage, or of another sweep
    std::size_t longest_reason{0};  ///< text of a reason in a row, bytes
};

/// Reads all rows once. A range that the source calls covered is believed only if as many valid rows lie in
/// it as it says; otherwise its valid rows count one by one, and the rest is to be evaluated again.
Scan scan(const RowSource& source);

}  // namespace dse::results
