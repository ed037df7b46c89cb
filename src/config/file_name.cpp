#include "dse/config/file_name.hpp"

#include <filesystem>

namespace dse::config {

std::string path_beside(const std::string& name, const Location& where) {
    namespace fs = std::filesystem;
    if (!is_path(name) || !where.file) return name;
    const fs::path beside = fs::path(*where.file).parent_path() / name;
    std::error_code ignored;
    if (!fs::is_regular_file(beside, ignored) || !fs::is_regular_file(name, ignored)) return name;
    return fs::equivalent(beside, name, ignored) ? name : beside.lexically_normal().string();
}

}  // namespace dse::config
