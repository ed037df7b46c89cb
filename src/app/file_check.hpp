#pragma once

#include <string>
#include <vector>

#include "app/file_kind.hpp"

namespace dse::app {

/// Errors and warnings about a file, one line each, with their location.
struct FileCheck {
    std::string file;
    FileKind kind{FileKind::unknown};
    std::vector<std::string> errors;
    std::vector<std::string> warnings;

    [[nodiscard]] bool ok() const { return errors.empty(); }
};

FileCheck check_file(const std::string& file);

}  // namespace dse::app
