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
#include "serving/request_draws.hpp"

namespace dse::serving {
using graph::Traffic;

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
                                           class_sums_of(traffic.classes),
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
        request.kind = draw_class(state.class_sums, state.classes);
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
