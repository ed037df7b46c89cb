#pragma once

#include <filesystem>

namespace dse::app {

/// Checks that a picture can be written, before anything is computed, because pictures take time.
/// \throws InputError if its folder does not exist or is read-only
void require_folder_of(const std::filesystem::path& file);

}  // namespace dse::app
