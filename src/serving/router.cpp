#include "serving/router.hpp"

#include <algorithm>
#include <limits>
#include <span>

namespace dse::serving {
namespace {

/// Defaults of SGLang's router, policy cache_aware (sgl-router: cache_threshold, balance_abs_threshold,
/// balance_rel_threshold).
constexpr double least_known_share = 0.3;
constexpr std::size_t most_apart = 64;
constexpr double most_ratio = 1.5;

std::size_t least_of(const std::vector<std::size_t>& loads) {
    return static_cast<std::size_t>(std::ranges::min_element(loads) - loads.begin());
}

bool is_balanced(const std::vector<std::size_t>& loads) {
    const auto [least, most] = std::ranges::minmax(loads);
    return most - least <= most_apart || static_cast<double>(most) <= most_ratio * static_cast<double>(least);
}

std::size_t pieces_of_request(const Requests& requests, std::size_t request) {
    return requests.first_piece.empty()
               ? 0
               : std::size_t{requests.first_piece[request + 1]} - requests.first_piece[request];
}

/// Of the whole prompt: pieces that nobody else has may have no names.
std::size_t pieces_of_prompt(const Requests& requests, std::size_t request) {
    const std::size_t named = pieces_of_request(requests, request);
    if (requests.piece_tokens == 0) return named;
    const auto whole = static_cast<std::size_t>(requests.all[request].prompt / requests.piece_tokens);
    return requests.names_answers ? whole : std::max(named, whole);
}

/// The pieces of a request that its first tokens fill completely.
std::span<const std::uint32_t> filled_pieces(const Requests& requests, std::size_t request,
                                             std::int64_t tokens) {
    const std::size_t stated = pieces_of_request(requests, request);
    if (stated == 0) return {};
    const auto full = static_cast<std::size_t>(tokens / requests.piece_tokens);
    return {requests.pieces.data() + requests.first_piece[request], std::min(full, stated)};
}

/// A piece that prompts go on from in more ways than this is a beginning that conversations have in common,
/// such as a system prompt, not a turn of one: answers are generated again and tools are called in parallel,
/// but in Mooncake's conversations no piece except the very first, which all prompts share, has more than 7.
constexpr std::uint32_t most_branches = 8;

constexpr std::uint32_t no_session = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t no_replica = std::numeric_limits<std::size_t>::max();

}  // namespace

std::span<const std::uint32_t> whole_pieces(const Requests& requests, std::size_t request) {
    return filled_pieces(requests, request, requests.all[request].prompt);
}

std::span<const std::uint32_t> answered_pieces(const Requests& requests, std::size_t request) {
    const Request& one = requests.all[request];
    return filled_pieces(requests, request,
                         requests.names_answers ? std::int64_t{one.prompt} + one.output - 1 : one.prompt);
}

std::vector<std::uint32_t> sessions_of(const Requests& requests) {
    std::vector<std::uint32_t> ending_with(requests.piece_names, no_session);
    std::vector<std::uint32_t> branches(requests.piece_names);  // different pieces that have followed it
    std::vector<bool> seen(requests.piece_names);
    std::vector<std::uint32_t> sessions(requests.all.size());
    std::uint32_t count = 0;
    for (std::size_t i = 0; i < sessions.size(); ++i) {
        const auto pieces = whole_pieces(requests, i);
        for (std::size_t k = 0; k < pieces.size(); ++k) {
            if (k > 0 && !seen[pieces[k]]) ++branches[pieces[k - 1]];
            seen[pieces[k]] = true;
        }
        std::uint32_t session = no_session;
        for (auto piece = pieces.rbegin(); piece != pieces.rend() && session == no_session; ++piece) {
            if (branches[*piece] <= most_branches) session = ending_with[*piece];
        }
        sessions[i] = session == no_session ? count++ : session;
        if (!pieces.empty()) ending_with[pieces.back()] = sessions[i];
    }
    return sessions;
}

RequestRouter::RequestRouter(graph::Router rule, const Requests& requests, std::size_t replicas)
    : requests_{requests} {
    if (rule == graph::Router::prefix) sent_.assign(replicas, std::vector<bool>(requests.piece_names));
    if (rule != graph::Router::session) return;
    session_of_ = sessions_of(requests);
    replica_of_.assign(session_of_.size(), no_replica);
}

std::size_t RequestRouter::choose_by_session(std::size_t request, const std::vector<std::size_t>& loads) {
    std::size_t& replica = replica_of_[session_of_[request]];
    if (replica == no_replica) replica = least_of(loads);
    return replica;
}

/// Number of the prompt's leading pieces that have been sent to the replica before.
std::size_t RequestRouter::known_pieces(std::size_t request, std::size_t replica) const {
    const std::size_t count = pieces_of_request(requests_, request);
    std::size_t known = 0;
    while (known < count && sent_[replica][requests_.pieces[requests_.first_piece[request] + known]]) ++known;
    return known;
}

/// The replica that knows most of the prompt's leading pieces, among equals the least loaded one; the least
/// loaded of all if none knows enough of them.
std::size_t RequestRouter::best_known(std::size_t request, const std::vector<std::size_t>& loads) const {
    std::size_t best = least_of(loads);
    std::size_t most = known_pieces(request, best);
    for (std::size_t replica = 0; replica < loads.size(); ++replica) {
        const std::size_t known = known_pieces(request, replica);
        if (known < most || (known == most && loads[replica] >= loads[best])) continue;
        best = replica;
        most = known;
    }
    const auto pieces = static_cast<double>(pieces_of_prompt(requests_, request));
    return static_cast<double>(most) > least_known_share * pieces ? best : least_of(loads);
}

std::size_t RequestRouter::choose(std::size_t request, const std::vector<std::size_t>& loads) {
    if (!session_of_.empty()) return choose_by_session(request, loads);
    if (sent_.empty()) return least_of(loads);
    const std::size_t chosen = is_balanced(loads) ? best_known(request, loads) : least_of(loads);
    for (std::size_t i = 0; i < pieces_of_request(requests_, request); ++i)
        sent_[chosen][requests_.pieces[requests_.first_piece[request] + i]] = true;
    return chosen;
}

}  // namespace dse::serving
