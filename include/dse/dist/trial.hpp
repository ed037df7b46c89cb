#pragma once

#include <cstdint>

#include "dse/space/point.hpp"

namespace dse::dist {

/// How much an answer may cost: level 0 is the evaluator's own; what other levels mean, the evaluator says.
struct Fidelity {
    std::uint32_t level{0};

    friend bool operator==(const Fidelity&, const Fidelity&) = default;
};

/// A point that is to be evaluated. Its id is its place in the order of asking.
struct Trial {
    space::Point point;
    Fidelity fidelity;
};

}  // namespace dse::dist
