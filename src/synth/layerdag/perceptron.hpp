#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "synth/random.hpp"

namespace dse::synth {

using Vector = std::vector<double>;

/// An affine map. The file has integers for each row, and the scale of the row.
class Linear {
  public:
    /// \throws InputError if it does not have this number of rows and columns
    static Linear from_json(const nlohmann::json& json, std::size_t rows, std::size_t columns);
    void apply(std::span<const double> input, Vector& output) const;
    [[nodiscard]] std::span<const double> row(std::size_t number) const {
        return {weights_.data() + number * columns_, columns_};
    }

  private:
    std::size_t columns_{0};
    Vector weights_;  ///< row by row
    Vector bias_;
};

/// Two affine maps with the activation max(0, x) in between.
class Perceptron {
  public:
    static Perceptron from_json(const nlohmann::json& json, std::size_t inputs, std::size_t width,
                                std::size_t outputs);
    /// \param hidden  buffer for the intermediate result
    void apply(std::span<const double> input, Vector& hidden, Vector& output) const;

  private:
    Linear first_;
    Linear second_;
};

/// e^x to 1e-12, computed with sums and products only, so that a seed gives the same sample on every machine.
/// \param x  at most 0; below -700 the result is 0
double exponential(double x);

/// Draws an index with the probabilities of the scores' softmax. \pre scores are not empty
std::size_t draw_softmax(std::span<const double> scores, Random& random);

}  // namespace dse::synth
