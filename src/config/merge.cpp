#include "dse/config/merge.hpp"

#include <algorithm>

namespace dse::config {
namespace {

bool holds(const Node& map, std::string_view key) {
    return map.find(key) != nullptr;
}

/// What a key is worth for which the base says `old` and the overriding file says `fresh`.
Node overridden(const Node& old, const Node& fresh) {
    if (!fresh.is_map() || holds(fresh, "base") || holds(fresh, "value")) return fresh;
    if (old.is_map() && !holds(old, "value")) return merged(old, fresh);
    if (!old.is_scalar()) return fresh;
    std::vector<Node::Entry> entries = fresh.entries();
    entries.push_back({"base", old.location(), old});
    return Node::map(std::move(entries), fresh.path(), fresh.location());
}

}  // namespace

Node merged(const Node& base, const Node& overrides) {
    if (!base.is_map() || !overrides.is_map()) return overrides;
    std::vector<Node::Entry> entries = base.entries();
    for (const Node::Entry& entry : overrides.entries()) {
        if (entry.key == "base") continue;
        const auto same = std::find_if(entries.begin(), entries.end(),
                                       [&](const Node::Entry& other) { return other.key == entry.key; });
        if (same == entries.end()) {
            entries.push_back(entry);
        } else {
            *same = {entry.key, entry.location, overridden(same->value, entry.value)};
        }
    }
    return Node::map(std::move(entries), overrides.path(), overrides.location());
}

}  // namespace dse::config
