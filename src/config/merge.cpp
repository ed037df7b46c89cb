#include "dse/config/merge.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace dse::config {
namespace {

bool holds(const Node& map, std::string_view key) {
    return map.find(key) != nullptr;
}

/// Whether a map has keys, and all of them are numbers.
bool names_items(const Node& map) {
    return !map.entries().empty() && std::ranges::all_of(map.entries(), [](const Node::Entry& entry) {
        return entry.key.find_first_not_of("0123456789") == std::string::npos;
    });
}

/// The same sections at another place. What they hold stays where it is.
Node placed(const Node& node, const Location& where) {
    if (!node.is_map() || holds(node, "value")) return node;
    std::vector<Node::Entry> entries = node.entries();
    for (Node::Entry& entry : entries) entry.value = placed(entry.value, where);
    return Node::map(std::move(entries), node.path(), where);
}

/// Value of a key that is `old` in the base and `fresh` in the overriding file.
Node overridden(const Node& old, const Node& fresh) {
    // Reported by refuse_erased(); the rest is read as if the key were not there, without errors of its own.
    if (fresh.is_null() && !old.is_scalar()) return old;
    if (!fresh.is_map() || holds(fresh, "base") || holds(fresh, "value")) return fresh;
    if (old.is_sequence() && names_items(fresh)) return merged(numbered(old), fresh);
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
    // What a section of the base still lacks is missing in the file that has the base.
    for (Node::Entry& entry : entries) {
        if (overrides.find(entry.key) == nullptr) entry.value = placed(entry.value, overrides.location());
    }
    return Node::map(std::move(entries), overrides.path(), overrides.location());
}

void refuse_erased(const Node& base, const Node& overrides, Diagnostics& diagnostics) {
    if (!base.is_map() || !overrides.is_map() || holds(overrides, "value")) return;
    for (const Node::Entry& entry : overrides.entries()) {
        const Node* const old = base.find(entry.key);
        if (old == nullptr || old->is_null() || old->is_scalar()) continue;
        if (!entry.value.is_null()) {
            refuse_erased(*old, entry.value, diagnostics);
        } else if (!entry.value.unreadable()) {
            diagnostics.error(
                entry.location, entry.value.path(),
                fmt::format("has no value, and its base has one at {} (write what differs, or leave "
                            "the key out)",
                            to_string(old->location())));
        }
    }
}

Node numbered(const Node& node) {
    if (!node.is_sequence()) return node;
    std::vector<Node::Entry> entries;
    for (const Node& item : node.items()) {
        entries.push_back({std::to_string(entries.size()), item.location(), item});
    }
    return Node::map(std::move(entries), node.path(), node.location());
}

}  // namespace dse::config
