#pragma once

#include <string>

#include "app/json_output.hpp"
#include "dse/eval/advice/own_step.hpp"
#include "dse/eval/advice/staircase.hpp"
#include "dse/space/space.hpp"

namespace dse::app {

/// Advice for a measured run.
struct Advice {
    double measured{0.0};  ///< s per step
    eval::OwnStep step;
    eval::Staircase staircase;
    double correlation{0.0};  ///< between the errors of two layouts
};

/// \param own  the run's own layout
Json advice_json(const Advice& advice, const space::Space& space, const space::Point& own);
std::string advice_text(const Advice& advice, const space::Space& space, const space::Point& own);

}  // namespace dse::app
