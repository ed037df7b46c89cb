#include "least_squares.hpp"

#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

#include "dse/base/statistics.hpp"

namespace dse::synth {
namespace {

/// Solves a x = b for a symmetric positive definite a by elimination.
std::vector<double> solve(std::vector<std::vector<double>> a, std::vector<double> b) {
    const std::size_t n = b.size();
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t row = i + 1; row < n; ++row) {
            const double factor = a[row][i] / a[i][i];
            for (std::size_t column = i; column < n; ++column) a[row][column] -= factor * a[i][column];
            b[row] -= factor * b[i];
        }
    }
    for (std::size_t i = n; i-- > 0;) {
        for (std::size_t column = i + 1; column < n; ++column) b[i] -= a[i][column] * b[column];
        b[i] /= a[i][i];
    }
    return b;
}

}  // namespace

double LinearFit::at(const std::vector<double>& x) const {
    return std::inner_product(slopes.begin(), slopes.end(), x.begin(), intercept);
}

LinearFit least_squares(const std::vector<std::vector<double>>& rows, const std::vector<double>& y,
                        double penalty) {
    const std::size_t width = rows.front().size();
    std::vector<double> mean(width, 0.0);
    for (const auto& row : rows) {
        for (std::size_t i = 0; i < width; ++i) mean[i] += row[i] / static_cast<double>(rows.size());
    }
    const double mean_y = dse::mean(y);
    std::vector<std::vector<double>> products(width, std::vector<double>(width, 0.0));
    std::vector<double> right(width, 0.0);
    for (std::size_t r = 0; r < rows.size(); ++r) {
        for (std::size_t i = 0; i < width; ++i) {
            const double x = rows[r][i] - mean[i];
            right[i] += x * (y[r] - mean_y);
            for (std::size_t j = 0; j < width; ++j) products[i][j] += x * (rows[r][j] - mean[j]);
        }
    }
    for (std::size_t i = 0; i < width; ++i) products[i][i] += penalty;
    LinearFit fit;
    fit.slopes = solve(std::move(products), std::move(right));
    fit.intercept = mean_y - std::inner_product(mean.begin(), mean.end(), fit.slopes.begin(), 0.0);
    return fit;
}

double pearson(const std::vector<double>& a, const std::vector<double>& b) {
    const double found = correlation(a, b);
    return std::isnan(found) ? 0.0 : found;
}

}  // namespace dse::synth
