#include "dse/serving/draw_requests.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/base/seed.hpp"
#include "serving/random.hpp"

namespace dse::serving {
namespace {

using graph::Arrivals;
using graph::Traffic;

/// Log-normal with this mean, in whole tokens.
std::int32_t draw_tokens(double mean, double spread, Random& random) {
    if (spread == 0.0) return static_cast<std::int32_t>(mean);
    const double tokens = mean * std::exp(spread * random.normal() - 0.5 * spread * spread);
    constexpr auto most = static_cast<double>(graph::most_request_tokens);
    return static_cast<std::int32_t>(std::clamp(std::round(tokens), 1.0, most));
}

/// All lengths from this share of the longest up to it are as likely, as the clients of public benchmarks
/// draw them (vLLM's and SGLang's `random`).
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

void draw_arrivals(const Traffic& traffic, Random random, std::vector<Request>& requests) {
    const double mean = 1.0 / traffic.rate.value();
    double time = 0.0;
    for (Request& request : requests) {
        request.arrival = to_ticks(time);
        time += mean * draw_gap(traffic, random);
        if (time > longest_run)
            throw ModelError(
                fmt::format("{} requests at {} a second take longer than the {:g} s that a run "
                            "may last",
                            requests.size(), traffic.rate.value(), longest_run));
    }
}

void require_arrivals(const Traffic& traffic) {
    const bool open = traffic.rate.value() > 0.0;
    const bool closed = traffic.clients > 0;
    if (open == closed)
        throw ModelError(open ? "traffic has both a rate and clients (an open loop has the one, a closed "
                                "loop the other)"
                              : "traffic has neither rate, nor clients, nor trace: nothing arrives");
}

void require_one_form(const Traffic& traffic) {
    if (traffic.length_ratio == 1.0 || (traffic.prompt_spread == 0.0 && traffic.output_spread == 0.0)) return;
    throw ModelError("traffic has both a length_ratio and a spread (lengths are even or log-normal)");
}

}  // namespace

Requests draw_requests(const Traffic& traffic, std::uint64_t seed) {
    require_arrivals(traffic);
    require_one_form(traffic);
    const double ratio = traffic.length_ratio;
    Requests result;
    result.all.resize(static_cast<std::size_t>(traffic.requests));
    Random lengths{seed_of(seed, 0)};
    for (Request& request : result.all) {
        request.prompt = draw_length(traffic.prompt, traffic.prompt_spread, ratio, lengths);
        request.output = draw_length(traffic.output, traffic.output_spread, ratio, lengths);
    }
    if (traffic.clients == 0) draw_arrivals(traffic, Random{seed_of(seed, 1)}, result.all);
    return result;
}

}  // namespace dse::serving
