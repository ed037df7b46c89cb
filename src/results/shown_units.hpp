#pragma once

#include "dse/results/result_schema.hpp"

namespace dse::results {

/// Sets Column::shown_unit of the axes from the text of the sweep, where all values of an axis are written in
/// the same unit.
void set_shown_units(ResultSchema& schema);

}  // namespace dse::results
