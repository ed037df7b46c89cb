#pragma once

#include <filesystem>

namespace dse::results {

/// Durably replaces a file by a finished one: its bytes are on disk before it gets its name.
/// \throws InputError if the system refuses
void durable_rename(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace dse::results
