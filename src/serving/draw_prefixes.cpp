#include "dse/serving/draw_prefixes.hpp"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/base/seed.hpp"
#include "dse/graph/serving_conflicts.hpp"
#include "serving/prefix_groups.hpp"
#include "serving/random.hpp"

namespace dse::serving {
namespace {

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
    PrefixGroups groups{traffic, page_tokens};
    constexpr std::uint64_t stream = 5;
    Random random{seed_of(seed, stream)};
    requests.piece_tokens = page_tokens;
    requests.first_piece.reserve(requests.all.size() + 1);
    for (Request& request : requests.all) {
        requests.first_piece.push_back(static_cast<std::uint32_t>(requests.pieces.size()));
        const PrefixGroups::Beginning beginning = groups.draw(request.kind, random);
        lengthen(request, beginning.tokens);
        if (requests.pieces.size() + beginning.pieces > most_pieces)
            throw ModelError(
                fmt::format("the prefixes of {} requests have more than {} pages of {} tokens: fewer "
                            "requests, or larger pages",
                            requests.all.size(), most_pieces, page_tokens));
        for (std::uint32_t i = 0; i < beginning.pieces; ++i) requests.pieces.push_back(beginning.first + i);
    }
    requests.first_piece.push_back(static_cast<std::uint32_t>(requests.pieces.size()));
    requests.piece_names = groups.names();
    if (requests.piece_names > requests.pieces.size()) name_those_drawn(requests);
    if (requests.pieces.empty()) requests.first_piece.clear();
}

}  // namespace dse::serving
