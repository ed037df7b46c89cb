#pragma once

#include <cstddef>

#include "dse/results/table.hpp"
#include "dse/space/record.hpp"
#include "dse/study/sweep.hpp"

namespace dse::app {

/// The point of a row. Its id is its index in the grid, if it has one, so that it draws the same random
/// numbers.
space::Point point_of(const study::Sweep& sweep, const results::Table& rows, std::size_t row);

}  // namespace dse::app
