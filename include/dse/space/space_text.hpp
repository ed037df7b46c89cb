#pragma once

#include <memory>
#include <string>

#include "dse/space/space.hpp"

namespace dse::space {

/// The space that a text describes with `name`, `axes`, `derive`, `require` and `search` of a sweep's file;
/// its names are its own, as no fields stand behind them. \param file  the text's name, for messages \throws
/// InputError with every error and its place
std::shared_ptr<const Space> parse_space(const std::string& yaml, const std::string& file = "space");

}  // namespace dse::space
