#pragma once

#include <span>
#include <vector>

#include "dse/config/diagnostics.hpp"
#include "space/name_uses.hpp"

namespace dse::space {

/// Warns of quantities that a formula compares with a number without a unit that is hardly meant in SI units.
/// \param uses     of the formula
/// \param derived  what each derived value is
/// \param metrics  unit of each metric, as in results
void note_bare_numbers(const Formula& formula, const Uses& uses, const std::vector<Axis>& axes,
                       std::span<const config::FieldInfo> derived, std::span<const std::string> metrics,
                       config::Diagnostics& diagnostics);

}  // namespace dse::space
