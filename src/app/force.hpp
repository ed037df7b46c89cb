#pragma once

#include <filesystem>

#include "dse/base/output_file.hpp"

namespace CLI {
class App;
}

namespace dse::app {

/// Adds the option --force to a command that writes files.
void add_force(CLI::App& app, Existing& existing);

/// Checks before anything is computed that a file can be written; nothing is left there.
/// \throws InputError with the reason: there is such a file, no such folder, no permission, …
void require_writable(const std::filesystem::path& path, Existing existing);

/// Checks that --force does not overwrite what the command reads.
/// \throws InputError if both paths are the same file
void require_another(const std::filesystem::path& output, const std::filesystem::path& input);

}  // namespace dse::app
