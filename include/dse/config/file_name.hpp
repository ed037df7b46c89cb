#pragma once

#include <string_view>

namespace dse::config {

/// Whether a value names a file by its path, as in "./mine.yaml", rather than an entry of the library.
inline bool is_path(std::string_view name) {
    return name.find('/') != std::string_view::npos || name.ends_with(".yaml");
}

}  // namespace dse::config
