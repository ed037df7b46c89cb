#pragma once

#include <filesystem>

namespace dse::results {

/// Puts a finished file in the place of another, for good: its bytes are on the disk before its name is.
/// \throws InputError when the system refuses
void durable_rename(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace dse::results
