#include "serving/random.hpp"

#include <cmath>
#include <numbers>

#include "dse/base/check.hpp"
#include "dse/base/seed.hpp"

namespace dse::serving {

std::uint64_t Random::next() {
    state_ += golden_gamma;
    return mixed(state_);
}

double Random::uniform() {
    // Odd multiples of 2^-53.
    return (static_cast<double>(next() >> 12U) + 0.5) * 0x1p-52;
}

double Random::exponential() {
    return -std::log(uniform());
}

double Random::normal() {
    // Box, Muller, Annals of Mathematical Statistics 29, 1958; the second number is discarded.
    const double radius = std::sqrt(-2.0 * std::log(uniform()));
    return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

double Random::gamma(double variation) {
    DSE_EXPECT(variation > 0.0);
    const double shape = 1.0 / (variation * variation);
    // For shapes below 1: Marsaglia and Tsang, section 6.
    const double sample =
        shape >= 1.0 ? standard_gamma(shape) : standard_gamma(shape + 1.0) * std::pow(uniform(), 1.0 / shape);
    return sample / shape;
}

/// Marsaglia, Tsang, "A simple method for generating gamma variables", ACM TOMS 26, 2000. \param shape  >= 1
double Random::standard_gamma(double shape) {
    const double d = shape - 1.0 / 3.0;
    const double c = 1.0 / std::sqrt(9.0 * d);
    for (;;) {
        const double x = normal();
        const double root = 1.0 + c * x;
        if (root <= 0.0) continue;
        const double v = root * root * root;
        if (std::log(uniform()) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
    }
}

}  // namespace dse::serving
