#pragma once

#include <string>
#include <string_view>

namespace dse::config {

/// Whether a value names a file by its path, as in "./mine.yaml", rather than an entry of the library.
inline bool is_path(std::string_view name) {
    return name.find('/') != std::string_view::npos || name.ends_with(".yaml");
}

/// A path relative to the working directory, as one that is relative to `folder`; `name` itself if it is
/// absolute, if there is no such file, or if the same path leads to it from there.
/// \param folder  empty: the working directory
std::string path_from(const std::string& folder, const std::string& name);

}  // namespace dse::config
