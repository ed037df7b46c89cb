#include "dse/config/reader.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dse/base/nearest.hpp"

namespace dse::config {
namespace {

std::string join_path(const std::string& outer, std::string_view name) {
    return outer.empty() ? std::string{name} : fmt::format("{}.{}", outer, name);
}

}  // namespace

Reader::Reader(const Node& map, const Library* library, Diagnostics& diagnostics)
    : map_{&map}, library_{library}, diagnostics_{&diagnostics} {
    if (!map.is_map() && !map.is_null()) {
        diagnostics.error(map.location(), map.path(),
                          fmt::format("{} stands where a map is needed", map.describe()));
    }
}

const Node* Reader::take(const char* name) {
    known_.emplace_back(name);
    return find(name);
}

const Node* Reader::find(std::string_view name) const {
    return map_->find(name);
}

Node Reader::empty_map(const char* name) const {
    return Node::map({}, join_path(map_->path(), name), map_->location());
}

void Reader::missing(const char* name) {
    // A value that is no map at all has been reported; its missing keys would only be noise.
    if (!map_->is_map() && !map_->is_null()) return;
    diagnostics_->error(map_->location(), join_path(map_->path(), name), "missing (it has no default)");
}

const Node& Reader::unwrap(const Node& node) {
    if (!node.is_map()) return node;
    const Node* value = node.find("value");
    if (value == nullptr) return node;
    for (const Node::Entry& entry : node.entries()) {
        if (entry.key == "value" || entry.key == "source" || entry.key == "note") continue;
        diagnostics_->error(entry.location, entry.value.path(),
                            fmt::format("unknown key '{}' beside a value{}", entry.key,
                                        suggestion(entry.key, {"value", "source", "note"})));
    }
    return *value;
}

void Reader::read_text(const Node& node, std::string& target) {
    if (node.is_scalar()) {
        target = node.text();
    } else {
        diagnostics_->error(node.location(), node.path(),
                            fmt::format("{} stands where text is needed", node.describe()));
    }
}

void Reader::finish() {
    for (const Node::Entry& entry : map_->entries()) {
        if (std::find(known_.begin(), known_.end(), entry.key) != known_.end()) continue;
        diagnostics_->error(entry.location, entry.value.path(),
                            fmt::format("unknown key '{}'{}", entry.key, suggestion(entry.key, known_)));
    }
}

bool Reader::load(const Node& name, const char* folder, Node& result) {
    if (library_ == nullptr) {
        diagnostics_->error(name.location(), name.path(), "no library of files to look this name up in");
        return false;
    }
    auto loaded = library_->load(folder, name, *diagnostics_);
    if (!loaded) return false;
    result = std::move(*loaded);
    return true;
}

Node Reader::merged(const Node& base, const Node& overrides) {
    if (!base.is_map() || !overrides.is_map()) return overrides;
    std::vector<Node::Entry> entries = base.entries();
    for (const Node::Entry& entry : overrides.entries()) {
        if (entry.key == "base") continue;
        const auto same = std::find_if(entries.begin(), entries.end(),
                                       [&](const Node::Entry& other) { return other.key == entry.key; });
        if (same == entries.end()) {
            entries.push_back(entry);
        } else {
            const bool wrapped = same->value.find("value") != nullptr;
            same->location = entry.location;
            same->value = wrapped ? entry.value : merged(same->value, entry.value);
        }
    }
    return Node::map(std::move(entries), overrides.path(), overrides.location());
}

}  // namespace dse::config
