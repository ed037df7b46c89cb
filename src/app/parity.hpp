#pragma once

#include <filesystem>

#include "app/json_output.hpp"
#include "dse/base/error.hpp"
#include "dse/base/output_file.hpp"

namespace dse::app {

/// Checks the name of a picture and whether it can be written. \throws InputError
void require_parity_file(const std::filesystem::path& file, Existing existing);

/// Draws predicted over measured times.
/// \param rows  as `dse validate --json` prints them
/// \return as run_python
ExitCode draw_parity(const Json& rows, const std::filesystem::path& file);

}  // namespace dse::app
