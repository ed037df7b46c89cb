#include "dse/config/reader.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "dse/base/nearest.hpp"
#include "dse/config/source_text.hpp"

namespace dse::config {
namespace {

std::string join_path(const std::string& outer, std::string_view name) {
    return outer.empty() ? std::string{name} : fmt::format("{}.{}", outer, name);
}

/// How to write a path with dots, which names a field only in axes and on the command line: as nested maps. A
/// section that the map gives by name becomes its heir.
/// \returns nothing if the path begins with no known key
std::optional<std::string> nested(const Node& map, std::string_view path,
                                  const std::vector<std::string>& known) {
    const std::size_t dot = path.find('.');
    const std::string_view head = path.substr(0, dot);
    if (dot == std::string_view::npos || std::ranges::find(known, head) == known.end()) return std::nullopt;
    std::string text{"…"};
    for (std::string_view rest = path; rest != head;) {
        const std::size_t last = rest.rfind('.');
        text = fmt::format("{{{}: {}}}", rest.substr(last + 1), text);
        rest = rest.substr(0, last);
    }
    const Node* section = map.find(head);
    if (section != nullptr && section->is_scalar())
        text.insert(1, fmt::format("base: {}, ", excerpt(section->text())));
    return fmt::format("{}: {}", head, text);
}

}  // namespace

Reader::Reader(const Node& map, const Library* library, Diagnostics& diagnostics)
    : map_{&map}, library_{library}, diagnostics_{&diagnostics} {
    if (!map.is_map() && !map.is_null()) {
        diagnostics.error(map.location(), map.path(),
                          fmt::format("expected a map, found {}", map.describe()));
    }
}

const Node* Reader::take(const char* name) {
    known_.emplace_back(name);
    return map_->find(name);
}

void Reader::renamed(const char* old_name, const char* name, const char* meaning) {
    const auto is_old = [&](const Node::Entry& entry) { return entry.key == old_name; };
    const auto found = std::find_if(map_->entries().begin(), map_->entries().end(), is_old);
    if (found == map_->entries().end()) return;
    known_.emplace_back(old_name);
    diagnostics_->error(found->location, found->value.path(), renaming(old_name, name, meaning));
}

Node Reader::empty_map(const char* name) const {
    return Node::map({}, join_path(map_->path(), name), map_->location());
}

bool Reader::knows_its_keys() const {
    return map_->is_map() || (map_->is_null() && !map_->unreadable());
}

void Reader::missing(const char* name) {
    if (!knows_its_keys()) return;
    diagnostics_->error(map_->location(), join_path(map_->path(), name), "missing (it has no default)");
}

std::vector<const Node*> Reader::items_of(const Node& node, std::size_t longest) {
    std::vector<const Node*> items;
    for (const Node& item : node.items()) items.push_back(&item);
    while (const Node* item = node.is_map() ? node.find(std::to_string(items.size())) : nullptr) {
        items.push_back(item);
    }
    const bool by_number = node.is_map() && !items.empty();
    if ((node.is_sequence() || by_number) && items.size() <= longest) {
        for (const Node::Entry& entry : node.entries()) {
            if (std::find(items.begin(), items.end(), &entry.value) != items.end()) continue;
            diagnostics_->error(entry.location, entry.value.path(),
                                fmt::format("no item of this list, which has {}", items.size()));
        }
        return items;
    }
    diagnostics_->error(node.location(), node.path(),
                        fmt::format("expected a list of at most {1}, found {0}", node.describe(), longest));
    return {};
}

const Node& Reader::unwrap(const Node& node) {
    if (!node.is_map()) return node;
    const Node* value = node.find("value");
    if (value == nullptr) return node;
    for (const Node::Entry& entry : node.entries()) {
        if (entry.key == "value" || entry.key == "source" || entry.key == "note") continue;
        diagnostics_->error(entry.location, entry.value.path(),
                            fmt::format("unknown key '{}' beside a value{}", excerpt(entry.key),
                                        suggestion(entry.key, {"value", "source", "note"})));
    }
    return *value;
}

void Reader::read_text(const Node& node, std::string& target) {
    if (node.is_scalar()) {
        target = node.text();
    } else {
        diagnostics_->error(node.location(), node.path(),
                            fmt::format("expected text, found {}", node.describe()));
    }
}

void Reader::finish() {
    for (const Node::Entry& entry : map_->entries()) {
        if (std::find(known_.begin(), known_.end(), entry.key) != known_.end()) continue;
        std::vector<std::string> names = known_;
        std::erase_if(names, [](const std::string& key) { return key.starts_with("--"); });  // options
        const std::optional<std::string> map = nested(*map_, entry.key, names);
        diagnostics_->error(
            entry.location, entry.value.path(),
            fmt::format("unknown key '{}'{}", excerpt(entry.key),
                        map ? fmt::format(" (in a file: {})", excerpt(*map)) : suggestion(entry.key, names)));
    }
}

std::optional<Node> Reader::resolve(const Node& node, const char* folder) {
    if (node.is_null() && !node.unreadable()) {
        diagnostics_->error(node.location(), node.path(),
                            fmt::format("expected the name of a file of {} or a map, found nothing", folder));
        return std::nullopt;
    }
    const Node* name = node.is_map() ? node.find("base") : &node;
    if (name == nullptr || !(name->is_scalar() || node.is_map())) return node;
    if (library_ != nullptr) return library_->resolve(folder, node, *diagnostics_);
    diagnostics_->error(name->location(), name->path(), "no library of files to look this name up in");
    return std::nullopt;
}

}  // namespace dse::config
