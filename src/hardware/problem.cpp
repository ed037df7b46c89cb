#include "dse/hardware/problem.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace dse::hardware {
namespace {

/// The value of a key in a map, or the list item with that number.
const config::Node* child(const config::Node& node, std::string_view key) {
    if (node.is_map()) return node.find(key);
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), index);
    const bool number = error == std::errc{} && end == key.data() + key.size();
    return number && index < node.items().size() ? &node.items()[index] : nullptr;
}

/// The node of a dotted key, looking through {value: …} wrappers; nullptr if the file does not contain it.
const config::Node* locate(const config::Node& map, std::string_view key) {
    const config::Node* node = &map;
    while (!key.empty()) {
        const std::size_t dot = key.find('.');
        node = child(*node, key.substr(0, dot));
        if (node == nullptr || dot == std::string_view::npos) break;
        key.remove_prefix(dot + 1);
    }
    if (node != nullptr && node->is_map()) {
        if (const config::Node* value = node->find("value")) return value;
    }
    return node;
}

/// Whether a value that contains the one at this path has an error: what it lacks follows from that.
bool has_error_above(const config::Diagnostics& diagnostics, std::string_view path) {
    return std::ranges::any_of(diagnostics.all(), [&](const config::Diagnostic& known) {
        const std::string_view above{known.path};
        return known.severity == config::Severity::error && !above.empty() && path.size() > above.size() &&
               path.starts_with(above) && path[above.size()] == '.';
    });
}

/// Whether the value at this path, or one inside it, has an error.
bool has_error_in(const config::Diagnostics& diagnostics, std::string_view path) {
    return std::ranges::any_of(diagnostics.all(), [&](const config::Diagnostic& known) {
        const std::string_view at{known.path};
        return at.starts_with(path) && (at.size() == path.size() || at[path.size()] == '.');
    });
}

bool has_error_at(const config::Diagnostics& diagnostics, const config::Location& where) {
    return std::any_of(diagnostics.all().begin(), diagnostics.all().end(), [&](const auto& known) {
        return known.where.file == where.file && known.where.line == where.line &&
               known.where.column == where.column;
    });
}

}  // namespace

void Problems::out_of_range(const config::FieldInfo& field, double value) {
    all_.push_back({field.path, config::out_of_range(config::format_value(value, field), field)});
}

void Problems::expect(bool holds, const char* key, const char* message) {
    if (!holds) all_.push_back({key, message});
}

void Problems::nest(std::string_view key, Problems inner) {
    for (Problem& problem : inner.all_) {
        problem.key = fmt::format("{}.{}", key, problem.key);
        all_.push_back(std::move(problem));
    }
}

std::string Problems::text() const {
    std::string lines;
    for (const Problem& problem : all_) {
        lines += fmt::format("{}{}: {}", lines.empty() ? "" : "\n", problem.key, problem.message);
    }
    return lines;
}

void report(const Problems& problems, const config::Node& map, config::Diagnostics& diagnostics) {
    if (map.unreadable() || map.is_scalar() || map.is_sequence()) return;
    for (const Problem& problem : problems.all()) {
        if (const config::Node* node = locate(map, problem.key)) {
            if (!has_error_at(diagnostics, node->location()))
                diagnostics.error(node->location(), node->path(), problem.message);
            continue;
        }
        const std::string path =
            map.path().empty() ? problem.key : fmt::format("{}.{}", map.path(), problem.key);
        if (!has_error_in(diagnostics, path) && !has_error_above(diagnostics, path) &&
            !diagnostics.is_incomplete(path))
            diagnostics.error(map.location(), path, problem.message);
    }
}

}  // namespace dse::hardware
