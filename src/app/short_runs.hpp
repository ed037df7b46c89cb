#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "dse/results/table.hpp"

namespace dse::app {

/// Counts rows whose highest request rate is a lower bound because of too few requests: at a higher rate all
/// of them would arrive before the queue of an overloaded server has grown, so that nearly any rate would
/// seem to do.
class ShortRuns {
  public:
    /// \param shown  statuses of the rows after the sweep's conditions
    void add(const results::Table& block, std::span<const space::Status> shown);

    /// One line; empty if there are none, and all results say so.
    [[nodiscard]] std::string text() const;

  private:
    std::uint64_t rows_{0};
    std::uint64_t unknown_{0};  ///< rows of older results, which do not say what breaks the levels
};

}  // namespace dse::app
