#pragma once

#include <string>

#include "dse/base/units.hpp"

namespace dse::app {

/// The size that --bytes names, above 0.
/// \throws InputError if it is none
Bytes bytes_option(const std::string& text);

}  // namespace dse::app
