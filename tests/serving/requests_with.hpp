#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "dse/serving/request.hpp"

namespace dse::serving {

/// Requests of which prompts have these pieces, of a page of 4 tokens each; at most ten distinct ones.
inline Requests requests_with(std::vector<Request> all,
                              const std::vector<std::vector<std::uint32_t>>& pieces) {
    Requests requests;
    requests.all = std::move(all);
    requests.piece_tokens = 4;
    requests.piece_names = 10;
    for (const auto& some : pieces) {
        requests.first_piece.push_back(static_cast<std::uint32_t>(requests.pieces.size()));
        requests.pieces.insert(requests.pieces.end(), some.begin(), some.end());
    }
    requests.first_piece.push_back(static_cast<std::uint32_t>(requests.pieces.size()));
    return requests;
}

}  // namespace dse::serving
