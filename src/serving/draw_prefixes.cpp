#include "dse/serving/draw_prefixes.hpp"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/base/seed.hpp"
#include "dse/graph/serving_conflicts.hpp"
#include "serving/random.hpp"
#include "serving/zipf_draw.hpp"

namespace dse::serving {
namespace {

/// Four bytes each.
constexpr std::size_t most_pieces = 250'000'000;

/// The prefixes of a class, or of all requests.
struct PrefixGroup {
    graph::RequestPrefixes stated;
    ZipfDraw numbers;
    std::size_t pieces{0};  ///< whole pages of each
    std::size_t first{0};   ///< name of the first piece of its first prefix
};

std::vector<PrefixGroup> groups_of(const graph::Traffic& traffic, std::int64_t page_tokens) {
    std::vector<PrefixGroup> groups;
    std::size_t names = 0;
    const auto add = [&](const graph::RequestPrefixes& stated) {
        const auto pieces = static_cast<std::size_t>(stated.prefix / page_tokens);
        groups.push_back({stated, ZipfDraw{stated.prefixes, stated.prefix_skew}, pieces, names});
        names += pieces * static_cast<std::size_t>(stated.prefixes);
    };
    if (traffic.classes.empty()) add(traffic);
    for (const graph::RequestClass& one : traffic.classes) add(one);
    if (names > most_pieces)
        throw ModelError(
            fmt::format("the prefixes of the traffic have {} pages of {} tokens, more than {}: "
                        "fewer prefixes, or shorter ones",
                        names, page_tokens, most_pieces));
    return groups;
}

void lengthen(Request& request, std::int64_t prefix) {
    request.prompt = static_cast<std::int32_t>(std::min(request.prompt + prefix, graph::most_request_tokens));
}

/// Names only the pieces that requests have: caches and routers keep something for each name.
void name_those_drawn(Requests& requests) {
    std::unordered_map<std::uint32_t, std::uint32_t> names;
    for (std::uint32_t& piece : requests.pieces)
        piece = names.try_emplace(piece, static_cast<std::uint32_t>(names.size())).first->second;
    requests.piece_names = names.size();
}

}  // namespace

void draw_prefixes(const graph::Traffic& traffic, std::uint64_t seed, std::int64_t page_tokens,
                   Requests& requests) {
    if (!graph::has_prefixes(traffic)) return;
    const std::vector<PrefixGroup> groups = groups_of(traffic, page_tokens);
    constexpr std::uint64_t stream = 5;
    Random random{seed_of(seed, stream)};
    requests.piece_tokens = page_tokens;
    requests.first_piece.reserve(requests.all.size() + 1);
    for (Request& request : requests.all) {
        requests.first_piece.push_back(static_cast<std::uint32_t>(requests.pieces.size()));
        const PrefixGroup& group = groups[request.kind];
        // Both are drawn in any case, so that a share or a length changes nothing else.
        const bool begins = random.uniform() < group.stated.prefix_share;
        const std::size_t number = group.numbers.next(random);
        if (!begins || group.stated.prefix == 0) continue;
        lengthen(request, group.stated.prefix);
        if (requests.pieces.size() + group.pieces > most_pieces)
            throw ModelError(
                fmt::format("the prefixes of {} requests have more than {} pages of {} tokens: fewer "
                            "requests, or larger pages",
                            requests.all.size(), most_pieces, page_tokens));
        for (std::size_t i = 0; i < group.pieces; ++i)
            requests.pieces.push_back(static_cast<std::uint32_t>(group.first + number * group.pieces + i));
    }
    requests.first_piece.push_back(static_cast<std::uint32_t>(requests.pieces.size()));
    const PrefixGroup& last = groups.back();
    requests.piece_names = last.first + last.pieces * static_cast<std::size_t>(last.stated.prefixes);
    if (requests.piece_names > requests.pieces.size()) name_those_drawn(requests);
    if (requests.pieces.empty()) requests.first_piece.clear();
}

}  // namespace dse::serving
