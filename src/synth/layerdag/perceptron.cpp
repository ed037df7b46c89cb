#include "perceptron.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "dse/base/check.hpp"
#include "dse/base/error.hpp"

namespace dse::synth {

Linear Linear::from_json(const nlohmann::json& json, std::size_t rows, std::size_t columns) {
    Linear linear;
    linear.columns_ = columns;
    const auto worth = json.at("worth").get<Vector>();
    json.at("weights").get_to(linear.weights_);
    json.at("bias").get_to(linear.bias_);
    if (worth.size() != rows || linear.bias_.size() != rows || linear.weights_.size() != rows * columns)
        throw InputError(fmt::format("a network has {} weights instead of {} x {}", linear.weights_.size(),
                                     rows, columns));
    for (std::size_t i = 0; i < linear.weights_.size(); ++i) linear.weights_[i] *= worth[i / columns];
    const auto is_finite = [](double value) { return std::isfinite(value); };
    if (!std::all_of(linear.weights_.begin(), linear.weights_.end(), is_finite) ||
        !std::all_of(linear.bias_.begin(), linear.bias_.end(), is_finite))
        throw InputError("a network has weights that are not numbers");
    return linear;
}

void Linear::apply(std::span<const double> input, Vector& output) const {
    DSE_EXPECT(input.size() == columns_);
    // Four partial sums, combined in the same order on every machine.
    constexpr std::size_t lanes = 4;
    output.resize(bias_.size());
    const std::size_t whole = columns_ - columns_ % lanes;
    for (std::size_t r = 0; r < bias_.size(); ++r) {
        const double* weights = weights_.data() + r * columns_;
        std::array<double, lanes> sums{};
        for (std::size_t c = 0; c < whole; c += lanes) {
            for (std::size_t i = 0; i < lanes; ++i) sums[i] += weights[c + i] * input[c + i];
        }
        for (std::size_t c = whole; c < columns_; ++c) sums[0] += weights[c] * input[c];
        output[r] = bias_[r] + ((sums[0] + sums[1]) + (sums[2] + sums[3]));
    }
}

Perceptron Perceptron::from_json(const nlohmann::json& json, std::size_t inputs, std::size_t width,
                                 std::size_t outputs) {
    Perceptron perceptron;
    perceptron.first_ = Linear::from_json(json.at(0), width, inputs);
    perceptron.second_ = Linear::from_json(json.at(1), outputs, width);
    return perceptron;
}

void Perceptron::apply(std::span<const double> input, Vector& hidden, Vector& output) const {
    first_.apply(input, hidden);
    for (double& value : hidden) value = std::max(0.0, value);
    second_.apply(hidden, output);
}

double exponential(double x) {
    DSE_EXPECT(x <= 0.0);
    constexpr double least = -700.0;
    constexpr double ln2 = 0.69314718055994530942;
    constexpr int terms = 12;  // of the series for an argument of at most ln 2: the next term is below 1e-12
    if (!(x > least)) return 0.0;
    const int octaves = static_cast<int>(x / ln2);
    const double rest = x - octaves * ln2;
    double sum = 1.0;
    for (int term = terms; term > 0; --term) sum = 1.0 + rest * sum / term;
    return std::ldexp(sum, octaves);
}

std::size_t draw_softmax(std::span<const double> scores, Random& random) {
    const double most = *std::max_element(scores.begin(), scores.end());
    double sum = 0.0;
    for (const double score : scores) sum += exponential(score - most);
    constexpr double one_of_2_53 = 1.0 / 9007199254740992.0;
    double place = static_cast<double>(random.next() >> 11U) * one_of_2_53 * sum;
    for (std::size_t i = 0; i + 1 < scores.size(); ++i) {
        place -= exponential(scores[i] - most);
        if (place < 0.0) return i;
    }
    return scores.size() - 1;
}

}  // namespace dse::synth
