#pragma once

#include <cstdint>

namespace dse::dist {

/// How far a search is that proves its front by splitting the space into boxes.
struct ProofProgress {
    double epsilon{0.0};       ///< share by which undiscovered points could be better; infinite at first
    std::uint64_t settled{0};  ///< boxes that need no further look
    std::uint64_t boxes{0};    ///< all boxes so far, which grow in number as open ones are split
    double share{0.0};         ///< of the points of the grid, those in settled boxes
};

}  // namespace dse::dist
