#pragma once

#include <cstdint>
#include <vector>

#include "dse/serving/ticks.hpp"

namespace dse::serving {

/// What a client sends.
struct Request {
    Ticks arrival{0};
    std::int32_t prompt{1};  ///< tokens, >= 1
    std::int32_t output{1};  ///< tokens that it generates, >= 1
    friend bool operator==(const Request&, const Request&) = default;
};

/// The requests of a run, in the order in which they arrive.
struct Requests {
    std::vector<Request> all;
    /// Names of the pieces that prompts begin with, numbers from 0 on: equal names, equal beginnings up to
    /// there. Those of request i are pieces[first_piece[i]] to pieces[first_piece[i + 1]]; both are empty
    /// where nothing is known of them.
    std::vector<std::uint32_t> first_piece;
    std::vector<std::uint32_t> pieces;
    std::size_t piece_names{0};
    std::int64_t piece_tokens{0};  ///< of every piece but a prompt's last
};

}  // namespace dse::serving
