#pragma once

#include <cstdint>

#include "dse/base/units.hpp"

namespace dse::graph {

/// How an all-to-all that sends a token only once to each node and device that needs it finds the experts of
/// tokens, and how fast its kernels are.
struct Dispatch {
    /// Number of experts per token, which is the number of copies of each token in the buffer. 0: every copy
    /// is sent separately.
    double choices{0.0};
    /// Experts of the layer if those of a token are neighbours (Imbalance::in_turn); 0: any of them.
    double experts{0.0};
    /// At which kernels copy a device's tokens to the devices that need them, each once and the own one
    /// included; 0: as fast as links carry them.
    BytesPerSecond rate{};
    friend bool operator==(const Dispatch&, const Dispatch&) = default;
};

/// Share of a token's copies that a dispatch sends to a number of places (nodes or devices) with as many
/// neighbouring experts each, the sender's own included: one copy to each place that needs the token, by
/// expectation.
///  - any experts: each place is assumed to hold many of them, so that choices are independent;
///  - in turn: a token's first expert is a multiple of `choices`, and so is its distance from the next place
///    a multiple of what `choices` and a place's experts have in common, each of them equally often.
/// \param dispatch  with choices
/// \param places    >= 1; must divide the experts in turn
double sent_share(const Dispatch& dispatch, std::int64_t places);

}  // namespace dse::graph
