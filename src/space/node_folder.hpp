#pragma once

#include <filesystem>
#include <string>

#include "dse/config/node.hpp"

namespace dse::space {

/// The folder of the file that contains a node.
inline std::string folder_of(const config::Node& node) {
    if (!node.location().file) return ".";
    const std::filesystem::path file{*node.location().file};
    return file.has_parent_path() ? file.parent_path().string() : ".";
}

}  // namespace dse::space
