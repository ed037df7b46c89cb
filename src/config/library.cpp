#include "dse/config/library.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "dse/base/nearest.hpp"

namespace dse::config {
namespace {

namespace fs = std::filesystem;

bool holds_data(const fs::path& folder) {
    std::error_code error;
    return fs::is_directory(folder / "hardware", error) || fs::is_directory(folder / "workloads", error);
}

void add_list(const char* list, std::vector<std::string>& roots) {
    if (list == nullptr) return;
    std::string_view rest{list};
    while (!rest.empty()) {
        const std::size_t colon = rest.find(':');
        roots.emplace_back(rest.substr(0, colon));
        rest = colon == std::string_view::npos ? std::string_view{} : rest.substr(colon + 1);
    }
}

}  // namespace

Library::Library(std::vector<std::string> roots) {
    for (std::string& root : roots) {
        const bool known = std::find(roots_.begin(), roots_.end(), root) != roots_.end();
        if (!known && holds_data(root)) roots_.push_back(std::move(root));
    }
}

Library Library::standard(const std::string& beside) {
    std::vector<std::string> roots;
    std::error_code error;
    add_list(std::getenv("DSE_DATA"), roots);
    roots.push_back(fs::current_path(error).string());
    for (fs::path folder = fs::absolute(beside, error).parent_path(); !folder.empty();
         folder = folder.parent_path()) {
        roots.push_back(folder.string());
        if (folder == folder.root_path()) break;
    }
    add_list(DSE_DATA_ROOTS, roots);
    return Library(std::move(roots));
}

std::optional<std::string> Library::find(std::string_view folder, std::string_view name) const {
    std::error_code error;
    if (name.find('/') != std::string_view::npos || name.ends_with(".yaml")) {
        for (const std::string& root : roots_) {
            const fs::path file = fs::path(root) / name;
            if (fs::is_regular_file(file, error)) return file.string();
        }
        if (fs::is_regular_file(fs::path(name), error)) return std::string{name};
        return std::nullopt;
    }
    for (const std::string& root : roots_) {
        const fs::path file = fs::path(root) / folder / fmt::format("{}.yaml", name);
        if (fs::is_regular_file(file, error)) return file.string();
    }
    return std::nullopt;
}

std::vector<std::string> Library::names(std::string_view folder) const {
    std::set<std::string> names;
    std::error_code error;
    for (const std::string& root : roots_) {
        for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(root) / folder, error)) {
            if (entry.path().extension() == ".yaml") names.insert(entry.path().stem().string());
        }
    }
    return {names.begin(), names.end()};
}

std::optional<Node> Library::load(std::string_view folder, const Node& name, Diagnostics& diagnostics) const {
    if (!name.is_scalar()) {
        diagnostics.error(
            name.location(), name.path(),
            fmt::format("{} stands where the name of a file of {} is needed", name.describe(), folder));
        return std::nullopt;
    }
    const auto file = find(folder, name.text());
    if (!file) {
        diagnostics.error(
            name.location(), name.path(),
            fmt::format("no file '{}' in {}{}", name.text(), folder, suggestion(name.text(), names(folder))));
        return std::nullopt;
    }
    return load_yaml(*file, diagnostics);
}

}  // namespace dse::config
