#include "dse/model/blend.hpp"

#include <algorithm>
#include <cmath>

#include "dse/base/check.hpp"

namespace dse::model {

Blend::Blend(double sharpness) : q_{sharpness} {
    DSE_EXPECT(sharpness >= 0.0);
    if (q_ == 0.0) return;
    inverse_ = 1.0 / q_;
    // (1 + r^q)^(1/q) - 1 is about r^q / q.
    negligible_ = std::pow(q_ * 0x1p-54, inverse_);
}

double Blend::operator()(double a, double b) const {
    const double longer = std::max(a, b);
    const double shorter = std::min(a, b);
    if (q_ == 0.0 || shorter <= longer * negligible_) return longer;
    if (q_ == 1.0) return longer + shorter;
    return longer * std::pow(1.0 + std::pow(shorter / longer, q_), inverse_);
}

}  // namespace dse::model
