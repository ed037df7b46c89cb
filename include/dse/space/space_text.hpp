#pragma once

#include <memory>
#include <string>

#include "dse/space/space.hpp"

namespace dse::space {

/// Parses a space from a text with `name`, `axes`, `derive`, `require` and `search` as in a sweep file. Its
/// names are independent of dse's fields.
/// \param file  name of the text in messages
/// \throws InputError with all errors and their locations
std::shared_ptr<const Space> parse_space(const std::string& yaml, const std::string& file = "space");

}  // namespace dse::space
