#pragma once

#include <cstdint>

namespace dse {

/// Quantile of the standard normal distribution; relative error below 1.2e-9.
/// Source: Acklam, "An algorithm for computing the inverse normal cumulative distribution function" (2003).
/// \param u  in (0, 1)
double normal_quantile(double u);

/// Mean of the largest of `count` numbers of the standard normal distribution; 0 for one. Off by 0.025
/// for two, and by less for more. Source: Blom, "Statistical Estimates and Transformed Beta-Variables"
/// (1958).
double mean_of_largest(std::int64_t count);

}  // namespace dse
