#pragma once

#include <vector>

namespace dse::synth {

/// y ≈ intercept + slopes · x.
struct LinearFit {
    double intercept{0.0};
    std::vector<double> slopes;

    [[nodiscard]] double at(const std::vector<double>& x) const;
};

/// Ridge regression: least squares with a penalty on the slopes.
/// \param rows     x of each observation, all of the same length
/// \param penalty  > 0, on the squares of the slopes; a constant column gets slope 0
/// \pre there is at least one row, and a y for each
LinearFit least_squares(const std::vector<std::vector<double>>& rows, const std::vector<double>& y,
                        double penalty);

/// Pearson correlation of two series; 0 if either is constant. \pre equal lengths
double pearson(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace dse::synth
