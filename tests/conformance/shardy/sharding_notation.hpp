#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "dse/ir/program/sharding.hpp"
#include "ir/partition/axes.hpp"

namespace dse::conformance {

/// `"x"`, or of a part of an axis `"x":(2)4`.
inline std::string notation(const ir::AxisRef& axis, const ir::DeviceMesh& mesh) {
    const auto& whole = mesh.axes[axis.axis];
    std::string text = '"' + whole.name + '"';
    if (axis.size != whole.size)
        text += ":(" + std::to_string(axis.pre_size) + ")" + std::to_string(axis.size);
    return text;
}

/// `{"x","y"}`
inline std::string notation(const ir::partition::Axes& axes, const ir::DeviceMesh& mesh) {
    std::string text = "{";
    for (const ir::AxisRef& axis : axes) text += (text.size() > 1 ? "," : "") + notation(axis, mesh);
    return text + "}";
}

/// `[{"x"},{}]`: Shardy's way to write a layout, without spaces.
inline std::string notation(const ir::partition::Layout& layout, const ir::DeviceMesh& mesh) {
    std::string text = "[";
    for (const auto& axes : layout) text += (text.size() > 1 ? "," : "") + notation(axes, mesh);
    return text + "]";
}

/// The dimensions of a sharding in Shardy's text, in that notation: `@mesh, [{"x", ?}p1, {}], replicated={…}`
/// is
/// `[{"x"},{}]`; without axes in any dimension it is empty, as if nothing were stated.
inline std::string dimensions_of(std::string_view sharding) {
    std::string text;
    bool any = false;
    bool quoted = false;
    int depth = 0;
    for (const char c : sharding.substr(sharding.find('['))) {
        if (c == '"') quoted = !quoted;
        any = any || c == '"';
        const bool priority = !quoted && depth == 1 && (c == 'p' || (c >= '0' && c <= '9'));
        if (c == '[' || c == '{') ++depth;
        if (c == ']' || c == '}') --depth;
        if (c != ' ' && c != '?' && !priority) text += c;
        if (depth == 0) break;
    }
    for (std::size_t at = text.find(",}"); at != std::string::npos; at = text.find(",}")) text.erase(at, 1);
    return any ? text : std::string{};
}

/// Dimensions that each `<@mesh, […]>` of a text speaks of.
inline std::vector<std::size_t> ranks_in(std::string_view text) {
    std::vector<std::size_t> ranks;
    for (std::size_t at = text.find("<@"); at != std::string_view::npos; at = text.find("<@", at + 2)) {
        const std::size_t begin = text.find('[', at);
        const std::string_view inside = text.substr(begin, text.find(']', begin) - begin);
        ranks.push_back(static_cast<std::size_t>(std::count(inside.begin(), inside.end(), '{')));
    }
    return ranks;
}

/// Every `<@mesh, […]>` in a text, as dimensions_of.
inline std::vector<std::string> shardings_in(std::string_view text) {
    std::vector<std::string> found;
    for (std::size_t at = text.find("<@"); at != std::string_view::npos; at = text.find("<@", at + 2))
        found.push_back(dimensions_of(text.substr(at, text.find('>', at) - at)));
    return found;
}

}  // namespace dse::conformance
