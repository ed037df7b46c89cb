#pragma once

#include <memory>
#include <string>

namespace dse::config {

/// A place in a file, as an editor counts: lines and columns from 1. Line 0: no particular line.
struct Location {
    std::shared_ptr<const std::string> file;
    int line{0};
    int column{0};
};

/// "sweeps/a.yaml:3:7", or as much of it as is known.
std::string to_string(const Location& location);

}  // namespace dse::config
