#pragma once

#include <cstddef>

#include "dse/results/table.hpp"
#include "dse/space/record.hpp"
#include "dse/study/sweep.hpp"

namespace dse::app {

/// The point of a row; its id is its place in the grid where that has one, so that it draws the same numbers.
space::Point point_of(const study::Sweep& sweep, const results::Table& rows, std::size_t row);

}  // namespace dse::app
