#pragma once

#include <string>
#include <string_view>

#include "dse/config/quantity.hpp"

namespace dse::config {

/// What to tell a user who compares a quantity with a number without a unit, such as `bandwidth >= 400`, if
/// the number is likely to be meant in another unit than SI: fewer than a million bytes, FLOPs or either per
/// second, other than 0; ten seconds or more, where milliseconds are usual.
/// \param name    of the quantity, as the user calls it
/// \param number  in SI units, as which it is taken
/// \returns a sentence, or "" if the number is plausible
std::string bare_number_note(std::string_view name, double number, Dimension dimension);

}  // namespace dse::config
