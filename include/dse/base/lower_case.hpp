#pragma once

#include <string>
#include <string_view>

namespace dse {

/// The text with its letters A to Z in lower case.
std::string lower_case(std::string_view text);

}  // namespace dse
