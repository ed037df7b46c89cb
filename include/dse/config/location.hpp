#pragma once

#include <memory>
#include <string>

namespace dse::config {

/// A location in a file; lines and columns start at 1, as in editors. Line 0: no particular line.
struct Location {
    std::shared_ptr<const std::string> file;
    int line{0};
    int column{0};
};

/// "sweeps/a.yaml:3:7", or the part of it that is known.
std::string to_string(const Location& location);

}  // namespace dse::config
