#pragma once

#include <vector>

namespace dse::synth {

/// y ≈ intercept + slopes · x.
struct LinearFit {
    double intercept{0.0};
    std::vector<double> slopes;

    [[nodiscard]] double at(const std::vector<double>& x) const;
};

/// Ridge regression: least squares, slopes shrunk.
/// \param rows     x of each observation, all of one length \pre there is one, and a y for each
/// \param penalty  > 0, on the squares of slopes; a column that never varies has slope 0
LinearFit least_squares(const std::vector<std::vector<double>>& rows, const std::vector<double>& y,
                        double penalty);

/// Correlation of two series; 0 where one never varies. \pre equal lengths
double pearson(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace dse::synth
