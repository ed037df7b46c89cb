#include "dse/graph/dispatch.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "dse/base/check.hpp"
#include "dse/graph/routing.hpp"

namespace dse::graph {
namespace {

/// Mean number of places that hold some of a token's experts, if tokens take them in turn.
double places_in_turn(const Dispatch& dispatch, std::int64_t places) {
    const auto experts = static_cast<std::int64_t>(dispatch.experts);
    DSE_EXPECT(experts % places == 0);
    const std::int64_t held = experts / places;
    const auto chosen = static_cast<std::int64_t>(std::llround(dispatch.choices));
    // A place begins before every `held`-th expert: before this share of those that follow a token's first.
    const auto begun = static_cast<double>(chosen - std::gcd(chosen, held)) / static_cast<double>(held);
    return std::min(static_cast<double>(places), 1.0 + begun);
}

}  // namespace

double sent_share(const Dispatch& dispatch, std::int64_t places) {
    DSE_EXPECT(dispatch.choices > 0.0 && places >= 1);
    const double reached = dispatch.experts > 0.0
                               ? places_in_turn(dispatch, places)
                               : static_cast<double>(places) * touched_share(places, 1, dispatch.choices);
    return reached / dispatch.choices;
}

}  // namespace dse::graph
