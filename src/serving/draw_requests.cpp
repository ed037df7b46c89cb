#include "dse/serving/draw_requests.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/base/seed.hpp"
#include "dse/graph/serving_conflicts.hpp"
#include "dse/serving/draw_adapters.hpp"
#include "serving/random.hpp"
#include "serving/rate_course.hpp"

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

/// Sums of the classes' shares up to each class, relative to that of all.
std::vector<double> sums_of_shares(const std::vector<graph::RequestClass>& classes) {
    std::vector<double> sums;
    sums.reserve(classes.size());
    double sum = 0.0;
    for (const graph::RequestClass& one : classes) sums.push_back(sum += one.share);
    for (double& part : sums) part /= sum;
    return sums;
}

void draw_lengths(const graph::RequestLengths& lengths, Random& random, Request& request) {
    request.prompt = draw_length(lengths.prompt, lengths.prompt_spread, lengths.length_ratio, random);
    request.output = draw_length(lengths.output, lengths.output_spread, lengths.length_ratio, random);
}

}  // namespace

struct DrawnRequests::State {
    graph::Traffic traffic;
    RateCourse course;
    std::vector<double> class_sums;
    Random lengths;
    Random gaps;
    Random classes;
    std::optional<AdapterDraw> adapters;
    std::int64_t left{0};
    double gone{0};  ///< gaps so far, in units of the mean gap; used if the rate changes
    double time{0};  ///< s

    [[nodiscard]] std::uint8_t draw_class() {
        const auto found = std::ranges::upper_bound(class_sums, classes.uniform());
        const auto number = static_cast<std::size_t>(found - class_sums.begin());
        return static_cast<std::uint8_t>(std::min(number, class_sums.size() - 1));
    }

    void wait() {
        const double gap = draw_gap(traffic, gaps);
        if (course.changes()) {
            time = course.time_of(gone += gap);
        } else {
            time += 1.0 / traffic.rate.value() * gap;
        }
    }
};

DrawnRequests::DrawnRequests(const Traffic& traffic, std::uint64_t seed)
    : state_{std::make_unique<State>(State{traffic,
                                           RateCourse{traffic},
                                           sums_of_shares(traffic.classes),
                                           Random{seed_of(seed, 0)},
                                           Random{seed_of(seed, 1)},
                                           Random{seed_of(seed, 2)},
                                           {},
                                           traffic.requests})} {
    graph::require_none(graph::conflicts_of(traffic));
    if (traffic.adapters > 0) state_->adapters.emplace(traffic, seed);
}

DrawnRequests::~DrawnRequests() = default;

bool DrawnRequests::next(Request& request) {
    State& state = *state_;
    const Traffic& traffic = state.traffic;
    if (state.left == 0) return false;
    --state.left;
    if (!traffic.classes.empty()) {
        request.kind = state.draw_class();
        request.priority = static_cast<std::int32_t>(traffic.classes[request.kind].priority);
    }
    const graph::RequestLengths& lengths =
        traffic.classes.empty() ? traffic
                                : static_cast<const graph::RequestLengths&>(traffic.classes[request.kind]);
    draw_lengths(lengths, state.lengths, request);
    if (state.adapters) request.adapter = state.adapters->next();
    request.arrival = to_ticks(state.time);
    if (traffic.clients > 0) return true;
    state.wait();
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

std::function<Ticks(std::size_t, Ticks)> draw_failures(double mean, std::uint64_t seed) {
    constexpr std::uint64_t stream = 3;
    return [mean, seed, drawn = std::vector<Random>{}](std::size_t replica, Ticks up) mutable {
        while (drawn.size() <= replica) drawn.emplace_back(seed_of(seed_of(seed, stream), drawn.size()));
        const double end = to_seconds(up) + mean * drawn[replica].exponential();
        return end < longest_run ? to_ticks(end) : never;
    };
}

}  // namespace dse::serving
