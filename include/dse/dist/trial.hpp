#pragma once

#include <cstdint>

#include "dse/space/point.hpp"

namespace dse::dist {

/// Fidelity of an evaluation: level 0 is the evaluator's default, and the evaluator defines the other levels.
struct Fidelity {
    std::uint32_t level{0};

    friend bool operator==(const Fidelity&, const Fidelity&) = default;
};

/// A point to be evaluated. Its id is its position in the order of asking.
struct Trial {
    space::Point point;
    Fidelity fidelity;
};

}  // namespace dse::dist
