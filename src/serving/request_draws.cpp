#include "serving/request_draws.hpp"

#include <algorithm>
#include <cmath>

namespace dse::serving {
namespace {

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

}  // namespace

double draw_factor(double spread, Random& random) {
    return spread == 0.0 ? 1.0 : std::exp(spread * random.normal() - 0.5 * spread * spread);
}

std::int32_t draw_tokens(double mean, double spread, Random& random) {
    if (spread == 0.0) return static_cast<std::int32_t>(mean);
    constexpr auto most = static_cast<double>(graph::most_request_tokens);
    return static_cast<std::int32_t>(std::clamp(std::round(mean * draw_factor(spread, random)), 1.0, most));
}

double mean_tokens(double mean, double spread) {
    if (spread == 0.0) return std::floor(mean);
    const auto above = [&](double x, double shift) {
        return 0.5 * std::erfc(-((std::log(mean / x) / spread) + shift * spread) / std::sqrt(2.0));
    };
    // The mean of a whole number is the sum of the probabilities to be k or more, here of a log-normal x to
    // be above k - 1/2. From `far` on the sum is an integral: the mean of x - far where that is positive.
    constexpr int far = 64;
    double sum = 1.0;
    for (int k = 2; k <= far; ++k) sum += above(k - 0.5, -0.5);
    return sum + mean * above(far, 0.5) - far * above(far, -0.5);
}

void draw_lengths(const graph::RequestLengths& lengths, Random& random, Request& request) {
    request.prompt = draw_length(lengths.prompt, lengths.prompt_spread, lengths.length_ratio, random);
    request.output = draw_length(lengths.output, lengths.output_spread, lengths.length_ratio, random);
}

double draw_gap(const graph::Traffic& traffic, Random& random) {
    switch (traffic.arrivals) {
        case graph::Arrivals::poisson:
            return random.exponential();
        case graph::Arrivals::gamma:
            return random.gamma(traffic.burstiness);
        case graph::Arrivals::fixed:
            break;
    }
    return 1.0;
}

std::vector<double> sums_of(std::span<const double> weights) {
    std::vector<double> sums;
    sums.reserve(weights.size());
    double sum = 0.0;
    for (const double weight : weights) sums.push_back(sum += weight);
    for (double& part : sums) part /= sum;
    return sums;
}

std::vector<double> class_sums_of(std::span<const graph::RequestClass> classes) {
    std::vector<double> shares;
    shares.reserve(classes.size());
    for (const graph::RequestClass& one : classes) shares.push_back(one.share);
    return sums_of(shares);
}

std::uint8_t draw_class(std::span<const double> sums, Random& random) {
    const auto found = std::ranges::upper_bound(sums, random.uniform());
    const auto number = static_cast<std::size_t>(found - sums.begin());
    return static_cast<std::uint8_t>(std::min(number, sums.size() - 1));
}

}  // namespace dse::serving
