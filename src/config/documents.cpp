#include "config/documents.hpp"

#include <filesystem>
#include <set>
#include <system_error>

namespace dse::config {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> list(std::string_view folder, const std::vector<std::string>& roots) {
    std::set<std::string> names;
    std::error_code error;
    for (const std::string& root : roots) {
        for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(root) / folder, error)) {
            if (entry.path().extension() == ".yaml") names.insert(entry.path().stem().string());
        }
    }
    return {names.begin(), names.end()};
}

}  // namespace

std::shared_ptr<const Node> Documents::load(const std::string& file, Diagnostics& diagnostics) {
    const std::scoped_lock lock{mutex_};
    if (const auto found = read_.find(file); found != read_.end()) return found->second;
    const std::size_t before = diagnostics.all().size();
    auto node = std::make_shared<const Node>(load_yaml(file, diagnostics));
    if (diagnostics.all().size() == before) read_.emplace(file, node);
    return node;
}

std::vector<std::string> Documents::names(std::string_view folder, const std::vector<std::string>& roots) {
    const std::scoped_lock lock{mutex_};
    const auto found = listed_.find(folder);
    if (found != listed_.end()) return found->second;
    return listed_.emplace(folder, list(folder, roots)).first->second;
}

}  // namespace dse::config
