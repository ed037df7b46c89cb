#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/row_conditions.hpp"

namespace dse::app {

/// Rows of a file with the statuses that a RowFilter gives them.
class MaskedRows {
  public:
    /// \param where  conditions beside the sweep's own
    explicit MaskedRows(std::vector<std::string> where) : filter_{std::move(where)} {}

    /// The same rows; of those that break a condition the status is not `ok`.
    /// \param block  outlives what is returned, which the next call ends
    /// \throws InputError as RowConditions
    const results::Table& of(const results::Table& block);

  private:
    RowFilter filter_;
    results::Table rows_;
};

}  // namespace dse::app
