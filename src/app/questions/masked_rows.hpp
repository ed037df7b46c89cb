#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/row_conditions.hpp"

namespace dse::app {

/// Rows of a file with the statuses that a RowFilter gives them.
class MaskedRows {
  public:
    /// \param where  conditions in addition to the sweep's own
    explicit MaskedRows(std::vector<std::string> where) : filter_{std::move(where)} {}

    /// The same rows, with a status that is not `ok` for rows that violate a condition. The result is valid
    /// until the next call, and as long as `block` lives.
    /// \throws InputError like RowConditions
    const results::Table& of(const results::Table& block);

  private:
    RowFilter filter_;
    results::Table rows_;
};

}  // namespace dse::app
