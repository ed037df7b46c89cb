#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dse/config/quantity.hpp"

/// Units as users write them, so that "400 Gbps" is not shown as "50 GB/s".
namespace dse::config {

/// The dimension of a unit as unit_of() writes it, "B/s"; that of a number for other texts.
Dimension dimension_of_unit(std::string_view unit);

/// The unit of a quantity's text: "Gbps" for "400 Gbps"; empty if the text is not a quantity of this
/// dimension.
std::string written_unit(std::string_view text, Dimension dimension);

/// One of a unit in SI units: 1.25e8 for "Gbps"; none if it is not a unit of this dimension.
std::optional<double> size_of_unit(std::string_view unit, Dimension dimension);

/// Whether format_quantity() chooses this unit for some value: it does so for "GB/s", not for "Gbps".
bool is_usual_unit(std::string_view unit, Dimension dimension);

/// "400 Gbps": a value in SI units, shown in a unit that written_unit() returned.
std::string format_in_unit(double value, std::string_view unit, Dimension dimension);

}  // namespace dse::config
