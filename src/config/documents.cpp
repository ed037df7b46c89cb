#include "config/documents.hpp"

namespace dse::config {

std::shared_ptr<const Node> Documents::load(const std::string& file, Diagnostics& diagnostics) {
    const std::scoped_lock lock{mutex_};
    if (const auto found = read_.find(file); found != read_.end()) return found->second;
    const std::size_t before = diagnostics.all().size();
    auto node = std::make_shared<const Node>(load_yaml(file, diagnostics));
    if (diagnostics.all().size() == before) read_.emplace(file, node);
    return node;
}

}  // namespace dse::config
