#pragma once

#include <cstdint>

#include "dse/base/units.hpp"
#include "dse/config/range.hpp"

namespace dse::graph {

/// Conversations of several requests. Each request after the first continues the one before: its prompt is
/// all that has been said, followed by a new message.
struct RequestTurns {
    std::int64_t turns{1};        ///< requests of a conversation, or their mean; 1: requests have no history
    double turns_spread{0.0};     ///< standard deviation of the logarithm of their number; 0: all are equal
    Seconds turn_gap{0.0};        ///< mean time from one request of a conversation to its next; of clients,
                                  ///< from its answer
    double turn_gap_spread{0.0};  ///< standard deviation of the logarithm of this time; 0: all are equal
    friend bool operator==(const RequestTurns&, const RequestTurns&) = default;

    [[nodiscard]] bool continue_others() const { return turns > 1; }
};

template <class Visitor>
void describe(Visitor& v, RequestTurns& turns) {
    v.optional("turns", turns.turns, config::between(1, 1e4),
               "requests of a conversation, or their mean; each prompt begins with all that has been said");
    v.optional("turns_spread", turns.turns_spread, config::between(0, 3),
               "log-normal number of turns: standard deviation of the logarithm");
    v.optional("turn_gap", turns.turn_gap, config::not_negative,
               "mean time from one request of a conversation to its next; of clients, from its answer");
    v.optional("turn_gap_spread", turns.turn_gap_spread, config::between(0, 5),
               "log-normal times between turns: standard deviation of the logarithm");
}

}  // namespace dse::graph
