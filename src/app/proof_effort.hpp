#pragma once

#include <string>

#include "dse/space/space_count.hpp"
#include "dse/study/sweep.hpp"

namespace dse::app {

/// Boxes that `search: {method: proven}` looks at, at least.
struct ProofEffort {
    /// Those that it bounds: one for each combination of the axes that have no order, those of the layout.
    double layouts{0};
    /// Those that are outside of the space, each of which it keeps as a part of the proof.
    double dropped{0};
};

/// All 0 for other methods.
/// \throws InputError for a sweep whose points have no bounds
ProofEffort proof_effort(const study::Sweep& sweep, const space::SpaceCount& count);

/// Advice for a proof over so many boxes; empty if they are few enough.
std::string advice_for_proof(const ProofEffort& effort);

}  // namespace dse::app
