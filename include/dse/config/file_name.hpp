#pragma once

#include <string>
#include <string_view>

#include "dse/config/location.hpp"

namespace dse::config {

/// Whether a value names a file by its path, as in "./mine.yaml", rather than an entry of the library.
inline bool is_path(std::string_view name) {
    return name.find('/') != std::string_view::npos || name.ends_with(".yaml");
}

/// A path as written in a file: relative to that file's folder if it names a file there and another one in
/// the folder that dse runs in; otherwise `name` itself.
std::string path_beside(const std::string& name, const Location& where);

}  // namespace dse::config
