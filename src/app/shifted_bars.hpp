#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "dse/results/table.hpp"

namespace dse::app {

/// Counts rows whose iteration time lies outside of its own error bar, because measurements lie elsewhere if
/// a part is not known.
class ShiftedBars {
  public:
    /// \param shown  statuses of the rows after the sweep's conditions
    void add(const results::Table& block, std::span<const space::Status> shown);

    /// One line; empty if there are none.
    [[nodiscard]] std::string text() const;

  private:
    std::uint64_t rows_{0};
};

/// Whether a time lies outside of its error bar; false if no errors are known.
bool is_shifted(double time, double low, double high);

}  // namespace dse::app
