#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace dse::conformance {

/// Relative errors of predicted times, predicted / measured - 1.
class ErrorSummary {
  public:
    void add(double predicted, double measured) { errors_.push_back(predicted / measured - 1.0); }

    [[nodiscard]] std::size_t count() const { return errors_.size(); }

    [[nodiscard]] double mean_absolute() const {
        double sum = 0.0;
        for (const double error : errors_) sum += std::abs(error);
        return sum / static_cast<double>(errors_.size());
    }

    [[nodiscard]] double bias() const {
        double sum = 0.0;
        for (const double error : errors_) sum += error;
        return sum / static_cast<double>(errors_.size());
    }

    [[nodiscard]] double median_absolute() const {
        std::vector<double> sizes;
        for (const double error : errors_) sizes.push_back(std::abs(error));
        std::nth_element(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2),
                         sizes.end());
        return sizes[sizes.size() / 2];
    }

  private:
    std::vector<double> errors_;
};

}  // namespace dse::conformance
