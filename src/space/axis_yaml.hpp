#pragma once

#include <optional>

#include "dse/config/diagnostics.hpp"
#include "dse/config/node.hpp"
#include "dse/space/axis.hpp"

namespace dse::space {

/// Reads the values of an axis whose name, location and field are known; a free axis gets its type from its
/// values. Forms:
///     [1, 2, 4]  or one value
///     {from: 1, to: 9, step: 2}                      1 3 5 7 9; integers need no step
///     {from: 1, to: 8, scale: log2 | log10}          1 2 4 8: times 2 or 10 up to `to`
///     {from: 1, to: 100, scale: …, count: 3}         evenly spaced on the scale (linear, log2, log10), both
///                                                    ends included; integers are rounded and deduplicated
///     {from: 0.1, to: 0.9}  {…, scale: log}          any real number in the range, for samplers that draw
/// Errors go to the diagnostics; the axis then has no values.
void read_values(const config::Node& node, Axis& axis, config::Diagnostics& diagnostics);

}  // namespace dse::space
