#include "dse/config/file_name.hpp"

#include <filesystem>

namespace dse::config {

std::string path_from(const std::string& folder, const std::string& name) {
    namespace fs = std::filesystem;
    std::error_code ignored;
    if (!is_path(name) || fs::path(name).is_absolute() || !fs::is_regular_file(name, ignored)) return name;
    if (fs::equivalent(fs::path(folder) / name, name, ignored)) return name;
    return fs::proximate(name, folder, ignored).string();
}

}  // namespace dse::config
