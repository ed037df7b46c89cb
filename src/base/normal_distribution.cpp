#include "dse/base/normal_distribution.hpp"

#include <cmath>

namespace dse {

double normal_quantile(double u) {
    constexpr double low = 0.02425;
    if (u > 1.0 - low) return -normal_quantile(1.0 - u);
    if (u < low) {
        const double q = std::sqrt(-2.0 * std::log(u));
        return (((((-7.784894002430293e-03 * q - 3.223964580411365e-01) * q - 2.400758277161838) * q -
                  2.549732539343734) *
                     q +
                 4.374664141464968) *
                    q +
                2.938163982698783) /
               ((((7.784695709041462e-03 * q + 3.224671290700398e-01) * q + 2.445134137142996) * q +
                 3.754408661907416) *
                    q +
                1.0);
    }
    const double q = u - 0.5;
    const double r = q * q;
    return (((((-3.969683028665376e+01 * r + 2.209460984245205e+02) * r - 2.759285104469687e+02) * r +
              1.383577518672690e+02) *
                 r -
             3.066479806614716e+01) *
                r +
            2.506628277459239) *
           q /
           (((((-5.447609879822406e+01 * r + 1.615858368580409e+02) * r - 1.556989798598866e+02) * r +
              6.680131188771972e+01) *
                 r -
             1.328068155288572e+01) *
                r +
            1.0);
}

double mean_of_largest(std::int64_t count) {
    if (count < 2) return 0.0;
    constexpr double alpha = 0.375;
    const auto n = static_cast<double>(count);
    return normal_quantile((n - alpha) / (n + 1.0 - 2.0 * alpha));
}

}  // namespace dse
