#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "app/row_conditions.hpp"
#include "dse/results/table.hpp"

namespace dse::app {

/// Counts rows whose highest request rate rests on too few requests. The queue of an overloaded server needs
/// time to grow: if all requests arrive within a few times the latency that a level allows, nearly any rate
/// meets it.
class ShortRuns {
  public:
    explicit ShortRuns(const results::ResultSchema& schema);

    /// \param shown  statuses of the rows after the sweep's conditions
    void add(const results::Table& block, std::span<const space::Status> shown);

    /// One line; empty if there are none.
    [[nodiscard]] std::string text() const;

  private:
    std::optional<RowConditions> is_short_;  ///< nothing where no rate is searched for
    std::uint64_t rows_{0};
};

}  // namespace dse::app
