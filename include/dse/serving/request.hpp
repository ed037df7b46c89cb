#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "dse/serving/ticks.hpp"

namespace dse::serving {

/// How many of `all` are every `stride`-th, starting with `first`.
constexpr std::size_t count_of_every(std::size_t stride, std::size_t first, std::size_t all) {
    return all > first ? (all - first - 1) / stride + 1 : 0;
}

/// A request as a client sends it.
struct Request {
    Ticks arrival{0};
    std::int32_t prompt{1};    ///< tokens, >= 1
    std::int32_t output{1};    ///< tokens to generate, >= 1
    std::uint8_t kind{0};      ///< number of its class, if the traffic has classes
    std::uint32_t retries{0};  ///< times that it has started over because its replica failed
    std::uint32_t adapter{0};  ///< that it names, if the traffic has adapters
    std::int32_t priority{0};  ///< of its class; smaller numbers are served first
    Ticks delayed{0};          ///< `arrival` is that much later than the client sent it: its replica failed

    /// When the client sent it.
    [[nodiscard]] Ticks sent() const { return arrival - delayed; }
    friend bool operator==(const Request&, const Request&) = default;
};

/// The requests of a run, in order of arrival.
struct Requests {
    std::vector<Request> all;
    /// Names of the pieces that make up the beginning of each prompt, numbered from 0. Two prompts with the
    /// same name at the same position share everything up to the end of that piece. Request i has
    /// pieces[first_piece[i]] to pieces[first_piece[i + 1]]; both vectors are empty if no pieces are known.
    std::vector<std::uint32_t> first_piece;
    std::vector<std::uint32_t> pieces;
    std::size_t piece_names{0};
    std::int64_t piece_tokens{0};  ///< size of every piece except a prompt's last
    /// Whether pieces go on to the end of the answer, as those of drawn conversations: the next turn finds
    /// what was generated, too. All are then whole.
    bool names_answers{false};
    /// Conversations of a closed loop: the time from the answer before each request to it; `never` where a
    /// conversation begins. Those of a conversation follow one another. Empty if clients send one after the
    /// other of all requests.
    std::vector<Ticks> pauses;

    [[nodiscard]] bool has_pauses() const { return !pauses.empty(); }
    /// Whether a request exists, and belongs to the same conversation as the one before.
    [[nodiscard]] bool continues(std::size_t request) const {
        return request < pauses.size() && pauses[request] != never;
    }
};

}  // namespace dse::serving
