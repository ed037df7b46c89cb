#include "dse/serving/draw_requests.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/base/seed.hpp"
#include "dse/graph/serving_conflicts.hpp"
#include "serving/random.hpp"

namespace dse::serving {
namespace {

using graph::Arrivals;
using graph::Traffic;

/// Log-normal with the given mean, rounded to tokens.
std::int32_t draw_tokens(double mean, double spread, Random& random) {
    if (spread == 0.0) return static_cast<std::int32_t>(mean);
    const double tokens = mean * std::exp(spread * random.normal() - 0.5 * spread * spread);
    constexpr auto most = static_cast<double>(graph::most_request_tokens);
    return static_cast<std::int32_t>(std::clamp(std::round(tokens), 1.0, most));
}

/// Uniform between `ratio` times the longest length and the longest, as the clients of public benchmarks draw
/// them (vLLM's and SGLang's `random`).
std::int32_t draw_between(double ratio, std::int64_t longest, Random& random) {
    const auto shortest =
        std::max<std::int64_t>(1, static_cast<std::int64_t>(ratio * static_cast<double>(longest)));
    const auto lengths = static_cast<double>(longest - shortest + 1);
    const auto more = std::min(longest - shortest, static_cast<std::int64_t>(random.uniform() * lengths));
    return static_cast<std::int32_t>(shortest + more);
}

std::int32_t draw_length(std::int64_t tokens, double spread, double ratio, Random& random) {
    if (ratio < 1.0) return draw_between(ratio, tokens, random);
    return draw_tokens(static_cast<double>(tokens), spread, random);
}

/// In units of the mean gap.
double draw_gap(const Traffic& traffic, Random& random) {
    switch (traffic.arrivals) {
        case Arrivals::poisson:
            return random.exponential();
        case Arrivals::gamma:
            return random.gamma(traffic.burstiness);
        case Arrivals::fixed:
            break;
    }
    return 1.0;
}

}  // namespace

struct DrawnRequests::State {
    graph::Traffic traffic;
    Random lengths;
    Random gaps;
    std::int64_t left{0};
    double time{0};  ///< s
};

DrawnRequests::DrawnRequests(const Traffic& traffic, std::uint64_t seed)
    : state_{std::make_unique<State>(
          State{traffic, Random{seed_of(seed, 0)}, Random{seed_of(seed, 1)}, traffic.requests})} {
    graph::require_none(graph::conflicts_of(traffic));
}

DrawnRequests::~DrawnRequests() = default;

bool DrawnRequests::next(Request& request) {
    State& state = *state_;
    const Traffic& traffic = state.traffic;
    if (state.left == 0) return false;
    --state.left;
    request.prompt = draw_length(traffic.prompt, traffic.prompt_spread, traffic.length_ratio, state.lengths);
    request.output = draw_length(traffic.output, traffic.output_spread, traffic.length_ratio, state.lengths);
    request.arrival = to_ticks(state.time);
    if (traffic.clients > 0) return true;
    state.time += 1.0 / traffic.rate.value() * draw_gap(traffic, state.gaps);
    if (state.time > longest_run)
        throw ModelError(
            fmt::format("{} requests at {} a second take longer than the {:g} s that a run "
                        "may last",
                        traffic.requests, traffic.rate.value(), longest_run));
    return true;
}

Requests draw_requests(const Traffic& traffic, std::uint64_t seed) {
    DrawnRequests drawn{traffic, seed};
    Requests result;
    result.all.resize(static_cast<std::size_t>(traffic.requests));
    for (Request& request : result.all) drawn.next(request);
    return result;
}

}  // namespace dse::serving
