#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dse/config/diagnostics.hpp"
#include "dse/config/node.hpp"
#include "dse/space/axis.hpp"

namespace dse::space {

/// Reads the values of an axis whose name, location and field are known; a free axis gets its type from its
/// values. Forms:
///     [1, 2, 4]  or one value
///     {from: 1, to: 9, step: 2}                      1 3 5 7 9; integers need no step
///     {from: 1, to: 8, scale: log2 | log10}          1 2 4 8: times 2 or 10 up to `to`
///     {from: 1, to: 100, scale: …, count: 3}         evenly on the scale (linear, log2, log10), both ends
///     included;
///                                                    integers are rounded, and taken once
///     {permutations: [tp, dp, pp]}                   of names, in all orders
///     {from: 0.1, to: 0.9}  {…, scale: log}          any real number between, for samplers that draw
/// Errors go to the diagnostics; the axis then has no values.
void read_values(const config::Node& node, Axis& axis, config::Diagnostics& diagnostics);

/// A name as a value of a field: of a file, one that the library has, or the path of one's own, for which the
/// file that is meant is returned, whatever dse's working directory.
/// \return nothing after an error
std::optional<std::string> read_name(const config::Node& node, const config::FieldInfo& info,
                                     config::Diagnostics& diagnostics);

/// The unit of a quantity's values if all of them are written in the same one, "Gbps"; else empty.
std::string shared_unit(const std::vector<const config::Node*>& values, const config::FieldInfo& info);

/// Makes an axis one of names. \param labels  all different; of a field that knows its names, among these
void set_labels(std::vector<std::string> labels, Axis& axis);

}  // namespace dse::space
