#include "dse/hardware/network/wire_spec.hpp"

#include <algorithm>
#include <charconv>
#include <map>

#include <fmt/format.h>

#include "dse/base/nearest.hpp"

namespace dse::hardware {
namespace {

std::optional<std::int64_t> whole_number(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || text.front() == '-' || error != std::errc{} || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

/// Whether the text consists of the characters of a range; anything else is a name.
bool looks_like_numbers(std::string_view text) {
    return text.find_first_not_of("0123456789-") == std::string_view::npos;
}

void check_end(const char* key, const std::string& text, Problems& problems) {
    const std::string message = fmt::format(
        "'{}' is not a device, range of devices or name of a switch (write 3, 0-7 or leaf0; at most {} "
        "devices)",
        text, WireEnd::most_devices);
    problems.expect(parse_wire_end(text).has_value(), key, message.c_str());
}

}  // namespace

std::optional<WireEnd> parse_wire_end(std::string_view text) {
    if (text.empty()) return std::nullopt;
    if (!looks_like_numbers(text)) return WireEnd{0, 0, text};
    const std::size_t dash = text.find('-');
    const auto first = whole_number(text.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : whole_number(text.substr(dash + 1));
    if (!first || !last || *last < *first || *last >= WireEnd::most_devices) return std::nullopt;
    return WireEnd{*first, *last - *first + 1, {}};
}

std::int64_t wired_devices(std::span<const WireSpec> wires) {
    std::int64_t count = 0;
    for (const WireSpec& wire : wires) {
        for (const std::string& text : {wire.from, wire.to}) {
            const auto end = parse_wire_end(text);
            if (end && end->devices > 0) count = std::max(count, end->first + end->devices);
        }
    }
    return count;
}

Problems problems_of(const WireSpec& wire) {
    Problems problems = out_of_range(wire);
    check_end("from", wire.from, problems);
    check_end("to", wire.to, problems);
    const auto from = parse_wire_end(wire.from);
    const auto to = parse_wire_end(wire.to);
    if (!from || !to) return problems;
    problems.expect(from->devices == to->devices || from->devices == 0 || to->devices == 0, "to",
                    "two ranges of devices are wired one to one, and these differ in length");
    problems.expect(wire.from != wire.to, "to", "a wire has two ends");
    return problems;
}

Problems problems_of(const std::vector<WireSpec>& wires) {
    Problems problems;
    struct Hub {
        std::int64_t wires{0};
        std::string key;
    };
    std::map<std::string, Hub, std::less<>> hubs;
    for (std::size_t i = 0; i < wires.size(); ++i) {
        const std::string item = std::to_string(i);
        problems.nest(item, problems_of(wires[i]));
        const auto from = parse_wire_end(wires[i].from);
        const auto to = parse_wire_end(wires[i].to);
        if (!from || !to) continue;
        const auto count = [&](const WireEnd& end, const WireEnd& other, const char* key) {
            if (end.devices > 0) return;
            Hub& hub = hubs[std::string{end.hub}];
            hub.wires += std::max<std::int64_t>(1, other.devices);
            hub.key = item + "." + key;
        };
        count(*from, *to, "from");
        count(*to, *from, "to");
    }
    for (const auto& [name, hub] : hubs) {
        if (hub.wires > 1) continue;
        std::vector<std::string> others;
        for (const auto& [other, its] : hubs) {
            if (its.wires > 1) others.push_back(other);
        }
        const auto meant = nearest(name, others);
        const std::string message = fmt::format("switch '{}' has only one wire{}", name,
                                                meant ? fmt::format(" (did you mean {}?)", *meant) : "");
        problems.expect(false, hub.key.c_str(), message.c_str());
    }
    return problems;
}

Problems problems_of(const DegradedSpec& degraded) {
    Problems problems = out_of_range(degraded);
    check_end("from", degraded.from, problems);
    check_end("to", degraded.to, problems);
    return problems;
}

}  // namespace dse::hardware
