#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dse/graph/traffic.hpp"
#include "dse/serving/request.hpp"
#include "serving/random.hpp"

namespace dse::serving {

/// Log-normal factor with mean 1. \param spread  standard deviation of its logarithm; 0: draws nothing
double draw_factor(double spread, Random& random);
/// Log-normal with the given mean, rounded to tokens (or turns), at least 1.
std::int32_t draw_tokens(double mean, double spread, Random& random);
/// Mean of draw_tokens, which is above `mean` where many draws are raised to 1.
double mean_of_draws(double mean, double spread);
/// Sets the prompt and the output of a request.
void draw_lengths(const graph::RequestLengths& lengths, Random& random, Request& request);
/// Time between two arrivals, in units of the mean.
double draw_gap(const graph::Traffic& traffic, Random& random);

/// Sums of the weights up to each of them, relative to that of all.
std::vector<double> sums_of(std::span<const double> weights);
/// Sums of the classes' shares.
std::vector<double> class_sums_of(std::span<const graph::RequestClass> classes);
/// \param sums  of the weights of all classes, not empty
std::uint8_t draw_class(std::span<const double> sums, Random& random);

}  // namespace dse::serving
