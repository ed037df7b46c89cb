#pragma once

#include <string>

#include "dse/base/output_file.hpp"

namespace dse::app {

/// Writes a text, compressed if the path ends in ".gz".
/// \throws InputError if the file cannot be written, or is there and must not be replaced
void write_compressible(const std::string& path, Existing existing, const std::string& text);

}  // namespace dse::app
