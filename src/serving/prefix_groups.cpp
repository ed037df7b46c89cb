#include "serving/prefix_groups.hpp"

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::serving {

PrefixGroups::PrefixGroups(const graph::Traffic& traffic, std::int64_t page_tokens) {
    if (traffic.classes.empty()) add(traffic, page_tokens);
    for (const graph::RequestClass& one : traffic.classes) add(one, page_tokens);
    if (names_ > most_pieces)
        throw ModelError(
            fmt::format("the prefixes of the traffic have {} pages of {} tokens, more than {}: "
                        "fewer prefixes, or shorter ones",
                        names_, page_tokens, most_pieces));
}

void PrefixGroups::add(const graph::RequestPrefixes& stated, std::int64_t page_tokens) {
    const auto pieces = static_cast<std::size_t>(stated.prefix / page_tokens);
    groups_.push_back({stated, ZipfDraw{stated.prefixes, stated.prefix_skew}, pieces, names_});
    names_ += pieces * static_cast<std::size_t>(stated.prefixes);
}

PrefixGroups::Beginning PrefixGroups::draw(std::uint8_t kind, Random& random) {
    Group& group = groups_[kind];
    const bool begins = random.uniform() < group.stated.prefix_share;
    const std::size_t number = group.numbers.next(random);
    if (!begins || group.stated.prefix == 0) return {};
    return {group.stated.prefix, static_cast<std::uint32_t>(group.first + number * group.pieces),
            static_cast<std::uint32_t>(group.pieces)};
}

}  // namespace dse::serving
